package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.policy.Observations.SECOND;
import static org.calando.core.policy.Observations.TABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.calando.core.staleness.StaleEstimate;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

/** What holds for every policy that follows an estimate, shown with one that is easy to steer. */
class AdaptivePolicyTest {
  private static final long SEED = Long.getLong("calando.seed", 20120925L);

  private static PbsPolicy steered(AdaptiveConfig config) {
    return new PbsPolicy(config, Observations::steered);
  }

  private static ReadChoice choice(Step<?> step) {
    assertThat(step.settings()).hasSize(1);
    Setting<?> setting = step.settings().get(0);
    assertThat(setting.knob()).isEqualTo(KnobId.READ_LEVEL);
    assertThat(setting.target()).isEqualTo(TABLE);
    return (ReadChoice) setting.value();
  }

  private static ReadChoice decided(PolicyLoop<AdaptiveState> loop, Observation o) {
    return choice(loop.decide(o).step());
  }

  /** The stale rate of what is really read, by the estimate, without the policy's own machinery. */
  private static double rate(StaleEstimate estimate, ReadChoice choice, ReadLevels levels) {
    double below = estimate.rate(levels.asked(choice.replicas()));
    return choice.shareAbove() == 0
        ? below
        : (1 - choice.shareAbove()) * below
            + choice.shareAbove() * estimate.rate(levels.asked(choice.replicas() + 1));
  }

  private static AdaptiveConfig randomConfig(Random random) {
    return AdaptiveConfig.of(random.nextInt(10) == 0 ? 0.5 : Math.exp(-random.nextDouble() * 7))
        .withMargin(random.nextInt(3) * 0.15)
        .withMixed(random.nextBoolean())
        .withEase(1 + random.nextInt(5), random.nextInt(3) * SECOND, random.nextInt(3) * 0.1);
  }

  @Test
  void thePromiseHoldsUnderItsOwnEstimateAfterEveryDecision() {
    Random random = new Random(SEED);
    int mixed = 0;
    for (int run = 0; run < 300; run++) {
      AdaptiveConfig config = randomConfig(random);
      int replicas = 1 + random.nextInt(7);
      int write = 1 + random.nextInt(replicas);
      ReadLevels levels = ReadLevels.plain(replicas);
      PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
      double rate = random.nextDouble();
      for (int i = 0; i < 60; i++) {
        rate = Math.min(1, rate * Math.exp(random.nextGaussian()));
        Observation o = Observations.saying(rate, i * SECOND, replicas, write);
        ReadChoice choice = decided(loop, o);
        double kept = rate(Observations.steered(o), choice, levels);
        assertThat(kept)
            .as("seed %d run %d: %s of %d at %s by %s", SEED, run, choice, replicas, rate, config)
            .isLessThanOrEqualTo(config.tolerated() * (1 - config.margin()) + 1e-12);
        assertThat(choice.mean()).isLessThanOrEqualTo(levels.asked(replicas - write + 1));
        mixed += choice.shareAbove() > 0 ? 1 : 0;
        assertThat(config.mixed() || choice.shareAbove() == 0).isTrue();
      }
    }
    assertThat(mixed).isGreaterThan(1000);
  }

  @Test
  void aLoopThatBeginsWhereReadsAreDoesNotReadMoreFirst() {
    PbsPolicy policy = steered(AdaptiveConfig.of(0.05));
    Observation calm = Observations.saying(0.001, 5 * SECOND, 3, 1);
    PolicyLoop<AdaptiveState> anew = new PolicyLoop<>(policy, TABLE);
    assertThat(decided(anew, calm).replicas()).as("from the beginning").isGreaterThan(1);
    PolicyLoop<AdaptiveState> begun =
        new PolicyLoop<>(policy, TABLE, policy.begunAt(ReadChoice.of(1), ""));
    assertThat(decided(begun, calm)).isEqualTo(ReadChoice.of(1));
    Observation stale = Observations.saying(0.9, 6 * SECOND, 3, 1);
    assertThat(decided(begun, stale).replicas()).as("stronger at once").isGreaterThan(1);
    AdaptiveState known = AdaptiveState.read(policy.begunAt(ReadChoice.of(1), begun.stateText()));
    assertThat(known).isEqualTo(begun.state().choosing(ReadChoice.of(1)));
    assertThat(known.atNanos()).as("what else the other knew").isEqualTo(6 * SECOND);
  }

