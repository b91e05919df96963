package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.knob.level.Promise.Verdict;
import org.junit.jupiter.api.Test;

class PromiseTest {
  @Test
  void keptMeansTheUpperEndIsAtMostOnePointAboveWhatIsTolerated() {
    // mean 0.05, s 0.001, t(0.975, 2) 4.302653: half width 4.302653 * 0.001 / sqrt(3)
    Promise promise = Promise.of(0.05, 0.049, 0.05, 0.051);
    assertThat(promise.stale().halfWidth()).isCloseTo(0.00248414, within(1e-8));
    assertThat(promise.verdict()).isEqualTo(Verdict.KEPT);
    // Half a width more than a point above: 0.06 + 0.00248.
    assertThat(Promise.of(0.05, 0.059, 0.06, 0.061).verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(Promise.of(0.05, 0.069, 0.07, 0.071).verdict()).isEqualTo(Verdict.BROKEN);
  }

  @Test
  void oneBlockProvesNothing() {
    assertThat(Promise.of(0.05, 0).verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(Promise.of(0.05, 0.9, Double.NaN).verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(Promise.of(0.05, 0, 0).verdict()).isEqualTo(Verdict.KEPT);
  }

  @Test
  void blocksThatDisagreeAreUndecided() {
    assertThat(Promise.of(0.05, 0.01, 0.12, 0.02).verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void withoutAPromiseOrACheckedReadThereIsNoVerdict() {
    assertThat(Promise.of(Double.NaN, 0.01, 0.01).verdict()).isEqualTo(Verdict.NONE);
    assertThat(Promise.of(0.05).verdict()).isEqualTo(Verdict.NONE);
    assertThat(Promise.of(0.05, Double.NaN).verdict().word()).isEmpty();
  }
}
