package org.calando.studyfile.profile;

import java.util.Arrays;

/**
 * A figure with the range that nine of ten draws are in. Immutable.
 *
 * @param value the middle draw
 * @param low a twentieth of the draws is below
 * @param high a twentieth of the draws is above
 */
public record Interval(double value, double low, double high) {
  private static final double TAIL = 0.05;

  /** That of some draws; NaN without any that is a number. */
  public static Interval of(double... draws) {
    double[] sorted = Arrays.stream(draws).filter(Double::isFinite).sorted().toArray();
    return new Interval(at(sorted, 0.5), at(sorted, TAIL), at(sorted, 1 - TAIL));
  }

  private static double at(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