  private static Observation good(int replicas, int write) {
    return Observations.saying(0.001, 5 * SECOND, replicas, write);
  }

  @Test
  void aFigureThatIsMissingOldOrSenselessMeansTheFallback() {
    for (int replicas = 1; replicas <= 7; replicas++) {
      for (int write = 1; write <= replicas; write++) {
        PbsPolicy policy = steered(AdaptiveConfig.of(0.05));
        PolicyLoop<AdaptiveState> calm = new PolicyLoop<>(policy, TABLE);
        for (int i = 0; i < 5; i++) {
          decided(calm, Observations.saying(0.001, i * SECOND, replicas, write));
        }
        assertThat(calm.state().replicas()).isEqualTo(1);
        assertThat(policy.isFallback(calm.state(), good(replicas, write))).isFalse();
        Observation good = good(replicas, write);
        List<Observation> broken =
            new ArrayList<>(Observations.broken(good, policy.config().maxAgeNanos()));
        broken.add(
            Observations.rebuilt(
                good, replicas, good.rates(), good.lags(), Optional.empty(), good.truth()));
        int safe = ReadLevels.plain(replicas).asked(replicas - write + 1);
        int fallback = Math.min(safe, replicas / 2 + 1);
        PbsPolicy freshFirst = steered(policy.config().withFreshFirst(true));
        for (Observation o : broken) {
          Step<AdaptiveState> step = policy.decide(calm.state(), o);
          assertThat(choice(step)).as("%s", o).isEqualTo(ReadChoice.of(fallback));
          assertThat(step.reasons().get(0)).contains("the fallback, " + Words.replicas(fallback));
          assertThat(policy.isFallback(step.state(), o)).as("%s", o).isTrue();
          assertThat(choice(freshFirst.decide(calm.state(), o))).isEqualTo(ReadChoice.of(safe));
          assertThat(policy.estimate(o).isEmpty() || o.liveReplicas() == 0).isTrue();
        }
      }
    }
  }

  @Test
  void anEstimateThatIsNoRateMeansTheFallback() {
    for (double bad : new double[] {Double.NaN, -0.1, 1.1}) {
      PbsPolicy policy =
          new PbsPolicy(
              AdaptiveConfig.of(0.05), o -> Observations.estimate(3, read -> read == 1 ? bad : 0));
      Step<AdaptiveState> step = policy.decide(policy.initial(), Observations.fresh(0, 3, 1, 100));
      assertThat(choice(step)).isEqualTo(ReadChoice.of(2));
    }
  }

  @Test
  void whoToleratesMoreReadsNoMore() {
    Random random = new Random(SEED);
    for (int run = 0; run < 300; run++) {
      boolean mixed = random.nextBoolean();
      int replicas = 1 + random.nextInt(7);
      List<PolicyLoop<AdaptiveState>> loops = new ArrayList<>();
      for (double tolerated : new double[] {0, 0.001, 0.01, 0.03, 0.1, 0.3, 1}) {
        loops.add(
            new PolicyLoop<>(
                steered(AdaptiveConfig.of(tolerated).withMixed(mixed).withEase(1, 0, 0)), TABLE));
      }
      for (int i = 0; i < 30; i++) {
        Observation o =
            Observations.with(
                Observations.saying(
                    random.nextDouble() * random.nextDouble(), i * SECOND, replicas, 1),
                new Observation.Truth(i * SECOND, 100, random.nextInt(20), random.nextInt(20)));
        double last = Double.MAX_VALUE;
        for (PolicyLoop<AdaptiveState> loop : loops) {
          double mean = decided(loop, o).mean();
          assertThat(mean).as("seed %d run %d: %s", SEED, run, o).isLessThanOrEqualTo(last);
          last = mean;
        }
        assertThat(last).isEqualTo(1);
      }
    }
  }

  @Test
  void noToleratedStaleReadMeansTheSafeLevelEvenWithoutWrites() {
    PolicyLoop<AdaptiveState> loop =
        new PolicyLoop<>(steered(AdaptiveConfig.of(0).withEase(1, 0, 0)), TABLE);
    assertThat(decided(loop, Observations.saying(0, 0, 3, 1))).isEqualTo(ReadChoice.of(3));
    assertThat(decided(loop, Observations.withLive(Observations.saying(0, 1, 3, 1), 2)))
        .isEqualTo(ReadChoice.of(3));
  }

