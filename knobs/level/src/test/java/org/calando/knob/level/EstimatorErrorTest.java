package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimatorErrorTest {
  @Test
  void errorsAreOfTheSettingsThatHaveBothFigures() {
    double[] predicted = {0.10, 0.02, 0.30, Double.NaN, 0.5};
    double[] measured = {0.08, 0.05, 0.20, 0.1, Double.NaN};
    EstimatorError error = EstimatorError.of(predicted, measured);
    // +2, -3 and +10 points.
    assertThat(error.settings()).isEqualTo(3);
    assertThat(error.meanAbsolute()).isCloseTo(0.05, within(1e-12));
    assertThat(error.bias()).isCloseTo(0.03, within(1e-12));
    assertThat(error.largest()).isCloseTo(0.10, within(1e-12));
    assertThat(error.rank()).isCloseTo(1, within(1e-12));
    assertThat(error.withoutStale()).isZero();
  }

  @Test
  void rankCorrelationHasNoRegardForSizes() {
    double[] predicted = {0.9, 0.91, 0.5, 0.1};
    double[] measured = {0.02, 0.01, 0.005, 0};
    EstimatorError error = EstimatorError.of(predicted, measured);
    // Ranks 3 4 2 1 and 4 3 2 1: 1 - 6 * 2 / (4 * 15).
    assertThat(error.rank()).isCloseTo(0.8, within(1e-12));
    assertThat(error.withoutStale()).isEqualTo(1);
    assertThat(error.largest()).isCloseTo(0.9, within(1e-12));
  }

  @Test
  void largestErrorKeepsItsSign() {
    EstimatorError error = EstimatorError.of(new double[] {0, 0.06}, new double[] {0.2, 0.05});
    assertThat(error.largest()).isCloseTo(-0.2, within(1e-12));
    assertThat(error.rank()).isNaN();
  }

  @Test
  void withoutSettingsThereIsNoError() {
    EstimatorError error = EstimatorError.of(new double[0], new double[0]);
    assertThat(error.settings()).isZero();
    assertThat(error.meanAbsolute()).isNaN();
    assertThat(error.largest()).isNaN();
  }
}
