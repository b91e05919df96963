package org.calando.core.store;

/**
 * What a session's writes came to in a window of time. Immutable.
 *
 * @param visible writes that came to be on the server
 * @param freshness50Nanos median time from a write's call until it was on the server; 0 without
 *     writes
 * @param freshness99Nanos 99th percentile of it
 * @param freshnessMaxNanos the longest
 * @param flushes buffers that were sent
 * @param failed deferred writes that did not reach the server, though the caller was told that they
 *     are done
 * @param riskNanos time that deferred writes were at risk, summed up over them: divided by the
 *     window's length, their mean number
 * @param mostAtRisk most writes at risk at once
 * @param atRisk writes at risk at the end
 * @param freshShare share of the writes that were on the server within a promised time, 0 .. 1;
 *     those that failed, or were at risk at the end, were not; NaN where nothing was promised,
 *     nothing written, or it is not known
 */
public record DeferralFigures(
    long visible,
    long freshness50Nanos,
    long freshness99Nanos,
    long freshnessMaxNanos,
    long flushes,
    long failed,
    long riskNanos,
    long mostAtRisk,
    long atRisk,
    double freshShare) {
  /** Figures of writes of which nothing was promised. */
  public DeferralFigures(
      long visible,
      long freshness50Nanos,
      long freshness99Nanos,
      long freshnessMaxNanos,
      long flushes,
      long failed,
      long riskNanos,
      long mostAtRisk,
      long atRisk) {
    this(
        visible,
        freshness50Nanos,
        freshness99Nanos,
        freshnessMaxNanos,
        flushes,
        failed,
        riskNanos,
        mostAtRisk,
        atRisk,
        Double.NaN);
  }

  /**
   * The same where a time was promised.
   *
   * @param within writes that were on the server within it, 0 .. visible
   * @param missed writes that were not deferred and failed; they have not kept it either
   */
  public DeferralFigures kept(long within, long missed) {
    long writes = visible + failed + atRisk + missed;
    return new DeferralFigures(
        visible,
        freshness50Nanos,
        freshness99Nanos,
        freshnessMaxNanos,
        flushes,
        failed,
        riskNanos,
        mostAtRisk,
        atRisk,
        writes == 0 ? Double.NaN : (double) within / writes);
  }
}
