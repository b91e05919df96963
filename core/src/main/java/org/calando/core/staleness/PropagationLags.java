package org.calando.core.staleness;

import java.util.Arrays;
import java.util.List;
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

  /** From the begin of each write to its acknowledgement; empty unless known of all. */
  private final double[] ackSeconds;

  // Made when first asked for, perhaps by two threads at once: they make the same.
  private volatile @Nullable LagWindows windows;

  private PropagationLags(
      int replicas, double[][] lagSeconds, double[][] readLagSeconds, double[] ackSeconds) {
    this.replicas = replicas;
    this.lagSeconds = lagSeconds;
    this.readLagSeconds = readLagSeconds;
    this.ackSeconds = ackSeconds;
  }

  /**
   * Takes samples.
   *
   * @param replicas replicas of a key, N, 1 or more
   * @param rows for each sampled write the seconds from its acknowledgement until each of the N
   *     replicas had it: 0 for one that had it by then, {@link Double#POSITIVE_INFINITY} for one
   *     that was not seen to get it; at least one write. After these there may be N - 1 more: until
   *     reads of 2 .. N replicas found it, {@link Double#NaN} where that was not measured. After
   *     these there may be one more: from the write's begin to its acknowledgement, finite. That
   *     counts only if all writes have it; else all are taken to be acknowledged in their order
   * @throws IllegalArgumentException if a time is negative, a lag not a number, or a write has
   *     another number of them
   */
  public static PropagationLags of(int replicas, double[][] rows) {
    if (rows.length == 0) {
      throw new IllegalArgumentException("no sampled write");
    }
    double[][] sorted = new double[rows.length][];
    double[][] reads = new double[rows.length][];
    double[] acks = new double[hasAcknowledgement(replicas, rows) ? rows.length : 0];
    for (int i = 0; i < sorted.length; i++) {
      double[] row = rows[i];
      if (row.length != replicas && row.length != 2 * replicas - 1 && row.length != 2 * replicas) {
        throw wrong(replicas, row);
      }
      sorted[i] = Arrays.copyOf(row, replicas);
      Arrays.sort(sorted[i]);
      reads[i] = Arrays.copyOfRange(row, replicas, Math.min(row.length, 2 * replicas - 1));
      boolean negative = Arrays.stream(reads[i]).anyMatch(lag -> lag < 0);
      if (!(sorted[i][0] >= 0) || Double.isNaN(last(sorted[i])) || negative) {
        throw wrong(replicas, row);
      }
      if (acks.length > 0) {
        acks[i] = last(row);
        if (!(acks[i] >= 0 && acks[i] < Double.POSITIVE_INFINITY)) {
          throw wrong(replicas, row);
        }
      }
    }
    return new PropagationLags(replicas, sorted, reads, acks);
  }

  /**
   * All samples of several, in their order, of the same number of replicas; shares what they hold.
   *
   * @param parts one or more
   * @throws IllegalArgumentException if there are none, or of different numbers of replicas
   */
  public static PropagationLags joined(List<PropagationLags> parts) {
    int samples = 0;
    int acknowledged = 0;
    for (PropagationLags part : parts) {
      if (part.replicas != parts.get(0).replicas) {
        throw new IllegalArgumentException(
            "lags of " + part.replicas + " and of " + parts.get(0).replicas + " replicas");
      }
      samples += part.samples();
      acknowledged += part.ackSeconds.length;
    }
    if (samples == 0) {
      throw new IllegalArgumentException("no sampled write");
    }
    double[][] lags = new double[samples][];
    double[][] reads = new double[samples][];
    double[] acks = new double[acknowledged == samples ? samples : 0];
    int at = 0;
    for (PropagationLags part : parts) {
      int count = part.samples();
      System.arraycopy(part.lagSeconds, 0, lags, at, count);
      System.arraycopy(part.readLagSeconds, 0, reads, at, count);
      if (acks.length > 0) {
        System.arraycopy(part.ackSeconds, 0, acks, at, count);
      }
      at += count;
    }
    return new PropagationLags(parts.get(0).replicas, lags, reads, acks);
  }

  private static boolean hasAcknowledgement(int replicas, double[][] rows) {
    return Arrays.stream(rows).allMatch(row -> row.length == 2 * replicas);
  }

  private static IllegalArgumentException wrong(int replicas, double[] row) {
    return new IllegalArgumentException(replicas + " replicas, lags of " + Arrays.toString(row));
  }

  /**
   * A sampled write as {@link #of} takes it: N lags in order, those of reads if it has any, and how
   * long its acknowledgement took if that is known of all.
   */
  public double[] row(int sample) {
    double[] reads = readLagSeconds[sample];
    int known = replicas + reads.length;
    double[] row = Arrays.copyOf(lagSeconds[sample], known + (knowsAcknowledgements() ? 1 : 0));
    System.arraycopy(reads, 0, row, replicas, reads.length);
    if (knowsAcknowledgements()) {
      row[known] = ackSeconds[sample];
    }
    return row;
  }

  /** Whether it is known of each sampled write how long its acknowledgement took. */
  public boolean knowsAcknowledgements() {
    return ackSeconds.length > 0;
  }

  /**
   * How long a write's acknowledgement took.
   *
   * @param sample which write
   * @return seconds from the write's begin, finite, 0 or more
   * @throws IllegalStateException unless {@link #knowsAcknowledgements}
   */
  public double ackSeconds(int sample) {
    if (!knowsAcknowledgements()) {
      throw new IllegalStateException("it is unknown how long acknowledgements took");
    }
    return ackSeconds[sample];
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
    int[] samples = samplesOfReads(read);
    double[] lags = new double[samples.length];
    for (int i = 0; i < lags.length; i++) {
      lags[i] = readLagSeconds[samples[i]][read - 2];
    }
    return lags;
  }

  /** The sampled writes that {@link #ofReads} is of. */
  int[] samplesOfReads(int read) {
    // No stream: it is asked for with each canary.
    int[] measured = new int[read < 2 ? 0 : readLagSeconds.length];
    int count = 0;
    for (int sample = 0; sample < measured.length; sample++) {
      double[] reads = readLagSeconds[sample];
      if (reads.length > 0 && !Double.isNaN(reads[read - 2])) {
        measured[count++] = sample;
      }
    }
    return count < FEWEST_READS ? new int[0] : Arrays.copyOf(measured, count);
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

  private static double last(double[] lags) {
    return lags[lags.length - 1];
  }

  /** The least time from a write's begin to its acknowledgement, in seconds; 0 if not known. */
  public double leastAckSeconds() {
    return Arrays.stream(ackSeconds).min().orElse(0);
  }
}
