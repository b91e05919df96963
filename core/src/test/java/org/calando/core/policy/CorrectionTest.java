package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.calando.core.policy.Observation.Truth;
import org.junit.jupiter.api.Test;

class CorrectionTest {
  private static final AdaptiveConfig CONFIG = AdaptiveConfig.of(0.05);

  @Test
  void boundsAreThoseOfAPoissonMean() {
    for (int events = 0; events <= 200; events++) {
      double median =
          new ChiSquaredDistribution(2.0 * (events + 1)).inverseCumulativeProbability(0.5) / 2;
      assertThat(Correction.likely(events)).isCloseTo(median, within(0.01 * median + 0.02));
      double lower =
          events == 0
              ? 0
              : new ChiSquaredDistribution(2.0 * events).inverseCumulativeProbability(0.1) / 2;
      assertThat(Correction.lower(events, Correction.Z90))
          .isCloseTo(lower, within(0.01 * lower + 0.02));
    }
  }

  @Test
  void aFewProbesLeaveItNearOne() {
    assertThat(Correction.NONE.with(new Truth(1, 5, 0, 0.1), CONFIG).factor()).isBetween(0.95, 1.1);
    assertThat(Correction.NONE.with(new Truth(1, 20, 1, 1), CONFIG).factor()).isBetween(0.9, 1.5);
  }

  @Test
  void manyProbesLeaveTheRatio() {
    Correction found = Correction.NONE;
    for (int i = 0; i < 200; i++) {
      found = found.with(new Truth(i, 1000, 30, 100), CONFIG);
    }
    assertThat(found.factor()).isCloseTo(0.3, within(0.02));
    assertThat(Correction.NONE.with(new Truth(1, 10_000, 3000, 1000), CONFIG).factor())
        .isCloseTo(3, within(0.1));
  }

  @Test
  void theSameReadsCountOnce() {
    Truth truth = new Truth(7, 1000, 30, 100);
    Correction once = Correction.NONE.with(truth, CONFIG);
    assertThat(once.with(truth, CONFIG)).isEqualTo(once);
  }

  @Test
  void itStaysWithinItsBounds() {
    Correction low = Correction.NONE;
    Correction high = Correction.NONE;
    for (int i = 0; i < 200; i++) {
      low = low.with(new Truth(i, 10_000, 0, 1000), CONFIG);
      high = high.with(new Truth(i, 10_000, 5000, 1), CONFIG);
    }
    assertThat(low.factor()).isEqualTo(1.0 / 8);
    assertThat(high.factor()).isEqualTo(16);
    Correction none = Correction.NONE.with(new Truth(1, 10_000, 5000, 1), CONFIG.withFactors(1, 1));
    assertThat(none.corrected(0.1)).isEqualTo(0.1);
  }

  @Test
  void staleReadsThatTheModelCallsImpossibleAreAddedToIt() {
    Correction found = Correction.NONE.with(new Truth(1, 100, 20, 0), CONFIG);
    assertThat(found.corrected(0)).isBetween(0.1, 0.2);
    assertThat(found.corrected(1)).isEqualTo(1);
  }

  @Test
  void readsThatProveNothingLetItFade() {
    Correction strict = Correction.NONE.with(new Truth(1, 1000, 200, 20), CONFIG);
    Correction safe = strict.with(new Truth(2, 1000, 0, 0), CONFIG);
    assertThat(safe.factor())
        .isLessThanOrEqualTo(strict.factor())
        .isGreaterThan(0.9 * strict.factor());
    Correction faded = strict.faded(CONFIG.forgetNanos(), CONFIG);
    assertThat(Math.log(faded.factor()))
        .isCloseTo(Math.log(strict.factor()) / Math.E, within(1e-9));
    assertThat(strict.faded(100 * CONFIG.forgetNanos(), CONFIG).factor())
        .isCloseTo(1, within(1e-9));
  }
}
