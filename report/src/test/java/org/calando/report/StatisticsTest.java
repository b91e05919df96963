package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.math3.distribution.TDistribution;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.Statistics.Shift;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void intervalIsStudentsForTheNumberOfRepeats() {
    Estimate estimate = Statistics.estimate(10, 12, 14);
    assertThat(estimate.mean()).isEqualTo(12);
    // t(0.975, 2) = 4.302653 of printed tables; s = 2.
    assertThat(estimate.halfWidth()).isCloseTo(4.302653 * 2 / Math.sqrt(3), within(1e-5));
  }

  @Test
  void oneRepeatHasNoInterval() {
    Estimate estimate = Statistics.estimate(7);
    assertThat(estimate.hasInterval()).isFalse();
    assertThat(estimate.halfWidth()).isNaN();
    assertThat(Figures.interval(estimate)).isEqualTo("7.00");
  }

  @Test
  void missingFiguresAreNotCounted() {
    assertThat(Statistics.estimate(1, Double.NaN, 3).n()).isEqualTo(2);
    assertThat(Statistics.estimate().present()).isFalse();
    assertThat(Figures.interval(Statistics.estimate())).isEqualTo(Figures.NONE);
  }

  @Test
  void ratioCancelsWhatABlockShares() {
    double[] reference = {100, 200, 400};
    double[] other = {150, 300, 600};
    Ratio ratio = Statistics.ratio(other, reference);
    assertThat(ratio.ratio()).isCloseTo(1.5, within(1e-12));
    assertThat(ratio.low()).isCloseTo(1.5, within(1e-9));
    assertThat(ratio.high()).isCloseTo(1.5, within(1e-9));
    assertThat(ratio.p()).isLessThan(1e-9);
  }

  @Test
  void ratioHasThePValueOfThePairedTest() {
    // ln ratios 0.1, 0.2, 0.3: mean 0.2, se 0.0577350, t = 3.4641 on 2 degrees: p = 0.0742.
    double[] other = {Math.exp(0.1), Math.exp(0.2), Math.exp(0.3)};
    Ratio ratio = Statistics.ratio(other, new double[] {1, 1, 1});
    assertThat(ratio.p()).isCloseTo(0.0742, within(1e-4));
    assertThat(Math.log(ratio.high())).isCloseTo(0.2 + 4.302653 * 0.0577350, within(1e-5));
    // t(0.8, 2) = 1.06066
    assertThat(Math.log(ratio.detectable()))
        .isCloseTo((4.302653 + 1.06066) * 0.057735, within(1e-5));
  }

  @Test
  void equalFiguresAreNotDifferent() {
    Ratio ratio = Statistics.ratio(new double[] {2, 3}, new double[] {2, 3});
    assertThat(ratio.p()).isEqualTo(1);
  }

  @Test
  void onePairGivesARatioWithoutInterval() {
    Ratio ratio = Statistics.ratio(new double[] {3}, new double[] {2});
    assertThat(ratio.ratio()).isCloseTo(1.5, within(1e-12));
    assertThat(ratio.hasInterval()).isFalse();
    assertThat(Statistics.ratio(new double[] {0}, new double[] {2}).present()).isFalse();
  }

  @Test
  void holmStepsDownAndNeverDecreases() {
    double[] adjusted = Statistics.holm(0.04, 0.01, 0.03, Double.NaN);
    assertThat(adjusted[1]).isCloseTo(0.03, within(1e-12));
    assertThat(adjusted[2]).isCloseTo(0.06, within(1e-12));
    assertThat(adjusted[0]).isCloseTo(0.06, within(1e-12));
    assertThat(adjusted[3]).isNaN();
  }

  @Test
  void spreadGivesARealRunAndNoAverage() {
    assertThat(Statistics.spread(4, 1, 3, 2)).isEqualTo(new Statistics.Spread(4, 3, 1, 4));
  }

  @Test
  void welchsTestHasSatterthwaitesDegreesOfFreedom() {
    // a: mean 2, s^2 1, n 3; b: mean 6, s^2 8, n 2. se^2 = 1/3 + 4; its square over
    // (1/3)^2 / 2 + 4^2 / 1 is 1.16955 degrees of freedom; t = -4 / 2.081666.
    Shift shift = Statistics.welch(new double[] {1, 2, 3}, new double[] {4, 8});
    assertThat(shift.value()).isEqualTo(-4);
    double freedom = Math.pow(13.0 / 3, 2) / (1.0 / 18 + 16);
    assertThat(freedom).isCloseTo(1.16955, within(1e-5));
    double p = 2 * new TDistribution(null, freedom).cumulativeProbability(-4 / 2.081666);
    assertThat(shift.p()).isCloseTo(p, within(1e-6));
    assertThat(shift.high() - shift.low()).isGreaterThan(2 * 4.302653 * 2.081666);
  }

  @Test
  void welchsRatioIsOnLogarithms() {
    Ratio ratio = Statistics.welchRatio(new double[] {2, 8}, new double[] {1, 4, 0});
    // Geometric means 4 and 2; both sides have the variance of ln 1, ln 4 on 1 degree each.
    assertThat(ratio.ratio()).isCloseTo(2, within(1e-12));
    double error = Math.log(4) / 2 * Math.sqrt(2);
    assertThat(Math.log(ratio.high() / ratio.ratio())).isCloseTo(4.302653 * error, within(1e-4));
  }

  @Test
  void oneRunOfASideGivesNoWelchInterval() {
    Ratio ratio = Statistics.welchRatio(new double[] {2}, new double[] {1, 1, 1});
    assertThat(ratio.ratio()).isCloseTo(2, within(1e-12));
    assertThat(ratio.hasInterval()).isFalse();
    assertThat(Statistics.welch(new double[0], new double[] {1}).value()).isNaN();
  }

  @Test
  void equalRunsOfTwoStudiesAreDecidedOnlyByTheirMeans() {
    double[] same = {3, 3};
    assertThat(Statistics.welch(same, same).p()).isEqualTo(1);
    assertThat(Statistics.welch(same, new double[] {4, 4}).p()).isZero();
  }
}
