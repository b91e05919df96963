package org.calando.studyfile.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeldOutTest {
  @Test
  void staleReadsThatWerePredictedAndNotSeenCount() {
    HeldOut heldOut =
        HeldOut.of(
            "each",
            2,
            false,
            List.of(row(Quantity.STALE, 0, 0.05), row(Quantity.STALE, 0.02, 0.01)));
    HeldOut.Spread spread = heldOut.errors().get(Quantity.STALE);
    assertThat(spread).isNotNull();
    assertThat(spread.mean()).isCloseTo(0.03, within(1e-12));
    assertThat(spread.worst()).isCloseTo(0.05, within(1e-12));
  }

  @Test
  void otherErrorsAreRelativeAndWhatCouldNotBePredictedIsNoError() {
    HeldOut heldOut =
        HeldOut.of(
            "each", 2, false, List.of(row(Quantity.CPU, 2, 3), row(Quantity.CPU, 2, Double.NaN)));
    assertThat(heldOut.errors()).containsOnlyKeys(Quantity.CPU);
    assertThat(heldOut.errors().values()).containsExactly(new HeldOut.Spread(0.5, 0.5));
  }

  private static HeldOut.Row row(Quantity quantity, double measured, double predicted) {
    return new HeldOut.Row(
        "a configuration", quantity, measured, 0, new Interval(predicted, predicted, predicted));
  }
}
