package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.calando.core.policy.Observation.Lags;
import org.junit.jupiter.api.Test;

/** What a policy does while a store leaves canaries without answers. */
class ProbeTest {
  private static final long SECOND = 1_000_000_000L;

  /** One replica is nearly never stale, if only it were known. */
  private static final double RATE = 0.001;

  private AdaptiveConfig config = AdaptiveConfig.of(0.05);
  private AdaptiveState state = AdaptiveState.INITIAL;
  private long now;

  /** Decides once a second; lags are unknown while the store is strained. */
  private double decide(boolean strained) {
    now += SECOND;
    Observation o = Observations.saying(RATE, now, 3, 1);
    Optional<Lags> lags = strained ? Optional.empty() : o.lags();
    Observation told =
        new Observation(
            o.atNanos(),
            o.target(),
            3,
            1,
            3,
            0,
            o.rates(),
            lags,
            o.popularity(),
            o.truth(),
            o.shadow(),
            o.missed(),
            o.costs(),
            strained);
    PbsPolicy policy = new PbsPolicy(config);
    Step<AdaptiveState> step = policy.decide(policy.read(policy.write(state)), told);
    state = step.state();
    return state.replicas() + state.shareAbove();
  }

  private int secondsAtOne(int seconds) {
    int count = 0;
    for (int i = 0; i < seconds; i++) {
      count += decide(true) == 1 ? 1 : 0;
    }
    return count;
  }

  /** One that a file kept would else go on where nothing is known. */
  @Test
  void aProbeEndsWhereNobodyHasLookedForAWhile() {
    assertThat(decide(true)).isEqualTo(1);
    now += 9 * SECOND;
    assertThat(decide(true)).isEqualTo(1);
    assertThat(state.probe().isOn()).isTrue();
    now += 540 * SECOND;
    Observation nothing = Observations.saying(RATE, now, 3, 1);
    Observation unknown =
        new Observation(
            now,
            nothing.target(),
            3,
            1,
            3,
            0,
            nothing.rates(),
            Optional.empty(),
            Optional.empty(),
            nothing.truth(),
            nothing.shadow(),
            nothing.missed(),
            nothing.costs(),
            false);
    Step<AdaptiveState> step = new PbsPolicy(config).decide(state, unknown);
    assertThat(step.state().probe().isOn()).isFalse();
    assertThat(step.state().replicas()).as("the fallback").isGreaterThan(1);
    assertThat(decide(true)).as("it is strained").isEqualTo(1);
  }

  @Test
  void readsAskOneReplicaUntilTheStoreAnswersAndFiguresAreKnown() {
    assertThat(decide(true)).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      assertThat(decide(true)).isEqualTo(1);
    }
    assertThat(decide(false)).as("what the figures ask for").isEqualTo(1);
    assertThat(state.probe().isOn()).isFalse();
  }

  @Test
  void aStoreThatStaysStrainedIsReadAtOneReplicaForLessAndLess() {
    assertThat(secondsAtOne(60)).isEqualTo(60);
    assertThat(secondsAtOne(30)).as("at rest").isZero();
    assertThat(secondsAtOne(60)).isEqualTo(60);
    assertThat(secondsAtOne(60)).isZero();
    assertThat(secondsAtOne(3600)).isLessThan(600);
  }

  @Test
  void readsAtOneReplicaStayThereWithoutRest() {
    secondsAtOne(10);
    for (int i = 0; i < 5; i++) {
      assertThat(decide(false)).isEqualTo(1);
    }
    assertThat(state.probe().restNanos()).isPositive();
    assertThat(secondsAtOne(30)).isEqualTo(30);
  }

  @Test
  void whereFreshnessComesFirstNoReadIsWeakened() {
    config = config.withFreshFirst(true);
    assertThat(secondsAtOne(10)).isZero();
    config = AdaptiveConfig.of(0);
    assertThat(secondsAtOne(10)).isZero();
  }
}
