package org.calando.predict;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How far predictions were from runs that the calibration did not see. Immutable.
 *
 * @param how what was held out
 * @param configurations how many
 * @param errors by quantity
 * @param rows what was measured and predicted, one by one; empty if it was read from a file
 */
public record HeldOut(
    String how, int configurations, Map<Quantity, Spread> errors, List<Row> rows) {
  /** Copies. */
  public HeldOut {
    errors = Map.copyOf(errors);
    rows = List.copyOf(rows);
  }

  /**
   * Relative errors of a quantity, as shares.
   *
   * @param mean of the absolute errors
   * @param worst of them
   */
  public record Spread(double mean, double worst) {}

  /**
   * One figure.
   *
   * @param configuration in words
   * @param quantity what it is
   * @param measured mean over runs
   * @param halfWidth half of its 95 % Student interval over runs; NaN for one run
   * @param predicted from the others
   */
  public record Row(
      String configuration,
      Quantity quantity,
      double measured,
      double halfWidth,
      Interval predicted) {
    /** The prediction over the measured value, less 1. */
    public double error() {
      return predicted.value() / measured - 1;
    }
  }

  /** Sums up rows. */
  static HeldOut of(String how, int configurations, List<Row> rows) {
    Map<Quantity, Spread> errors = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.judged()) {
      List<Double> sizes = new ArrayList<>();
      for (Row row : rows) {
        if (row.quantity() == quantity && row.measured() > 0) {
          sizes.add(Math.abs(row.error()));
        }
      }
      if (!sizes.isEmpty()) {
        errors.put(
            quantity,
            new Spread(
                sizes.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN),
                sizes.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN)));
      }
    }
    return new HeldOut(how, configurations, errors, rows);
  }
}