  @Test
  void mixedLevelsMeetTheRate() {
    PbsPolicy policy = steered(AdaptiveConfig.of(0.05).withMargin(0).withEase(1, 0, 0));
    ReadChoice choice = choice(policy.decide(policy.initial(), Observations.saying(0.2, 0, 3, 1)));
    // (1 - p) 0.2 + p 0.04 = 0.05
    assertThat(choice.replicas()).isEqualTo(1);
    assertThat(choice.shareAbove()).isCloseTo(0.9375, within(1.0 / 1024));
    assertThat(choice.shareAbove()).isGreaterThanOrEqualTo(0.9375);
    PbsPolicy whole = steered(AdaptiveConfig.of(0.05).withMixed(false).withEase(1, 0, 0));
    assertThat(choice(whole.decide(whole.initial(), Observations.saying(0.2, 0, 3, 1))))
        .isEqualTo(ReadChoice.of(2));
  }

  @Test
  void mixedLevelsCountWhatIsReallyAskedWhereANumberHasNoLevel() {
    // One more than 3 of 5 is read at ALL: half of the reads at 5 halve the rate.
    PbsPolicy policy =
        new PbsPolicy(
            AdaptiveConfig.of(0.1).withMargin(0).withEase(1, 0, 0),
            o -> Observations.estimate(5, read -> read == 5 ? 0 : 0.2));
    assertThat(choice(policy.decide(policy.initial(), Observations.fresh(0, 5, 1, 1))))
        .isEqualTo(new ReadChoice(3, 0.5));
  }

