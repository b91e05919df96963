package org.calando.core.staleness;

/**
 * Tells what share of the reads is stale, for each number of replicas that a read may ask.
 * Immutable and thread safe.
 */
public interface StaleEstimate {
  /** Replicas of each key, N, 1 or more. */
  int replicas();

  /**
   * The share of reads that return a version older than the newest acknowledged when they began.
   *
   * @param read replicas asked, X, 1 .. {@link #replicas}
   * @return 0 .. 1; does not grow with {@code read}
   */
  double rate(int read);

  /**
   * The fewest replicas to read so that no more than a share of the reads is stale.
   *
   * @param tolerated share of stale reads, 0 .. 1
   * @return 1 .. {@link #replicas}; all of them if no number keeps to the share
   */
  default int replicasFor(double tolerated) {
    for (int read = 1; read < replicas(); read++) {
      if (rate(read) <= tolerated) {
        return read;
      }
    }
    return replicas();
  }
}
