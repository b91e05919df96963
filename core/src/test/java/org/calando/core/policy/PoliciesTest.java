package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.policy.Observations.SECOND;
import static org.calando.core.policy.Observations.TABLE;

import java.util.List;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.policy.Observation.Costs;
import org.calando.core.policy.RationingPolicy.Category;
import org.calando.core.staleness.StaleEstimate;
import org.junit.jupiter.api.Test;

class PoliciesTest {
  private static final AdaptiveConfig QUICK =
      AdaptiveConfig.of(0.05).withMixed(false).withEase(1, 0, 0);

  private static StaleEstimate falling(Observation o) {
    return Observations.estimate(3, read -> read == 1 ? 0.2 : read == 2 ? 0.02 : 0);
  }

  private static <S> ReadChoice decided(Policy<S> policy, Observation o) {
    Step<S> step = policy.decide(policy.initial(), o);
    return (ReadChoice) step.settings().get(0).value();
  }

  private static ReadChoice after(Policy<?> policy, int decisions, double writesPerSecond) {
    return loop(policy, decisions, writesPerSecond);
  }

  private static <S> ReadChoice loop(Policy<S> policy, int decisions, double writesPerSecond) {
    PolicyLoop<S> loop = new PolicyLoop<>(policy, TABLE);
    ReadChoice last = ReadChoice.of(9);
    for (int i = 0; i < decisions; i++) {
      Step<S> step = loop.decide(Observations.fresh(i * SECOND, 3, 1, writesPerSecond)).step();
      last = (ReadChoice) step.settings().get(0).value();
    }
    return last;
  }

