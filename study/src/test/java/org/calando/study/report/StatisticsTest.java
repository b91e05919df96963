package org.calando.study.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.study.report.Statistics.Estimate;
import org.calando.study.report.Statistics.Ratio;
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
    assertThat(Statistics.spread(4, 1, 3, 2)).isEqualTo(new Statistics.Spread(4, 2, 1, 4));
  }
}