  @Test
  void fewerReplicasAreReadOnlyAfterSomeDecisionsAllowedIt() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05).withMixed(false).withEase(3, 4 * SECOND, 0.1);
    PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
    int[] expected = {3, 3, 3, 3, 1, 1};
    for (int i = 0; i < expected.length; i++) {
      assertThat(decided(loop, Observations.saying(0.001, i * SECOND, 3, 1)).replicas())
          .as("decision %d", i)
          .isEqualTo(expected[i]);
    }
    assertThat(decided(loop, Observations.saying(0.2, 6 * SECOND, 3, 1)).replicas()).isEqualTo(2);
    // A single decision that needs two again begins the wait anew.
    double[] rates = {0.001, 0.001, 0.2, 0.001, 0.001, 0.001, 0.001, 0.001};
    int[] then = {2, 2, 2, 2, 2, 2, 2, 1};
    for (int i = 0; i < rates.length; i++) {
      assertThat(decided(loop, Observations.saying(rates[i], (7 + i) * SECOND, 3, 1)).replicas())
          .as("decision %d", i)
          .isEqualTo(then[i]);
    }
  }

  @Test
  void itEasesAsFarAsTheStrongestOfThoseDecisionsAsked() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05).withMixed(false).withEase(3, 0, 0);
    PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
    decided(loop, Observations.saying(0.01, 0, 5, 1));
    decided(loop, Observations.saying(0.2, SECOND, 5, 1));
    assertThat(decided(loop, Observations.saying(0.01, 2 * SECOND, 5, 1)).replicas()).isEqualTo(2);
  }

  @Test
  void aClockThatJumpsBeginsTheWaitAnew() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05).withEase(3, 0, 0);
    for (long jump : new long[] {-3600 * SECOND, 3600 * SECOND}) {
      PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
      decided(loop, Observations.saying(0.001, 0, 3, 1));
      decided(loop, Observations.saying(0.001, SECOND, 3, 1));
      for (int i = 0; i < 3; i++) {
        assertThat(decided(loop, Observations.saying(0.001, jump + i * SECOND, 3, 1)).replicas())
            .isEqualTo(i < 2 ? 3 : 1);
      }
    }
  }

  @Test
  void aReplicaThatIsAwayCountsAsLateUntilSomeTimeAfterItsReturn() {
    AdaptiveConfig config =
        AdaptiveConfig.of(0.05)
            .withMixed(false)
            .withEase(1, 0, 0)
            .withTimes(10 * SECOND, 5 * SECOND, 600 * SECOND);
    PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
    assertThat(decided(loop, Observations.saying(0.001, 0, 3, 1))).isEqualTo(ReadChoice.of(1));
    // No more than live, though ALL alone is safe.
    assertThat(decided(loop, Observations.withLive(Observations.saying(0.001, SECOND, 3, 1), 2)))
        .isEqualTo(ReadChoice.of(2));
    for (int i = 2; i < 7; i++) {
      ReadChoice back = decided(loop, Observations.saying(0.001, i * SECOND, 3, 1));
      // One of three is late: reads of two miss it or have another that is not.
      assertThat(back.mean()).as("second %d", i).isEqualTo(i < 6 ? 2 : 1);
    }
  }

  @Test
  void noMoreReplicasAreAskedThanLiveWhileFiguresAreThere() {
    Random random = new Random(SEED);
    for (int run = 0; run < 2000; run++) {
      int replicas = 1 + random.nextInt(7);
      int live = 1 + random.nextInt(replicas);
      PbsPolicy policy = steered(randomConfig(random));
      Observation o =
          Observations.withLive(
              Observations.saying(random.nextDouble(), 0, replicas, 1 + random.nextInt(replicas)),
              live);
      ReadChoice choice = choice(policy.decide(policy.initial(), o));
      int most = choice.replicas() + (choice.shareAbove() > 0 ? 1 : 0);
      assertThat(ReadLevels.plain(replicas).asked(most))
          .as("seed %d: %s of %d with %d live", SEED, choice, replicas, live)
          .isLessThanOrEqualTo(live);
    }
  }

  @Test
  void truthThatIsWorseMakesItStricterAtOnceAndBetterOnlySlowlyEasier() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05).withMixed(false).withEase(1, 0, 0);
    PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
    assertThat(decided(loop, Observations.saying(0.02, 0, 3, 1)).replicas()).isEqualTo(1);
    Observation worse =
        Observations.with(
            Observations.saying(0.02, SECOND, 3, 1), new Observation.Truth(SECOND, 500, 60, 10));
    Decision<AdaptiveState> decision = loop.decide(worse);
    assertThat(choice(decision.step()).replicas()).isEqualTo(2);
    assertThat(decision.step().reasons()).hasSize(2);
    assertThat(decision.step().reasons().get(1)).startsWith("corrected by canary reads: times");
    int strict = 0;
    int at = 2;
    while (decided(
                loop,
                Observations.with(
                    Observations.saying(0.02, at * SECOND, 3, 1),
                    new Observation.Truth(at * SECOND, 500, 4, 10)))
            .replicas()
        > 1) {
      strict++;
      at++;
    }
    assertThat(strict).isBetween(3, 40);
  }

  /** The canary reads at the level in use, and the true rate is some times the model's. */
  private static double[] simulated(
      AdaptiveConfig config, double modelRate, double trueRate, Random random) {
    PolicyLoop<AdaptiveState> loop = new PolicyLoop<>(steered(config), TABLE);
    int reads = 300;
    double ratio = trueRate / modelRate;
    double staleSum = 0;
    double meanSum = 0;
    ReadChoice inUse = ReadChoice.of(3);
    int seconds = 600;
    for (int second = 0; second < seconds; second++) {
      Observation o = Observations.saying(modelRate, second * SECOND, 3, 1);
      double model = rate(Observations.steered(o), inUse, ReadLevels.plain(3));
      int stale = 0;
      for (int i = 0; i < reads; i++) {
        stale += random.nextDouble() < ratio * model ? 1 : 0;
      }
      inUse =
          decided(
              loop,
              Observations.with(
                  o, new Observation.Truth(second * SECOND, reads, stale, reads * model)));
      if (second >= seconds / 4) {
        staleSum += ratio * rate(Observations.steered(o), inUse, ReadLevels.plain(3));
        meanSum += inUse.mean();
      }
    }
    return new double[] {staleSum / (0.75 * seconds), meanSum / (0.75 * seconds)};
  }

  @Test
  void aModelThatSaysTooLittleStillKeepsThePromiseWithoutReadingAllReplicas() {
    double[] found = simulated(AdaptiveConfig.of(0.05), 0.03, 0.15, new Random(SEED));
    // 0.15 at one replica and 0.0045 at two: a share of about 0.69 at two is enough.
    assertThat(found[0]).as("stale").isBetween(0.02, 0.05);
    assertThat(found[1]).as("replicas").isBetween(1.6, 2.0);
  }

  @Test
  void aModelThatSaysTooMuchIsCorrectedToFewerReplicas() {
    double[] found = simulated(AdaptiveConfig.of(0.05), 0.3, 0.06, new Random(SEED));
    // Two replicas without correction; about one in four reads of two is enough.
    assertThat(found[0]).as("stale").isBetween(0.03, 0.05);
    assertThat(found[1]).as("replicas").isBetween(1.2, 1.5);
  }

  @Test
  void aPublishedControllerIsNeverCorrectedToFewer() {
    double[] found = simulated(AdaptiveConfig.published(0.05), 0.3, 0.06, new Random(SEED));
    assertThat(found[1]).isEqualTo(3);
  }

  @Test
  void whereWritesAreNotSureOfLocalReplicasNoneOfThemAreSafe() {
    AdaptiveConfig config =
        AdaptiveConfig.of(0.05)
            .withLevels(true, new SafeLevel(ConsistencyLevel.QUORUM, 2))
            .withEase(1, 0, 0);
    PbsPolicy policy =
        new PbsPolicy(
            config,
            o -> Observations.estimate(1, read -> o.rates().get().writesPerSecond() / 1000));
    assertThat(choice(policy.decide(policy.initial(), Observations.saying(0.001, 0, 1, 1))))
        .isEqualTo(ReadChoice.of(1));
    ReadChoice mixed = choice(policy.decide(policy.initial(), Observations.saying(0.09, 0, 1, 1)));
    assertThat(mixed).isEqualTo(new ReadChoice(1, 0.5));
  }

  @Test
  void reasonsTellTheFigures() {
    PbsPolicy policy =
        new PbsPolicy(
            AdaptiveConfig.of(0.05).withMixed(false).withEase(1, 0, 0),
            o -> Observations.estimate(3, read -> read == 1 ? 0.1234 : read == 2 ? 0.041 : 0));
    assertThat(policy.decide(policy.initial(), Observations.fresh(0, 3, 1, 1)).reasons())
        .containsExactly(
            "pbs: 12.3 % stale at 1 replica, 4.1 % at 2, 0 % at 3; tolerated 5 %: 2 replicas");
    assertThat(policy.name()).isEqualTo("pbs 5 %");
  }

  @Test
  void canaryReadsCountWhileOtherFiguresAreMissing() {
    PbsPolicy policy = steered(AdaptiveConfig.of(0.05));
    Observation o = Observations.saying(0.01, 0, 3, 1);
    Observation known = Observations.with(o, new Observation.Truth(0, 1000, 30, 10));
    Observation without =
        Observations.rebuilt(
            known, 3, Optional.empty(), known.lags(), known.popularity(), known.truth());
    Step<AdaptiveState> step = policy.decide(policy.initial(), without);
    assertThat(choice(step)).isEqualTo(ReadChoice.of(2));
    assertThat(step.state().correctionFactor()).isGreaterThan(2);
    assertThat(step.state().correction())
        .isEqualTo(policy.decide(policy.initial(), known).state().correction());
  }

  @Test
  void canaryReadsDoNotCountWhileAReplicaIsAway() {
    PbsPolicy policy = steered(AdaptiveConfig.of(0.05));
    Observation known =
        Observations.with(Observations.saying(0.01, 0, 3, 1), new Observation.Truth(0, 150, 5, 55));
    assertThat(policy.decide(policy.initial(), known).state().correctionFactor()).isLessThan(1);
    assertThat(
            policy
                .decide(policy.initial(), Observations.withLive(known, 2))
                .state()
                .correctionFactor())
        .isEqualTo(1);
  }

  @Test
  void configurationsThatMakeNoSenseAreRefused() {
    for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> AdaptiveConfig.of(bad)).isInstanceOf(IllegalArgumentException.class);
    }
    AdaptiveConfig config = AdaptiveConfig.of(0.05);
    assertThatThrownBy(() -> config.withMargin(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.withEase(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.withFactors(2, 16))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config.withTimes(0, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
