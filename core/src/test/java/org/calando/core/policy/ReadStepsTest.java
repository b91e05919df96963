package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.policy.Observation.Missed;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class ReadStepsTest {
  private static final AdaptiveConfig CONFIG = AdaptiveConfig.of(0.05);

  private static AdaptiveState late(int replicas) {
    return new AdaptiveState(
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        replicas,
        CONFIG.recoveryNanos(),
        Correction.NONE,
        ShadowCorrection.NONE,
        Probe.NONE);
  }

  private static ReadSteps steps(Observation o, AdaptiveState state) {
    return ReadSteps.of(CONFIG, o, Observations.steered(o), Observations.steered(o), state);
  }

  private static String replicas(int replicas, int write, int live) {
    Observation o = Observations.withLive(Observations.saying(0.5, 0, replicas, write), live);
    ReadSteps steps = steps(o, late(replicas - live));
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < steps.count(); step++) {
      text.append(steps.replicas(step)).append(' ');
    }
    return text.toString().trim();
  }

  @Test
  void thereIsAStepForEachLevelUpToTheSafeOne() {
    assertThat(replicas(1, 1, 1)).isEqualTo("1");
    assertThat(replicas(3, 1, 3)).isEqualTo("1 2 3");
    assertThat(replicas(3, 2, 3)).isEqualTo("1 2");
    assertThat(replicas(5, 1, 5)).isEqualTo("1 2 3 5");
    assertThat(replicas(7, 1, 7)).isEqualTo("1 2 3 4 7");
    assertThat(replicas(7, 5, 7)).isEqualTo("1 2 3");
    assertThat(replicas(7, 2, 7)).isEqualTo("1 2 3 4 7");
  }

  @Test
  void thereIsNoneThatAsksMoreThanLive() {
    assertThat(replicas(3, 1, 2)).isEqualTo("1 2");
    assertThat(replicas(5, 1, 4)).isEqualTo("1 2 3");
    assertThat(replicas(5, 4, 4)).isEqualTo("1 2");
  }

  @Test
  void theFallbackIsAQuorumAtMostAndNoMoreThanOrdersLeftOn() {
    assertThat(fallback(CONFIG, 5, 0)).isEqualTo(3);
    assertThat(fallback(CONFIG, 5, 1)).isEqualTo(3);
    assertThat(fallback(CONFIG, 5, 3)).isEqualTo(2);
    assertThat(fallback(CONFIG, 5, 5)).isEqualTo(1);
    assertThat(fallback(CONFIG.withFreshFirst(true), 5, 3)).isEqualTo(5);
    assertThat(CONFIG.fallback(3).replicas()).isEqualTo(1);
    SafeLevel all = new SafeLevel(ConsistencyLevel.ALL, 6);
    assertThat(CONFIG.withLevels(false, all).fallback(5).replicas()).isEqualTo(3);
    assertThat(AdaptiveConfig.of(0).withLevels(false, all).fallback(5).replicas()).isEqualTo(6);
  }

  private static int fallback(AdaptiveConfig config, int replicas, int off) {
    Observation o = Observations.saying(0.5, 0, replicas, 1);
    Observation low =
        new Observation(
            o.atNanos(),
            o.target(),
            replicas,
            1,
            replicas - off,
            off,
            o.rates(),
            o.lags(),
            o.popularity(),
            o.truth(),
            o.shadow(),
            o.missed(),
            o.costs(),
            false);
    return ReadSteps.fallbackReplicas(config, low);
  }

  @Test
  void aLateReplicaIsAskedAsOftenAsTheOthers() {
    Observation o = Observations.saying(0.1, 0, 3, 1);
    ReadSteps steps = steps(o, late(1));
    assertThat(steps.rate(0)).isCloseTo((1 + 2 * 0.1) / 3, within(1e-12));
    assertThat(steps.rate(1)).isCloseTo((2 * 0.1 + 0.01) / 3, within(1e-12));
    assertThat(steps.rate(2)).isZero();
  }

  @Test
  void aReplicaThatIsBackHasWhatIsWrittenSince() {
    // 1000 keys, each written once in 10 s: after 20 s one of e^2 has not been.
    Observation o = Observations.saying(0.1, 0, 3, 1);
    AdaptiveState back =
        new AdaptiveState(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            1,
            CONFIG.recoveryNanos() - 20_000_000_000L,
            Correction.NONE,
            ShadowCorrection.NONE,
            Probe.NONE);
    double left = Math.exp(-2);
    ReadSteps steps = steps(o, back);
    assertThat(steps.rate(0)).isCloseTo(left * 0.4 + (1 - left) * 0.1, within(1e-9));
    Observation away = Observations.withLive(o, 2);
    assertThat(steps(away, back).rate(0)).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void afterAReturnReadsMissNoMoreThanASampleShows() {
    Observation o = Observations.saying(0.1, 0, 3, 1);
    // With 95 %: none of 297 leaves 1 %, 15 of 2300 too; 3 of 30 leave more than the late one may.
    assertThat(rateOfOne(o, new Missed(0, 297, 0), 1)).isCloseTo(0.11, within(1e-4));
    assertThat(rateOfOne(o, new Missed(0, 2300, 15), 1)).isCloseTo(0.11, within(1e-3));
    assertThat(rateOfOne(o, new Missed(0, 297, 0), 2)).isCloseTo(0.11, within(1e-4));
    assertThat(rateOfOne(o, new Missed(0, 3, 3), 1)).isCloseTo(0.4, within(1e-12));
    // Nobody looked, or long ago, or it makes no sense.
    assertThat(rateOfOne(o, new Missed(0, 0, 0), 1)).isCloseTo(0.4, within(1e-12));
    assertThat(rateOfOne(o, new Missed(-CONFIG.maxAgeNanos() - 1, 297, 0), 1))
        .isCloseTo(0.4, within(1e-12));
    assertThat(rateOfOne(o, new Missed(1, 297, 0), 1)).isCloseTo(0.4, within(1e-12));
    assertThat(rateOfOne(o, new Missed(0, 5, 6), 1)).isCloseTo(0.4, within(1e-12));
    // One is away still, whatever was seen before.
    Observation away = Observations.withLive(o, 2);
    assertThat(rateOfOne(away, new Missed(0, 297, 0), 1)).isCloseTo(0.4, within(1e-12));
    // None is late: what is sampled then has nothing to say.
    assertThat(rateOfOne(o, new Missed(0, 297, 200), 0)).isCloseTo(0.1, within(1e-12));
  }

  @Test
  void afterAReturnLagsAsTheyWereSeenSayWhatIsMissedOfYoungWrites() {
    Observation o = Observations.with(Observations.saying(0.1, 0, 3, 1), new Missed(0, 297, 0));
    ReadSteps steps =
        ReadSteps.of(
            CONFIG,
            o,
            Observations.steered(o),
            Observations.estimate(3, read -> read == 1 ? 0.3 : 0),
            late(1));
    assertThat(steps.rate(0)).isCloseTo(0.31, within(1e-4));
    assertThat(steps.rate(1)).as("one replica was away at once").isZero();
    assertThat(
            ReadSteps.of(CONFIG, o, Observations.steered(o), Observations.steered(o), late(2))
                .rate(1))
        .isCloseTo(0.02, within(1e-4));
  }

  private static double rateOfOne(Observation o, Missed missed, int late) {
    Observation told = Observations.with(o, missed);
    return steps(told, late(late)).rate(0);
  }

  @Test
  void waysToChooseAreBinomialCoefficients() {
    assertThat(ReadSteps.choose(7, 3)).isEqualTo(35);
    assertThat(ReadSteps.choose(5, 0)).isEqualTo(1);
    assertThat(ReadSteps.choose(2, 3)).isZero();
  }
}
