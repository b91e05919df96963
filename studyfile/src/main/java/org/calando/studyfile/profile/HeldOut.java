package org.calando.studyfile.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far predictions were from runs that the calibration did not see. Immutable.
 *
 * @param how what was held out
 * @param configurations how many
 * @param errors by quantity
 * @param wattsMeasured whether a meter measured the watts; else those of what was held out follow
 *     from its CPU time by the same power profile as the predicted ones, and their errors tell
 *     nothing of it
 * @param rows what was measured and predicted, one by one; empty if it was read from a file
 */
public record HeldOut(
    String how,
    int configurations,
    Map<Quantity, Spread> errors,
    boolean wattsMeasured,
    List<Row> rows) {
  /** Copies; in the order of the enumeration, so that answers are the same every time. */
  public HeldOut {
    errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    rows = List.copyOf(rows);
  }

  /**
   * Errors of a quantity as shares, see {@link Quantity#error}.
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
    /** See {@link Quantity#error}. */
    public double error() {
      return quantity.error(measured, predicted.value());
    }
  }

  /** Sums up rows; one that nothing could be predicted of does not count. */
  public static HeldOut of(String how, int configurations, boolean wattsMeasured, List<Row> rows) {
    Map<Quantity, Spread> errors = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.judged(true)) {
      List<Double> sizes = new ArrayList<>();
      for (Row row : rows) {
        if (row.quantity() == quantity && Double.isFinite(row.error())) {
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
    return new HeldOut(how, configurations, errors, wattsMeasured, rows);
  }
}
