package org.calando.core.workload;

/**
 * What a {@link StalenessOracle} has found so far. Immutable.
 *
 * <p>Counts of reads are of measured reads only. Violations are certain; where a coverage is below
 * 1 the true number lies between the count and the count plus the uncovered reads.
 *
 * @param reads reads checked: answered, of a tracked key, and with a version that was issued
 * @param staleReads of these, reads that returned a version lower than the newest acknowledged when
 *     they began
 * @param versionsBehind k-staleness of the stale reads for which it is known
 * @param ageNanos t-staleness of the same reads, in nanoseconds; percentiles within 0.8 %
 * @param readYourWritesViolations reads that returned a version lower than the newest that the same
 *     client had written and had acknowledged before
 * @param monotonicReadViolations reads that returned a version lower than the highest that the same
 *     client had read before
 * @param unknownReadYourWrites reads for which a read-your-writes violation cannot be ruled out
 * @param unknownMonotonicReads reads for which a monotonic-read violation cannot be ruled out
 * @param untrackedReads answered reads of keys beyond the oracle's bound, not checked
 * @param untrackedWrites writes to keys beyond the oracle's bound, of warm-up too
 * @param indeterminateWrites writes that may or may not have taken effect, of warm-up too
 * @param foreignReads reads that returned a version that was never issued, not checked: anything
 *     but 0 means that somebody else writes to the table
 */
public record Staleness(
    long reads,
    long staleReads,
    Distribution versionsBehind,
    Distribution ageNanos,
    long readYourWritesViolations,
    long monotonicReadViolations,
    long unknownReadYourWrites,
    long unknownMonotonicReads,
    long untrackedReads,
    long untrackedWrites,
    long indeterminateWrites,
    long foreignReads) {

  /** Stale reads over reads checked; 0 if there are none. */
  public double staleRate() {
    return reads == 0 ? 0 : (double) staleReads / reads;
  }

  /** Share of the stale reads whose k- and t-staleness are known; 1 if there are none. */
  public double staleCoverage() {
    return share(versionsBehind.count(), staleReads);
  }

  /** Share of the reads checked for which a read-your-writes violation is known or ruled out. */
  public double readYourWritesCoverage() {
    return share(reads - unknownReadYourWrites, reads);
  }

  /** Share of the reads checked for which a monotonic-read violation is known or ruled out. */
  public double monotonicReadCoverage() {
    return share(reads - unknownMonotonicReads, reads);
  }

  /** Share of the answered reads that were of tracked keys. */
  public double trackedCoverage() {
    return share(reads, reads + untrackedReads);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 1 : (double) part / whole;
  }

  /**
   * Summary of a distribution; all 0 if it is empty.
   *
   * @param count number of values
   * @param mean exact mean
   * @param p50 median
   * @param p99 99th percentile
   * @param max exact maximum
   */
  public record Distribution(long count, double mean, long p50, long p99, long max) {
    static final Distribution EMPTY = new Distribution(0, 0, 0, 0, 0);
  }
}
