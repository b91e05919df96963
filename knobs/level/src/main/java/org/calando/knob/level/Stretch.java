package org.calando.knob.level;

import java.util.Arrays;

/**
 * Seconds of a run in a row: what clients read, what of it was stale, and how many replicas reads
 * asked. Nobody changes its arrays.
 */
final class Stretch {
  private final double[] reads;
  private final double[] stale;
  private final double[] replicas;

  /**
   * Seconds in a row; the arrays are of one length, NaN where a figure is not known.
   *
   * @param reads reads that ended in each second
   * @param stale those of them that were stale
   * @param replicas replicas that a read asked
   */
  Stretch(double[] reads, double[] stale, double[] replicas) {
    this.reads = reads.clone();
    this.stale = stale.clone();
    this.replicas = replicas.clone();
  }

  int length() {
    return reads.length;
  }

  /** Reads from a second on, before another. */
  double reads(int from, int to) {
    return DecisionSeconds.sum(reads, from, to - 1);
  }

  /** Stale reads from a second on, before another. */
  double stale(int from, int to) {
    return DecisionSeconds.sum(stale, from, to - 1);
  }

  /** Replicas that a read asked in a second. */
  double replicas(int second) {
    return replicas[second];
  }

  /** Replicas that reads asked from a second on, in the mean; NaN if it is not known. */
  double meanReplicas(int from) {
    return Arrays.stream(replicas, from, replicas.length)
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /** The most that a read asked from a second on. */
  double mostReplicas(int from) {
    return Arrays.stream(replicas, from, replicas.length)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }
}
