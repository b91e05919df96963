package org.calando.core.energy;

/**
 * How far the averages of a cluster's nodes lie apart: the bias measures of Li 2013, section 3.5.
 * Every figure is NaN where there is no node or a node's average is unknown (NaN).
 *
 * @param mean mean of the nodes' averages
 * @param cv coefficient of variation, the population standard deviation over the mean (equation 3);
 *     NaN if the mean is 0
 * @param maxMin largest minus smallest average, in their own unit (equation 4, whose division by
 *     100 is its unit)
 */
public record Spread(double mean, double cv, double maxMin) {
  /** The spread of the nodes' averages. */
  public static Spread of(double... averages) {
    if (averages.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN);
    }
    double sum = 0;
    double max = Double.NEGATIVE_INFINITY;
    double min = Double.POSITIVE_INFINITY;
    for (double average : averages) {
      sum += average;
      max = Math.max(max, average);
      min = Math.min(min, average);
    }
    double mean = sum / averages.length;
    double squares = 0;
    for (double average : averages) {
      squares += (average - mean) * (average - mean);
    }
    double deviation = Math.sqrt(squares / averages.length);
    return new Spread(mean, mean == 0 ? Double.NaN : deviation / mean, max - min);
  }
}
