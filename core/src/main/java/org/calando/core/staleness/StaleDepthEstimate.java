package org.calando.core.staleness;

/**
 * Tells also how stale the stale reads are, in versions and in time. Immutable and thread safe.
 *
 * <p>Bailis et al., "Probabilistically bounded staleness for practical partial quorums", VLDB 2012,
 * call the two k-staleness and t-visibility. Times are in seconds unless the implementation was
 * given its figures in another unit.
 */
public interface StaleDepthEstimate extends StaleEstimate {
  /**
   * The share of reads that return a version at least so many versions behind the newest
   * acknowledged when they began.
   *
   * @param read replicas asked, X, 1 .. {@link #replicas}
   * @param versions k, 1 or more; 1 is {@link #rate}
   * @return 0 .. 1; does not grow with either
   */
  double rateOfVersions(int read, int versions);

  /**
   * The share of reads whose t-staleness is more than a time: the oldest acknowledged version newer
   * than the one returned was acknowledged longer ago than that.
   *
   * @param read replicas asked, X, 1 .. {@link #replicas}
   * @param seconds t, 0 or more; 0 is {@link #rate}
   * @return 0 .. 1; does not grow with either
   */
  double rateOfAge(int read, double seconds);

  /**
   * The probability that a read misses a write that was acknowledged a time before it began, no
   * newer one having been made.
   *
   * @param read replicas asked, X, 1 .. {@link #replicas}
   * @param seconds from the acknowledgement to the begin of the read, 0 or more
   * @return 0 .. 1; does not grow with either
   */
  double missedAfter(int read, double seconds);
}
