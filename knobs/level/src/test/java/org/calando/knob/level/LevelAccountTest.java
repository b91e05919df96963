package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.report.column.LevelFigures;
import org.junit.jupiter.api.Test;

class LevelAccountTest {
  private static final long SECOND = 1_000_000_000L;

  private final LevelAccount account =
      new LevelAccount(ReadLevels.plain(3), new SafeLevel(ConsistencyLevel.ALL, 3));

  private static Observation observation(boolean withLags, long stale) {
    PropagationLags lags = PropagationLags.of(3, new double[][] {{0, 0.02, 0.02}});
    return new Observation(
        SECOND,
        "k.t",
        3,
        1,
        3,
        0,
        Optional.of(new Observation.Rates(SECOND, 100, 100, 100)),
        withLags ? Optional.of(new Observation.Lags(SECOND, lags)) : Optional.empty(),
        Optional.of(new Observation.Popularity(SECOND, KeyPopularity.uniform(100))),
        Optional.of(new Observation.Truth(SECOND, 10, stale, 1)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  private static Decision<?> decision(ReadChoice choice, Observation observation) {
    return new PolicyLoop<>(new StaticPolicy(choice), "k.t").decide(observation);
  }

  private LevelFigures figures() {
    return account.figures(OptionalDouble.of(1), 7, 0.5);
  }

  @Test
  void onlyTheMeasuredWindowCounts() {
    account.decided(decision(ReadChoice.of(1), observation(true, 9)));
    account.measurementBegan();
    account.decided(decision(ReadChoice.of(1), observation(true, 2)));
    account.decided(decision(ReadChoice.of(3), observation(true, 3)));
    account.measurementEnded();
    account.decided(decision(ReadChoice.of(1), observation(true, 9)));
    assertThat(figures().decisions()).isEqualTo(2);
    assertThat(figures().atOne()).isEqualTo(1);
    assertThat(figures().shareAtOne()).isEqualTo(0.5);
    assertThat(figures().canaryReads()).isEqualTo(20);
    assertThat(figures().canaryStale()).isEqualTo(5);
    assertThat(figures().monitorRequests()).isEqualTo(7);
  }

  @Test
  void decisionsForWantOfFiguresAreTheFallback() {
    PolicyLoop<?> loop = new PolicyLoop<>(new PbsPolicy(AdaptiveConfig.of(0.05)), "k.t");
    account.measurementBegan();
    account.decided(loop.decide(observation(false, 0)));
    assertThat(figures().shareAtFallback()).isEqualTo(1);
    assertThat(account.note())
        .hasValueSatisfying(text -> assertThat(text).contains("fallback for 100 %", "warm-up"));
    for (int i = 0; i < 9; i++) {
      account.decided(loop.decide(observation(true, 0)));
    }
    assertThat(figures().atFallback()).isEqualTo(1);
    assertThat(account.note()).isEmpty();
  }

  @Test
  void estimatesAreMeansOverDecisionsThatHadTheirFigures() {
    account.measurementBegan();
    account.decided(decision(ReadChoice.of(1), observation(true, 0)));
    account.decided(decision(ReadChoice.of(1), observation(false, 0)));
    // A write a second and key, 20 ms late at two of three replicas.
    double late = 2.0 / 3 * -Math.expm1(-0.02);
    assertThat(figures().ofOne().pbs()).isCloseTo(late, within(0.001));
    assertThat(figures().ofChoice().pbs()).isEqualTo(figures().ofOne().pbs());
    assertThat(figures().ofOne().harmony()).isGreaterThan(0.3);
  }

  @Test
  void mixedLevelsLieBetweenTheTwo() {
    account.measurementBegan();
    account.decided(decision(new ReadChoice(1, 0.25), observation(true, 0)));
    LevelFigures one = figures();
    LevelAccount two =
        new LevelAccount(ReadLevels.plain(3), new SafeLevel(ConsistencyLevel.ALL, 3));
    two.measurementBegan();
    two.decided(decision(ReadChoice.of(2), observation(true, 0)));
    double expected =
        0.75 * one.ofOne().pbs()
            + 0.25 * two.figures(OptionalDouble.empty(), 0, 0).ofChoice().pbs();
    assertThat(one.ofChoice().pbs()).isCloseTo(expected, within(1e-12));
    assertThat(one.atOne()).isZero();
  }

  @Test
  void withoutADecisionThereIsNoRate() {
    assertThat(figures().shareAtOne()).isNaN();
    assertThat(figures().ofOne().exact()).isNaN();
  }
}
