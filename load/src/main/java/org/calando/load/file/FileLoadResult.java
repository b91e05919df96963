package org.calando.load.file;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.calando.load.Backlog;
import org.calando.load.EndReason;

/**
 * What a load on files did. Latencies are nanoseconds of measured operations that succeeded, from
 * the intended start where there is one.
 *
 * @param reason why it ended
 * @param message the reason in words
 * @param measuredFromNanos begin of the measured window, on the load's clock
 * @param measuredToNanos its end, or when the load was cut short; not before its begin
 * @param latencies by measure; measures that did not occur are left out
 * @param errors operations that failed, by measure, warm-up included
 * @param corrupt reads among them whose bytes were not those that were written
 * @param unanswered operations given up at the end of the drain
 * @param readBytes of reads that ended in the window
 * @param writtenBytes of writes that ended in the window
 * @param files that were completed, warm-up included
 * @param backlog how far reads of an open loop fell behind
 * @param firstError the first error in words; empty if there was none
 */
public record FileLoadResult(
    EndReason reason,
    String message,
    long measuredFromNanos,
    long measuredToNanos,
    Map<FileMeasure, Histogram> latencies,
    Map<FileMeasure, Long> errors,
    long corrupt,
    long unanswered,
    long readBytes,
    long writtenBytes,
    long files,
    Backlog backlog,
    String firstError) {
  /** Keeps copies. */
  public FileLoadResult {
    latencies = Map.copyOf(latencies);
    errors = Map.copyOf(errors);
  }

  /** Length of the measured window in seconds, 0 if it never began. */
  public double measuredSeconds() {
    return (measuredToNanos - measuredFromNanos) / 1e9;
  }

  /** Megabytes (10^6) read per second of the measured window; 0 for an empty one. */
  public double readMegabytesPerSecond() {
    return perSecond(readBytes);
  }

  /** Operations of a measure that succeeded. */
  public long count(FileMeasure measure) {
    Histogram histogram = latencies.get(measure);
    return histogram == null ? 0 : histogram.getTotalCount();
  }

  /** Operations of all kinds that failed. */
  public long allErrors() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  private double perSecond(long bytes) {
    double seconds = measuredSeconds();
    return seconds > 0 ? bytes / 1e6 / seconds : 0;
  }
}
