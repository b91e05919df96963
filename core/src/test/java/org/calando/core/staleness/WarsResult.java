package org.calando.core.staleness;

import java.util.Arrays;

/**
 * What a run of {@link Wars} found, in the unit of time of its latencies. Immutable and thread
 * safe.
 */
public final class WarsResult {
  // By replicas read, each sorted.
  private final double[][] late;
  private final double[][] readLatency;
  private final double[] writeLatency;

  WarsResult(double[][] late, double[][] readLatency, double[] writeLatency) {
    this.late = late;
    this.readLatency = readLatency;
    this.writeLatency = writeLatency;
    for (double[] values : late) {
      Arrays.sort(values);
    }
    for (double[] values : readLatency) {
      Arrays.sort(values);
    }
    Arrays.sort(writeLatency);
  }

  /** Replicas, N. */
  public int replicas() {
    return late.length;
  }

  /** Trials made. */
  public int trials() {
    return writeLatency.length;
  }

  /**
   * The probability that a read misses a write that was acknowledged a time before it began.
   *
   * @param read replicas whose replies a read uses, X, 1 .. N
   * @param time from the acknowledgement to the begin of the read, 0 or more
   */
  public double missedAfter(int read, double time) {
    double[] values = late(read);
    return (values.length - notAbove(values, time)) / (double) values.length;
  }

  /** The standard error of {@link #missedAfter}; 0 where no trial or every trial missed. */
  public double standardError(int read, double time) {
    double missed = missedAfter(read, time);
    return StrictMath.sqrt(missed * (1 - missed) / trials());
  }

  /**
   * The shortest time after an acknowledgement from which on a read misses the write with no more
   * than a probability.
   *
   * @param share the probability, 0 .. 1
   * @return 0 or more, may be infinite
   */
  public double timeFor(int read, double share) {
    double[] values = late(read);
    int may = (int) StrictMath.floor(share * values.length + 1e-9);
    return may >= values.length ? 0 : Math.max(0, values[values.length - 1 - may]);
  }

  /**
   * The latency of reads within which a share of them ends.
   *
   * @param read X, 1 .. N
   * @param share as 0.999 for the 99.9th percentile, 0 .. 1
   */
  public double readLatency(int read, double share) {
    Overlap.require("a read of", read, late.length);
    return percentile(readLatency[read - 1], share);
  }

  /** The latency of writes within which a share of them is acknowledged. */
  public double writeLatency(double share) {
    return percentile(writeLatency, share);
  }

  /** The share of stale reads among those that begin a time after the last acknowledgement. */
  public StaleEstimate after(double time) {
    return new StaleEstimate() {
      @Override
      public int replicas() {
        return late.length;
      }

      @Override
      public double rate(int read) {
        return missedAfter(read, time);
      }
    };
  }

  /**
   * The share of stale reads among reads at any time, with Poisson writes. An upper bound of the
   * full process, in which a newer write that is under way makes a read fresh too; and for ages and
   * versions misses of several writes are taken as independent.
   *
   * @param writesPerTime writes of the table in a unit of time, 0 or more
   * @param popularity how requests spread over its keys
   */
  public StaleDepthEstimate underWrites(double writesPerTime, KeyPopularity popularity) {
    StaleWindow[] windows = Arrays.stream(late).map(WarsResult::window).toArray(StaleWindow[]::new);
    return new WindowStaleness(windows, popularity, writesPerTime);
  }

  private static StaleWindow window(double[] seconds) {
    double[] weights = new double[seconds.length];
    Arrays.fill(weights, 1.0 / seconds.length);
    return StaleWindow.of(seconds, weights);
  }

  private double[] late(int read) {
    Overlap.require("a read of", read, late.length);
    return late[read - 1];
  }

  private static double percentile(double[] sorted, double share) {
    int rank = (int) StrictMath.ceil(share * sorted.length - 1e-9);
    return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
  }

  /** How many of the values are at most so large. */
  private static int notAbove(double[] sorted, double value) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] > value) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
