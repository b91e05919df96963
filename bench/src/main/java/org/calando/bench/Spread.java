package org.calando.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * Median of a sample with an interval that holds the true median with at least 95 % confidence,
 * whatever the distribution: the two order statistics that the sign test does not reject.
 *
 * @param median of the sample
 * @param low lower end; NaN for fewer than 6 values, which are too few for 95 %
 * @param high upper end, likewise
 */
record Spread(double median, double low, double high) {
  private static final double TAIL = 0.025;

  static Spread of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    int cut = -1;
    double term = Math.pow(0.5, n);
    double below = term;
    while (below <= TAIL) {
      cut++;
      term *= (double) (n - cut) / (cut + 1);
      below += term;
    }
    return cut < 0
        ? new Spread(median, Double.NaN, Double.NaN)
        : new Spread(median, sorted[cut], sorted[n - 1 - cut]);
  }

  String text(String format) {
    return String.format(
        Locale.ROOT, format + " [" + format + ", " + format + "]", median, low, high);
  }
}
