package org.calando.knob.level;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * How far a model's stale rates were from those measured. Shares, 0 to 1. Immutable.
 *
 * @param settings settings that have both figures
 * @param withoutStale settings among them in which no read was stale
 * @param meanAbsolute mean of the errors' sizes, NaN without settings
 * @param bias mean of predicted less measured
 * @param largest the error of the largest size, with its sign
 * @param rank Spearman's rank correlation, NaN for fewer than three settings or where one side is
 *     always the same
 */
record EstimatorError(
    int settings, int withoutStale, double meanAbsolute, double bias, double largest, double rank) {
  private static final int LEAST_FOR_RANK = 3;

  /** The errors of the settings that have both figures; others are NaN in either. */
  static EstimatorError of(double[] predicted, double[] measured) {
    int[] known =
        IntStream.range(0, predicted.length)
            .filter(i -> Double.isFinite(predicted[i]) && Double.isFinite(measured[i]))
            .toArray();
    double[] p = Arrays.stream(known).mapToDouble(i -> predicted[i]).toArray();
    double[] m = Arrays.stream(known).mapToDouble(i -> measured[i]).toArray();
    double[] errors = IntStream.range(0, p.length).mapToDouble(i -> p[i] - m[i]).toArray();
    double largest = errors.length == 0 ? Double.NaN : 0;
    for (double error : errors) {
      largest = Math.abs(error) > Math.abs(largest) ? error : largest;
    }
    return new EstimatorError(
        errors.length,
        (int) Arrays.stream(m).filter(rate -> rate == 0).count(),
        Arrays.stream(errors).map(Math::abs).average().orElse(Double.NaN),
        Arrays.stream(errors).average().orElse(Double.NaN),
        largest,
        p.length < LEAST_FOR_RANK ? Double.NaN : new SpearmansCorrelation().correlation(p, m));
  }
}
