package org.calando.load.internal;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The latencies of one measure in one phase: those of the interval under way, the last interval's,
 * and all of ended intervals. Recording is thread safe; the rest is for one thread at a time.
 */
final class Latencies {
  private static final long LOWEST_NANOS = org.calando.load.Recorder.LOWEST_NANOS;
  private static final long HIGHEST_NANOS = org.calando.load.Recorder.HIGHEST_NANOS;
  private static final int DIGITS = 3;

  private final Recorder active = new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  private final Histogram total = empty();
  private Histogram interval = active.getIntervalHistogram();

  /** A histogram of the recorder's range and precision. */
  static Histogram empty() {
    return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  }

  /** Records a latency; one beyond the range counts as the range's end. */
  void record(long nanos) {
    active.recordValue(Math.max(0, Math.min(nanos, HIGHEST_NANOS)));
  }

  /** Ends the interval and returns how many it holds. */
  long endInterval() {
    interval = active.getIntervalHistogram(interval);
    if (interval.getTotalCount() > 0) {
      total.add(interval);
    }
    return interval.getTotalCount();
  }

  /** The interval that ended last. */
  Histogram interval() {
    return interval;
  }

  /** All ended intervals. */
  Histogram total() {
    return total;
  }
}
