package org.calando.core.staleness;

/**
 * A popularity that was estimated from operations. Immutable and thread safe.
 *
 * @param popularity in at most {@value #BINS} bins
 * @param reads reads of the window, 1 or more
 * @param writes writes of the window, 0 or more
 * @param sampledShare share of the reads whose keys were not counted one by one but are stood for
 *     by a sample, 0 .. 1
 * @param sampledReads reads of that sample, 0 or more
 */
public record PopularityEstimate(
    KeyPopularity popularity, long reads, long writes, double sampledShare, int sampledReads) {
  /** Bins of an estimate, at most. */
  public static final int BINS = 96;

  /** Keys that have a bin each, those that are read most: at most so many. */
  static final int HOTTEST = 32;

  /**
   * A bound of the standard error that sampling gives a stale rate: sampledShare / (2 sqrt
   * (sampledReads)), reached only where half of the sampled reads are stale for certain and half
   * are not at all; mostly it is a small part of that.
   *
   * <p>Beside it counts of writes scatter, relative to a rate by about 1 / sqrt of the writes of
   * the keys that were counted, which matters where hardly a read is stale; and a rate is too low
   * by up to Tp / (2 T) of itself, T being the length of the window.
   *
   * @return 0 .. 0.5; 0.5 if nothing stands for the keys that were not counted
   */
  public double standardError() {
    return sampledShare == 0 ? 0 : 0.5 * sampledShare / StrictMath.sqrt(Math.max(1, sampledReads));
  }
}
