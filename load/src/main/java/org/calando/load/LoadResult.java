package org.calando.load;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.calando.core.store.Outcome;

/**
 * What a run did. Counts are of measured operations unless they say otherwise; latencies are
 * nanoseconds, of operations that succeeded, from the intended start in the open loop.
 *
 * @param reason why the run ended
 * @param message the reason in words, for the user
 * @param warmupOperations operations of the warm-up that ended
 * @param operations operations that ended or were given up, errors included
 * @param errors operations that ended in an error, those given up included
 * @param unanswered operations given up at the end of the drain, warm-up included
 * @param notFound reads that found no record; no errors
 * @param errorsByOutcome errors by outcome; those that did not occur are left out
 * @param measuredFromNanos begin of the measured window, on the run's clock
 * @param measuredToNanos its end: the end of the last operation if operations were limited, the
 *     given time otherwise, or the time at which the run was cut short
 * @param backlog how far an open loop fell behind
 * @param histograms latencies by measure; measures that did not occur are left out
 */
public record LoadResult(
    EndReason reason,
    String message,
    long warmupOperations,
    long operations,
    long errors,
    long unanswered,
    long notFound,
    Map<Outcome, Long> errorsByOutcome,
    long measuredFromNanos,
    long measuredToNanos,
    Backlog backlog,
    Map<Measure, Histogram> histograms) {
  /** Keeps copies of the maps, in the order of their keys: files are written from them. */
  public LoadResult {
    errorsByOutcome = ordered(Outcome.class, errorsByOutcome);
    histograms = ordered(Measure.class, histograms);
  }

  /** {@link Map#copyOf} has another order in every Java process. */
  private static <K extends Enum<K>, V> Map<K, V> ordered(Class<K> keys, Map<K, V> map) {
    Map<K, V> copy = new EnumMap<>(keys);
    copy.putAll(map);
    return Collections.unmodifiableMap(copy);
  }

  /** Length of the measured window in seconds, 0 if it never began. */
  public double measuredSeconds() {
    return (measuredToNanos - measuredFromNanos) / 1e9;
  }

  /** Operations that succeeded per second of the measured window; 0 for an empty window. */
  public double throughputPerSecond() {
    double seconds = measuredSeconds();
    return seconds > 0 ? (operations - errors) / seconds : 0;
  }

  /** Operations that succeeded, or requests of them, by measure. */
  public long count(Measure measure) {
    Histogram histogram = histograms.get(measure);
    return histogram == null ? 0 : histogram.getTotalCount();
  }

  /** Reads of one record that were answered, those of read-modify-writes included. */
  public Histogram reads() {
    return merged(true);
  }

  /** Writes that were acknowledged, those of read-modify-writes included. */
  public Histogram writes() {
    return merged(false);
  }

  /**
   * How long reads took at most, but for a share of them, from when they were intended.
   *
   * @param percentile 0 .. 100
   * @return nanoseconds; 0 without a read
   */
  public long readNanos(double percentile) {
    return reads().getValueAtPercentile(percentile);
  }

  private Histogram merged(boolean reads) {
    Histogram merged = new Histogram(Recorder.LOWEST_NANOS, Recorder.HIGHEST_NANOS, 3);
    histograms.forEach(
        (measure, histogram) -> {
          if (reads ? measure.isRead() : measure.isWrite()) {
            merged.add(histogram);
          }
        });
    return merged;
  }
}
