package org.calando.report;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/*
 * What the report says about repeats.
 *
 * A mean gets the 95 % Student interval mean +- t(0.975, n-1) * s / sqrt(n) over n repeats, and none when n < 2.
 *
 * Two configurations are compared block by block, a block being one repeat of the whole matrix: d_i = ln(a_i / b_i)
 * cancels what the block's runs share (temperature, page cache, neighbours). The ratio is exp(mean d), its interval the
 * exponential of the Student interval of d. The p-value is the two-sided one of the paired t test; Holm's step-down
 * method holds the chance of any false verdict in one table at 5 %. The smallest difference that could have been seen is
 * the ratio exp((t(0.975) + t(0.8)) * se) that such a test finds four times in five.
 *
 * Runs that share no block, because they are of different studies, are compared by Welch's test on the logarithms: the
 * error is sqrt(s_a^2 / n_a + s_b^2 / n_b), with Satterthwaite's degrees of freedom.
 */
/** Means, ratios and their intervals over repeats. */
public final class Statistics {
  /** Probability with which an interval is to hold the true value. */
  public static final double CONFIDENCE = 0.95;

  private static final double POWER = 0.8;

  private Statistics() {}

  /**
   * A mean over repeats.
   *
   * @param n repeats that have the figure
   * @param mean arithmetic mean, NaN if n is 0
   * @param halfWidth half the interval's width, NaN if n is below 2
   */
  public record Estimate(int n, double mean, double halfWidth, double min, double max) {
    public boolean present() {
      return n > 0;
    }

    public boolean hasInterval() {
      return n > 1;
    }

    public double low() {
      return mean - halfWidth;
    }

    public double high() {
      return mean + halfWidth;
    }
  }

  /**
   * A ratio over paired blocks.
   *
   * @param blocks repeats that have both figures
   * @param ratio geometric mean of the blocks' ratios, NaN if there is no block
   * @param low lower end of the interval, NaN if blocks is below 2
   * @param high upper end of the interval, NaN if blocks is below 2
   * @param p two-sided p-value for a true ratio of 1, NaN if blocks is below 2
   * @param detectable smallest ratio above 1 that would have been seen four times in five, NaN if
   *     blocks is below 2
   */
  public record Ratio(
      int blocks, double ratio, double low, double high, double p, double detectable) {
    public boolean present() {
      return blocks > 0;
    }

    public boolean hasInterval() {
      return blocks > 1;
    }
  }

  /**
   * A difference of means.
   *
   * @param n runs of the smaller side
   * @param detectable smallest difference that would have been seen four times in five, NaN if n is
   *     below 2
   */
  public record Shift(int n, double value, double low, double high, double p, double detectable) {}

  /**
   * The middle of percentiles that must not be averaged.
   *
   * @param median the middle run's value, the upper one of the two middle ones if n is even
   */
  public record Spread(int n, double median, double min, double max) {}

  /** The mean and interval of the values that are numbers. */
  public static Estimate estimate(double... values) {
    double[] present = present(values);
    int n = present.length;
    if (n == 0) {
      return new Estimate(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double mean = Arrays.stream(present).average().orElse(Double.NaN);
    double halfWidth =
        n < 2
            ? Double.NaN
            : student(n - 1).inverseCumulativeProbability(0.5 + CONFIDENCE / 2)
                * error(present, mean);
    return new Estimate(
        n, mean, halfWidth, Arrays.stream(present).min().orElse(mean), largest(present, mean));
  }

  /** The middle and range of the values that are numbers. */
  public static Spread spread(double... values) {
    double[] present = present(values);
    if (present.length == 0) {
      return new Spread(0, Double.NaN, Double.NaN, Double.NaN);
    }
    Arrays.sort(present);
    int last = present.length - 1;
    return new Spread(present.length, present[present.length / 2], present[0], present[last]);
  }

  /**
   * The ratio a / b over paired blocks; pairs that lack a figure, or have one that is not positive,
   * are left out.
   */
  public static Ratio ratio(double[] a, double[] b) {
    double[] logs = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      logs[i] = a[i] > 0 && b[i] > 0 ? Math.log(a[i] / b[i]) : Double.NaN;
    }
    return ratio(paired(logs));
  }

  /** The mean of paired differences; pairs that lack a figure are NaN and left out. */
  static Shift paired(double... differences) {
    double[] known = present(differences);
    double mean = Arrays.stream(known).average().orElse(Double.NaN);
    return shift(known.length, mean, error(known, mean), known.length - 1);
  }

  /**
   * The ratio a / b of runs that share no block, by Welch's test on logarithms; figures that are
   * missing or not positive are left out.
   */
  public static Ratio welchRatio(double[] a, double[] b) {
    return ratio(welch(logs(a), logs(b)));
  }

  /** The difference a - b of runs that share no block, by Welch's test. */
  public static Shift welch(double[] a, double[] b) {
    double[] first = present(a);
    double[] second = present(b);
    double meanA = Arrays.stream(first).average().orElse(Double.NaN);
    double meanB = Arrays.stream(second).average().orElse(Double.NaN);
    int n = Math.min(first.length, second.length);
    if (n < 2) {
      return shift(n, meanA - meanB, Double.NaN, Double.NaN);
    }
    double squareA = Math.pow(error(first, meanA), 2);
    double squareB = Math.pow(error(second, meanB), 2);
    double square = squareA + squareB;
    double freedom =
        square == 0
            ? first.length + second.length - 2
            : square
                * square
                / (squareA * squareA / (first.length - 1)
                    + squareB * squareB / (second.length - 1));
    return shift(n, meanA - meanB, Math.sqrt(square), freedom);
  }

  private static Shift shift(int n, double mean, double error, double freedom) {
    if (n < 2) {
      return new Shift(n, mean, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    TDistribution student = student(freedom);
    double reach = student.inverseCumulativeProbability(0.5 + CONFIDENCE / 2) * error;
    double power = student.inverseCumulativeProbability(POWER) * error;
    double p = pValue(student, mean, error);
    return new Shift(n, mean, mean - reach, mean + reach, p, reach + power);
  }

  private static Ratio ratio(Shift logs) {
    return new Ratio(
        logs.n(),
        Math.exp(logs.value()),
        Math.exp(logs.low()),
        Math.exp(logs.high()),
        logs.p(),
        Math.exp(logs.detectable()));
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).filter(v -> v > 0).map(Math::log).toArray();
  }

  /** Holm's adjusted p-values, in the order given; NaN stays NaN and is not counted. */
  public static double[] holm(double... p) {
    Integer[] order = new Integer[p.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (i, j) -> Double.compare(p[i], p[j]));
    int left = present(p).length;
    double[] adjusted = new double[p.length];
    Arrays.fill(adjusted, Double.NaN);
    double floor = 0;
    for (int i : order) {
      if (!Double.isNaN(p[i])) {
        floor = Math.max(floor, Math.min(1, p[i] * left--));
        adjusted[i] = floor;
      }
    }
    return adjusted;
  }

  private static double pValue(TDistribution student, double mean, double error) {
    if (error == 0) {
      return mean == 0 ? 1 : 0;
    }
    return 2 * student.cumulativeProbability(-Math.abs(mean / error));
  }

  private static TDistribution student(double freedom) {
    // The generator is for sampling only, which this class never does.
    return new TDistribution(null, freedom);
  }

  private static double error(double[] values, double mean) {
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - 1) / values.length);
  }

  private static double largest(double[] values, double otherwise) {
    return Arrays.stream(values).max().orElse(otherwise);
  }

  private static double[] present(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).toArray();
  }
}
