package org.calando.core.staleness;

/**
 * Tells also how many versions stale reads are behind. Immutable and thread safe.
 *
 * <p>Bailis et al., "Probabilistically bounded staleness for practical partial quorums", VLDB 2012,
 * call it k-staleness.
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
}
