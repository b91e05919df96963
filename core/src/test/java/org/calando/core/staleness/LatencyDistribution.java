package org.calando.core.staleness;

import java.util.Arrays;

/**
 * A distribution of latencies, in any unit of time, as a function that turns uniform random numbers
 * into latencies. The ones made here are immutable, thread safe, and the same on every machine.
 */
@FunctionalInterface
public interface LatencyDistribution {
  /**
   * A latency.
   *
   * @param uniform a random number, 0 (included) .. 1 (excluded)
   * @return 0 or more, may be infinite
   */
  double of(double uniform);

  /**
   * Exponential.
   *
   * @param rate inverse of the mean, more than 0
   */
  static LatencyDistribution exponential(double rate) {
    requirePositive("rate", rate);
    return uniform -> -StrictMath.log(1 - uniform) / rate;
  }

  /**
   * Pareto's: more than x with probability (least / x)^shape.
   *
   * @param least the smallest value, more than 0
   * @param shape alpha, more than 0
   */
  static LatencyDistribution pareto(double least, double shape) {
    requirePositive("least", least);
    requirePositive("shape", shape);
    return uniform -> least * StrictMath.exp(-StrictMath.log(1 - uniform) / shape);
  }

  /**
   * One of two.
   *
   * @param share probability of the first, 0 .. 1
   */
  static LatencyDistribution mixture(
      double share, LatencyDistribution first, LatencyDistribution second) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share " + share);
    }
    return uniform ->
        uniform < share
            ? first.of(uniform / share)
            : second.of(Math.min((uniform - share) / (1 - share), 1 - 0x1p-53));
  }

  /**
   * As measured: each of the values is as likely.
   *
   * @param values 0 or more, may be infinite; at least one
   */
  static LatencyDistribution empirical(double... values) {
    if (values.length == 0 || !Arrays.stream(values).allMatch(value -> value >= 0)) {
      throw new IllegalArgumentException("latencies " + Arrays.toString(values));
    }
    double[] kept = values.clone();
    return uniform -> kept[(int) (uniform * kept.length)];
  }

  private static void requirePositive(String what, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " " + value);
    }
  }
}
