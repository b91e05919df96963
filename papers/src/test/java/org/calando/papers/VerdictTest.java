package org.calando.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  @ParameterizedTest
  @CsvSource({
    // published, ours, low, high, adjusted p
    "1.29, 1.30, 1.20, 1.41, 0.001, reproduced", // contains it
    "1.29, 1.25, 1.24, 1.26, 0.001, reproduced", // does not, but is within a quarter of the effect
    "1.29, 1.60, 1.50, 1.71, 0.001, in part", // stronger
    "1.29, 1.12, 1.09, 1.15, 0.001, in part", // weaker
    "1.29, 0.80, 0.70, 0.91, 0.001, not reproduced", // the other way
    "1.29, 1.00, 0.95, 1.05, 0.9, not reproduced", // no effect that matters
    "1.29, 1.03, 1.02, 1.04, 0.001, not reproduced", // sure, and too small to matter
    "1.29, 1.10, 0.90, 1.34, 0.3, undecided",
    "1.29, 1.30, 1.01, 1.67, 0.09, undecided", // only before the correction
    "1.29, 0.90, 0.70, 1.16, 0.3, undecided",
    "1.74, 2.21, 1.45, 3.37, 0.001, undecided", // contains it, as any wide interval would
    "1.74, 1.74, 1.24, 2.44, 0.001, reproduced", // just narrow enough
    "0.50, 0.52, 0.45, 0.60, 0.001, reproduced",
    "0.50, 0.80, 0.75, 0.85, 0.001, in part",
    "0.50, 0.95, 0.90, 1.00, 0.06, not reproduced",
    "0.50, 1.50, 1.30, 1.73, 0.001, not reproduced",
    "0.50, 0.70, 0.40, 1.20, 0.2, undecided",
  })
  void effects(double published, double ours, double low, double high, double p, String verdict) {
    Ratio ratio = new Ratio(3, ours, low, high, p, Double.NaN);
    assertThat(Verdict.ofEffect(published, ratio, p).words()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "0.60, true, 0.65, 0.55, 0.75, reproduced",
    "0.60, true, 0.99, 0.98, 1.00, reproduced", // and more
    "0.60, true, 0.50, 0.49, 0.51, reproduced", // within a fifth
    "0.60, true, 0.30, 0.25, 0.35, in part",
    "0.60, true, 0.05, 0.04, 0.06, not reproduced",
    "0.60, true, 0.20, 0.10, 0.30, undecided",
    "0.036, false, 0.030, 0.020, 0.040, reproduced",
    "0.036, false, 0.040, 0.020, 0.060, undecided", // contains it, and is too wide
    "0.036, false, 0.070, 0.060, 0.080, in part",
    "0.036, false, 0.200, 0.180, 0.220, not reproduced",
    "0.036, false, 0.004, 0.003, 0.005, not reproduced",
    "0.036, false, 0.036, 0.001, 0.071, undecided", // says too little
    "0.05, true, 0.12, 0.06, 0.18, reproduced",
  })
  void levels(
      double published, boolean orMore, double ours, double low, double high, String verdict) {
    Estimate estimate = new Estimate(3, ours, (high - low) / 2, low, high);
    assertThat(estimate.low()).isCloseTo(low, org.assertj.core.api.Assertions.within(1e-9));
    assertThat(Verdict.ofLevel(published, orMore, estimate).words()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "1.02, 0.97, 1.07, reproduced",
    "1.35, 1.30, 1.40, not reproduced",
    "0.80, 0.75, 0.85, not reproduced",
    "1.08, 1.02, 1.14, undecided",
  })
  void flatness(double ours, double low, double high, String verdict) {
    Ratio ratio = new Ratio(3, ours, low, high, Double.NaN, Double.NaN);
    assertThat(Verdict.ofFlat(ratio).words()).isEqualTo(verdict);
  }

  @Test
  void nothingIsDecidedWithoutAnInterval() {
    Ratio one = Statistics.ratio(new double[] {2}, new double[] {1});
    assertThat(Verdict.ofEffect(2, one, one.p())).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.ofFlat(one)).isEqualTo(Verdict.UNDECIDED);
    Ratio none = Statistics.ratio(new double[0], new double[0]);
    assertThat(Verdict.ofEffect(2, none, none.p())).isEqualTo(Verdict.NOT_IN_STUDY);
    assertThat(Verdict.ofFlat(none)).isEqualTo(Verdict.NOT_IN_STUDY);
    assertThat(Verdict.ofLevel(0.6, true, Statistics.estimate())).isEqualTo(Verdict.NOT_IN_STUDY);
    assertThat(Verdict.ofFewer(0.6, Statistics.estimate())).isEqualTo(Verdict.NOT_IN_STUDY);
    assertThat(Verdict.ofLevel(0.6, true, Statistics.estimate(0.6))).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void oneStaleReadIsEnoughToRefuteNever() {
    assertThat(Verdict.ofNever(1e6, 0)).isEqualTo(Verdict.REPRODUCED);
    assertThat(Verdict.ofNever(1e6, 1)).isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(Verdict.ofNever(0, 0)).isEqualTo(Verdict.UNDECIDED);
  }

  @ParameterizedTest
  @CsvSource({
    // published, ours, low, high
    "0.8, 0.79, 0.70, 0.88, reproduced",
    "0.8, 0.95, 0.90, 1.00, reproduced", // within a quarter
    "0.8, 0.40, 0.30, 0.50, in part",
    "0.8, 0.80, 0.50, 1.10, undecided", // contains it, and is too wide
    "0.8, 0.10, 0.05, 0.15, not reproduced", // too few to matter
    "0.8, -0.5, -0.9, -0.1, not reproduced", // more instead of fewer
    "0.8, 0.40, -0.30, 1.10, undecided",
  })
  void fewer(double published, double ours, double low, double high, String verdict) {
    assertThat(Verdict.ofFewer(published, interval(ours, low, high)).words()).isEqualTo(verdict);
    Estimate single = Statistics.estimate(ours);
    assertThat(Verdict.ofFewer(published, single)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void ordersHoldIfNoNeighboursFallAndTheEndsRise() {
    Estimate rises = interval(0.3, 0.2, 0.4);
    Estimate level = interval(0.0, -0.02, 0.02);
    Estimate falls = interval(-0.2, -0.3, -0.1);
    Estimate open = interval(0.0, -0.5, 0.5);
    assertThat(Verdict.ofOrder(List.of(rises, level), List.of(rises)))
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(Verdict.ofOrder(List.of(level, level), List.of(level))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.ofOrder(List.of(rises, open), List.of(rises))).isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.ofOrder(List.of(rises, rises, falls), List.of(rises)))
        .isEqualTo(Verdict.IN_PART);
    assertThat(Verdict.ofOrder(List.of(rises, falls), List.of(rises)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(Verdict.ofOrder(List.of(level, level, level), List.of(falls)))
        .isEqualTo(Verdict.NOT_REPRODUCED);
    assertThat(Verdict.ofOrder(List.of(), List.of())).isEqualTo(Verdict.NOT_IN_STUDY);
    Estimate single = Statistics.estimate(0.3);
    assertThat(Verdict.ofOrder(List.of(rises, single), List.of(rises)))
        .isEqualTo(Verdict.UNDECIDED);
  }

  private static Estimate interval(double mean, double low, double high) {
    return new Estimate(3, mean, (high - low) / 2, low, high);
  }
}
