package org.calando.core.staleness;

import java.util.Arrays;

/**
 * How long after their acknowledgement writes reached each replica, as measured. Immutable and
 * thread safe.
 */
public final class PropagationLags {
  private final int replicas;
  private final double[][] lagSeconds;

  private PropagationLags(int replicas, double[][] lagSeconds) {
    this.replicas = replicas;
    this.lagSeconds = lagSeconds;
  }

  /**
   * Takes samples.
   *
   * @param replicas replicas of a key, N, 1 or more
   * @param lagSeconds for each sampled write the seconds from its acknowledgement until each of the
   *     N replicas had it: 0 for one that had it by then, {@link Double#POSITIVE_INFINITY} for one
   *     that was not seen to get it; at least one write
   * @throws IllegalArgumentException if a lag is negative or not a number, or a write has not N
   */
  public static PropagationLags of(int replicas, double[][] lagSeconds) {
    if (lagSeconds.length == 0) {
      throw new IllegalArgumentException("no sampled write");
    }
    double[][] sorted = new double[lagSeconds.length][];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = lagSeconds[i].clone();
      Arrays.sort(sorted[i]);
      if (sorted[i].length != replicas || !(sorted[i][0] >= 0) || Double.isNaN(last(sorted[i]))) {
        throw new IllegalArgumentException(
            replicas + " replicas, lags of " + Arrays.toString(lagSeconds[i]));
      }
    }
    return new PropagationLags(replicas, sorted);
  }

  /** Replicas of a key, N. */
  public int replicas() {
    return replicas;
  }

  /** Number of sampled writes. */
  public int samples() {
    return lagSeconds.length;
  }

  /**
   * When a number of replicas had a write.
   *
   * @param sample which write
   * @param rank 1 for the first replica to have it .. N for the last
   * @return seconds after its acknowledgement, 0 or more
   */
  public double lagSeconds(int sample, int rank) {
    return lagSeconds[sample][rank - 1];
  }

  /**
   * The mean time until all replicas had a write: Harmony's Tp, measured with the queueing in it.
   *
   * @return seconds, infinite if a write was not seen to get everywhere
   */
  public double meanSeconds() {
    return Arrays.stream(lagSeconds).mapToDouble(PropagationLags::last).average().orElseThrow();
  }

  /**
   * What the lags would be if more replicas had to acknowledge a write: the time from when the W-th
   * of them had it. An upper bound, since the acknowledgement has its own way back, during which
   * others get the write.
   *
   * @param write W, 1 .. N, no less than when the lags were measured
   * @throws IllegalArgumentException if no sampled write reached so many replicas
   */
  public PropagationLags forWrites(int write) {
    Overlap.require("a write of", write, replicas);
    double[][] later =
        Arrays.stream(lagSeconds)
            .filter(lags -> lags[write - 1] < Double.POSITIVE_INFINITY)
            .map(lags -> Arrays.stream(lags).map(lag -> Math.max(0, lag - lags[write - 1])))
            .map(java.util.stream.DoubleStream::toArray)
            .toArray(double[][]::new);
    return of(replicas, later);
  }

  private static double last(double[] lags) {
    return lags[lags.length - 1];
  }
}
