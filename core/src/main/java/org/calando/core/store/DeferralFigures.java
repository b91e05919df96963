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
    long atRisk) {}
