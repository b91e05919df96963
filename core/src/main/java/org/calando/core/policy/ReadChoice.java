package org.calando.core.policy;

/**
 * How many replicas reads ask: a number, and with mixed levels one more for a share of the reads.
 * Immutable and thread safe.
 *
 * @param replicas replicas asked, X, 1 or more
 * @param shareAbove share of the reads that ask one replica more, 0 or more and less than 1
 */
public record ReadChoice(int replicas, double shareAbove) {
  public ReadChoice {
    if (replicas < 1 || !(shareAbove >= 0 && shareAbove < 1)) {
      throw new IllegalArgumentException(replicas + " replicas, and one more for " + shareAbove);
    }
  }

  /** The same number for every read. */
  public static ReadChoice of(int replicas) {
    return new ReadChoice(replicas, 0);
  }

  /** Replicas asked by a read in the mean. */
  public double mean() {
    return replicas + shareAbove;
  }
}
