package org.calando.core.staleness;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long after their acknowledgement writes reached each replica, as measured. Immutable and
 * thread safe.
 */
public final class PropagationLags {
  /** So many writes must tell of reads of a number of replicas; fewer tell nothing. */
  static final int FEWEST_READS = 5;

  private final int replicas;
  private final double[][] lagSeconds;

  /** Of each write, for reads of 2 .. N replicas; not a number where not measured. */
  private final double[][] readLagSeconds;

  // Made when first asked for, perhaps by two threads at once: they make the same.
  private volatile @Nullable LagWindows windows;

  private PropagationLags(int replicas, double[][] lagSeconds, double[][] readLagSeconds) {
    this.replicas = replicas;
    this.lagSeconds = lagSeconds;
    this.readLagSeconds = readLagSeconds;
  }

  /**
   * Takes samples.
   *
   * @param replicas replicas of a key, N, 1 or more
   * @param rows for each sampled write the seconds from its acknowledgement until each of the N
   *     replicas had it: 0 for one that had it by then, {@link Double#POSITIVE_INFINITY} for one
   *     that was not seen to get it; at least one write. After these there may be N - 1 more: until
   *     reads of 2 .. N replicas found it, {@link Double#NaN} where that was not measured
   * @throws IllegalArgumentException if a lag is negative or not a number, or a write has not N
   */
  public static PropagationLags of(int replicas, double[][] rows) {
    if (rows.length == 0) {
      throw new IllegalArgumentException("no sampled write");
    }
    double[][] sorted = new double[rows.length][];
    double[][] reads = new double[rows.length][];
    for (int i = 0; i < sorted.length; i++) {
      double[] row = rows[i];
      if (row.length != replicas && row.length != 2 * replicas - 1) {
        throw wrong(replicas, row);
      }
      sorted[i] = Arrays.copyOf(row, replicas);
      Arrays.sort(sorted[i]);
      reads[i] = Arrays.copyOfRange(row, replicas, row.length);
      boolean negative = Arrays.stream(reads[i]).anyMatch(lag -> lag < 0);
      if (!(sorted[i][0] >= 0) || Double.isNaN(last(sorted[i])) || negative) {
        throw wrong(replicas, row);
      }
    }
    return new PropagationLags(replicas, sorted, reads);
  }

  private static IllegalArgumentException wrong(int replicas, double[] row) {
    return new IllegalArgumentException(replicas + " replicas, lags of " + Arrays.toString(row));
  }

  /** A sampled write as {@link #of} takes it: N lags in order, and those of reads if it has any. */
  public double[] row(int sample) {
    double[] reads = readLagSeconds[sample];
    double[] row = Arrays.copyOf(lagSeconds[sample], replicas + reads.length);
    System.arraycopy(reads, 0, row, replicas, reads.length);
    return row;
  }

  /**
   * How long after their acknowledgement writes were missed by reads of several replicas, which ask
   * the nodes that such reads ask, and whose way to them takes its time: so they miss less than
   * replicas asked at once would.
   *
   * @param read X, 2 .. N
   * @return seconds, one for each write of which it was measured; none if too few tell of it
   */
  public double[] ofReads(int read) {
    Overlap.require("a read of", read, replicas);
    double[] measured =
        Arrays.stream(readLagSeconds)
            .filter(reads -> read >= 2 && reads.length > 0)
            .mapToDouble(reads -> reads[read - 2])
            .filter(lag -> !Double.isNaN(lag))
            .toArray();
    return measured.length < FEWEST_READS ? new double[0] : measured;
  }

  /** What they say of the time for which writes are missed: {@link LagWindows#of}, made once. */
  public LagWindows windows() {
    LagWindows known = windows;
    if (known == null) {
      known = LagWindows.of(this);
      windows = known;
    }
    return known;
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
