package org.calando.report.column;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a load did in the measured window. Immutable, as long as nobody changes its histograms,
 * which are in nanoseconds and of operations that succeeded.
 *
 * @param operations that ended, errors included
 * @param errors operations that failed
 * @param seconds length of the window, 0 if it never began
 * @param throughput operations that succeeded a second; 0 for an empty window
 * @param reads latencies of reads of a record
 * @param writes latencies of writes
 * @param latencies the same by what was measured, in the order of summary.json
 */
public record LoadFigures(
    long operations,
    long errors,
    double seconds,
    double throughput,
    Histogram reads,
    Histogram writes,
    Map<String, Histogram> latencies) {
  /** Operations that succeeded. */
  public long succeeded() {
    return operations - errors;
  }
}