  private static List<AdaptivePolicy> adaptive() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05);
    return List.of(
        new HarmonyPolicy(AdaptiveConfig.published(0.05)),
        new HarmonyExactPolicy(config),
        new PbsPolicy(config),
        new BismarPolicy(config, BismarPrices.WORK),
        new RationingPolicy(config, Category.B, 1));
  }

  @Test
  void anAdaptivePolicyReadsOneWhereHardlyAnythingIsStaleAndMoreWhereMuchIs() {
    for (AdaptivePolicy policy : adaptive()) {
      // Harmony as published needs a table without writes, for it adds up overlapping windows.
      double few = policy instanceof HarmonyPolicy ? 0 : 0.5;
      assertThat(after(policy, 5, few)).as(policy.name()).isEqualTo(ReadChoice.of(1));
      // 100 writes a second of each key, 20 ms behind.
      assertThat(after(policy, 5, 100_000).mean()).as(policy.name()).isGreaterThan(1.5);
    }
  }

  @Test
  void alwaysQuorumIsNotAdaptive() {
    StaticPolicy quorum = new StaticPolicy(ReadChoice.of(2));
    assertThat(after(quorum, 5, 0.5)).isEqualTo(after(quorum, 5, 100_000));
    assertThat(quorum.name()).isEqualTo("static 2");
    assertThat(quorum.read(quorum.write(quorum.initial()))).isEqualTo(quorum.initial());
  }

  @Test
  void harmonyAsPublishedReadsAsTheEquationsSay() {
    // Equation 6 at N 3, 1000 reads and 10 writes a second, 20 ms: 2/3 * 1.01/100 * 1.
    Observation o = Observations.fresh(0, 3, 1, 10);
    HarmonyPolicy policy = new HarmonyPolicy(AdaptiveConfig.published(0.006));
    StaleEstimate estimate = policy.estimate(o).orElseThrow();
    double one = 2.0 / 3 * -Math.expm1(-20.0) * 101 / 100;
    assertThat(estimate.rate(1)).isCloseTo(Math.min(1, one), within(1e-12));
    assertThat(decided(policy, o)).isEqualTo(ReadChoice.of(3));
    assertThat(decided(new HarmonyPolicy(AdaptiveConfig.published(0.4)), o))
        .isEqualTo(ReadChoice.of(2));
    assertThat(decided(new HarmonyPolicy(AdaptiveConfig.published(0.7)), o))
        .isEqualTo(ReadChoice.of(1));
    // It needs no popularity, and a write quorum caps what it reads.
    Observation quorum = Observations.fresh(0, 3, 2, 10);
    assertThat(decided(policy, quorum)).isEqualTo(ReadChoice.of(2));
  }

  @Test
  void harmonyTakesTheTpThatItIsGiven() {
    // The observation's lags are 20 ms.
    Observation o = Observations.fresh(0, 3, 1, 10);
    HarmonyPolicy policy = HarmonyPolicy.withPropagation(AdaptiveConfig.published(0.07), 1e-4);
    double one = 2.0 / 3 * -Math.expm1(-0.1) * 101 / 100;
    assertThat(policy.estimate(o).orElseThrow().rate(1)).isCloseTo(one, within(1e-12));
    assertThat(decided(policy, o)).isEqualTo(ReadChoice.of(1));
    assertThat(decided(new HarmonyPolicy(AdaptiveConfig.published(0.07)), o))
        .isEqualTo(ReadChoice.of(3));
  }

  @Test
  void theExactEstimateIsOfEachKey() {
    Observation o = Observations.fresh(0, 5, 2, 10_000);
    double rate = new HarmonyExactPolicy(QUICK).estimate(o).orElseThrow().rate(1);
    // 3 of 5 replicas lack it; each of 1000 keys has 10 writes a second, 20 ms.
    assertThat(rate).isCloseTo(0.6 * -Math.expm1(-0.2), within(1e-12));
    assertThat(new HarmonyExactPolicy(QUICK).name()).isEqualTo("harmony-exact 5 %");
  }

  @Test
  void measuredLagsAreWeakerThanTheirSlowestReplica() {
    Observation o = Observations.fresh(0, 5, 1, 10_000);
    StaleEstimate exact = new HarmonyExactPolicy(QUICK).estimate(o).orElseThrow();
    StaleEstimate pbs = new PbsPolicy(QUICK).estimate(o).orElseThrow();
    for (int read = 1; read < 5; read++) {
      assertThat(pbs.rate(read)).isPositive().isLessThan(exact.rate(read));
    }
  }

  @Test
  void bismarTakesTheMostFreshReadsForItsMoney() {
    AdaptiveConfig free = AdaptiveConfig.of(1).withEase(1, 0, 0);
    // Reads alone cost X: 0.8 / 1, 0.98 / 2, 1 / 3.
    BismarPolicy work = new BismarPolicy(free, BismarPrices.WORK, PoliciesTest::falling);
    assertThat(decided(work, Observations.fresh(0, 3, 1, 0))).isEqualTo(ReadChoice.of(1));
    // With 10 writes for a read two replicas cost 32/31: 0.949 against 0.8.
    assertThat(decided(work, Observations.fresh(0, 3, 1, 10_000))).isEqualTo(ReadChoice.of(2));
    // Measured costs count more than the number of replicas: 0.98 / 1.1.
    Observation measured =
        Observations.with(Observations.fresh(0, 3, 1, 0), new Costs(0, List.of(1.0, 1.1, 1.5)));
    assertThat(decided(work, measured)).isEqualTo(ReadChoice.of(2));
    Observation old =
        Observations.with(
            Observations.fresh(20 * SECOND, 3, 1, 0), new Costs(0, List.of(1.0, 1.1, 1.5)));
    assertThat(decided(work, old)).isEqualTo(ReadChoice.of(1));
  }

  @Test
  void bismarKeepsStaleReadsTolerableWhateverItCosts() {
    BismarPolicy bound = new BismarPolicy(QUICK, BismarPrices.WORK, PoliciesTest::falling);
    assertThat(decided(bound, Observations.fresh(0, 3, 1, 0))).isEqualTo(ReadChoice.of(2));
    BismarPolicy mixed =
        new BismarPolicy(QUICK.withMixed(true), BismarPrices.WORK, PoliciesTest::falling);
    assertThat(decided(mixed, Observations.fresh(0, 3, 1, 0)).replicas()).isEqualTo(1);
  }

  @Test
  void bismarsBillIsTheSumOfItsParts() {
    EnergyPricing energy = new EnergyPricing(0.36, "EUR", Double.NaN, 2);
    BismarPrices prices = new BismarPrices(0.72, 1000, 0.1, 2592, 0.2, 0.01, 500, 0.5, energy);
    // Work of 100 * 1.5 + 10 * 3 = 180, requests of 100 * 2 + 30 = 230 a second.
    double instances = 0.72 / 3600 * 0.18;
    double storage = 0.1 * 2592 / 2_592_000 + 0.2 * 230 / 1e6;
    double network = 0.01 * (100 * (1000 + 16) + 30 * 1000) / 1e9;
    double joules = 180 * 0.5;
    assertThat(prices.perSecond(2, 1.5, 100, 10, 3, 1000))
        .isCloseTo(instances + storage + network + joules / 3.6e6 * 2 * 0.36, within(1e-12));
    assertThat(prices.perSecond(2, 1.5, 100, 10, 3, Double.NaN))
        .isLessThan(prices.perSecond(2, 1.5, 100, 10, 3, 1000));
    assertThatThrownBy(() -> new BismarPrices(1, 1, 0, 0, 0, 0, 0, 1, EnergyPricing.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new BismarPrices(1, 0, 0, 0, 0, 0, 0, 0, EnergyPricing.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rationingReadsStronglyAsLongAsThatSavesMoreThanItCosts() {
    AdaptiveConfig free = AdaptiveConfig.of(1).withEase(1, 0, 0);
    Observation o = Observations.fresh(0, 3, 1, 100);
    // A second replica costs 1 and saves 0.18 of the penalty, a third 0.02.
    double[] penalties = {0, 5, 6, 49, 51};
    int[] replicas = {1, 1, 2, 2, 3};
    for (int i = 0; i < penalties.length; i++) {
      RationingPolicy policy =
          new RationingPolicy(free, Category.B, penalties[i], PoliciesTest::falling);
      assertThat(decided(policy, o))
          .as("penalty %s", penalties[i])
          .isEqualTo(ReadChoice.of(replicas[i]));
    }
  }

  @Test
  void rationingNeverWeakensCategoryAAndNeverStrengthensC() {
    RationingPolicy strong = new RationingPolicy(QUICK, Category.A, 0);
    RationingPolicy weak = new RationingPolicy(QUICK, Category.C, 1e9);
    for (Observation o : Observations.broken(Observations.fresh(0, 3, 1, 0), 10 * SECOND)) {
      assertThat(decided(strong, o)).isEqualTo(ReadChoice.of(3));
      assertThat(decided(weak, o)).isEqualTo(ReadChoice.of(1));
    }
    assertThat(decided(strong, Observations.fresh(0, 3, 1, 0))).isEqualTo(ReadChoice.of(3));
    assertThat(decided(weak, Observations.fresh(0, 3, 1, 1e9))).isEqualTo(ReadChoice.of(1));
    assertThatThrownBy(() -> new RationingPolicy(QUICK, Category.B, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
