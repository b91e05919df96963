package org.calando.load;

/**
 * What ended within an interval of about a second, of the operations of one phase.
 *
 * <p>The intervals of a phase add up to its totals: an operation that began in the warm-up and
 * ended after it is in a warm-up interval with the times of the measured one beside it. Latencies
 * are those of operations that succeeded, in nanoseconds, {@link #NO_LATENCY} if there were none.
 *
 * @param phase phase of the operations
 * @param second whole seconds from the begin of the run (warm-up) or of the measured window to the
 *     interval's begin
 * @param startNanos begin, on the run's clock
 * @param endNanos end, on the run's clock
 * @param operations operations that ended, errors included
 * @param reads reads of one record that were answered, those of read-modify-writes included
 * @param writes writes that were acknowledged, those of read-modify-writes included
 * @param errors operations that ended in an error
 * @param staleReads reads that the oracle called stale
 * @param readP50Nanos median read latency
 * @param readP99Nanos 99th percentile of read latency
 * @param writeP50Nanos median write latency
 * @param writeP99Nanos 99th percentile of write latency
 */
public record Interval(
    Phase phase,
    long second,
    long startNanos,
    long endNanos,
    long operations,
    long reads,
    long writes,
    long errors,
    long staleReads,
    long readP50Nanos,
    long readP99Nanos,
    long writeP50Nanos,
    long writeP99Nanos) {
  /** Stands for a percentile of nothing. */
  public static final long NO_LATENCY = -1;
}
