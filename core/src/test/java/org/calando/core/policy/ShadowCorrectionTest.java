package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.policy.Observation.Shadow;
import org.junit.jupiter.api.Test;

class ShadowCorrectionTest {
  private static final AdaptiveConfig CONFIG = AdaptiveConfig.of(0.05);

  private static double factor(double last, double stale, double bound, double predicted) {
    return new ShadowCorrection(last, 0)
        .with(new Shadow(0, 1e6, stale, bound, predicted), CONFIG)
        .factor();
  }

  @Test
  void fewReadsChangeNothing() {
    assertThat(ShadowCorrection.NONE.with(new Shadow(0, 0, 0, 0, 0), CONFIG))
        .isEqualTo(ShadowCorrection.NONE);
    assertThat(factor(1, 0, 0, 2)).isEqualTo(1);
    assertThat(factor(1, 1, 1, 1)).isEqualTo(1);
    assertThat(factor(0.4, 4, 4, 10)).isEqualTo(0.4);
  }

  @Test
  void easingGoesByTheUpperEndAndByWhatCouldNotBeDecided() {
    // Poisson: 0 events speak against a mean of 3.0 with 95 %, 10 against 16.96.
    assertThat(factor(1, 0, 0, 100)).isCloseTo(0.030, within(0.002));
    assertThat(factor(1, 0, 10, 100)).isCloseTo(0.170, within(0.002));
    assertThat(factor(1, 0, 200, 100)).isEqualTo(1);
    assertThat(factor(1, 0, 0, 1e9)).isEqualTo(1e-3);
  }

  @Test
  void theAlarmGoesByTheLowerEndOfWhatWasDecided() {
    // 10 events speak against a mean of less than 5.43 with 95 %.
    assertThat(factor(0.01, 10, 10, 100)).isCloseTo(0.0543, within(0.001));
    assertThat(factor(1, 100, 100, 20)).isCloseTo(4.2, within(0.1));
    assertThat(factor(1, 1e4, 1e4, 1)).isEqualTo(CONFIG.maxFactor());
  }

  @Test
  void whatNoFactorExplainsIsAdded() {
    // 40 of 100 were stale where the estimate said none: 30.1 at least, with 95 %.
    ShadowCorrection none = ShadowCorrection.NONE.with(new Shadow(0, 100, 40, 40, 0), CONFIG);
    assertThat(none.corrected(0)).isCloseTo(0.301, within(0.002));
    ShadowCorrection some = ShadowCorrection.NONE.with(new Shadow(0, 100, 40, 40, 0.5), CONFIG);
    assertThat(some.corrected(0.005)).isCloseTo(0.301, within(0.002));
  }

  @Test
  void aFactorFadesToNoneWithoutShadowReads() {
    ShadowCorrection faded = new ShadowCorrection(0.01, 0.1).faded(CONFIG.forgetNanos(), CONFIG);
    assertThat(faded.factor()).isCloseTo(Math.pow(0.01, Math.exp(-1)), within(1e-9));
    assertThat(faded.excess()).isCloseTo(0.1 * Math.exp(-1), within(1e-9));
    assertThat(ShadowCorrection.NONE.faded(1, CONFIG)).isEqualTo(ShadowCorrection.NONE);
  }
}
