package org.calando.load.internal;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of one measure in one phase: those of the interval under way, the last interval's,
 * and all of ended intervals. Recording is thread safe; the rest is for one thread at a time.
 *
 * <p>Most measures never occur in a run: those take one histogram in place of four, and nothing at
 * the end of an interval.
 */
final class Latencies {
  private static final long LOWEST_NANOS = org.calando.load.Recorder.LOWEST_NANOS;
  private static final long HIGHEST_NANOS = org.calando.load.Recorder.HIGHEST_NANOS;
  private static final int DIGITS = 3;

  /** What an unused measure shows; never written. */
  private static final Histogram NOTHING = empty();

  private final Recorder active = new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  private volatile boolean used;
  private @Nullable Histogram total;
  private @Nullable Histogram interval;

  /** A histogram of the recorder's range and precision. */
  static Histogram empty() {
    return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  }

  /** Records a latency; one beyond the range counts as the range's end. */
  void record(long nanos) {
    if (!used) {
      used = true;
    }
    active.recordValue(Math.max(0, Math.min(nanos, HIGHEST_NANOS)));
  }

  /** Ends the interval and returns how many it holds. */
  long endInterval() {
    if (!used) {
      return 0;
    }
    Histogram ended = active.getIntervalHistogram(interval);
    interval = ended;
    if (ended.getTotalCount() > 0) {
      if (total == null) {
        total = empty();
      }
      total.add(ended);
    }
    return ended.getTotalCount();
  }

  /** The interval that ended last. */
  Histogram interval() {
    return interval == null ? NOTHING : interval;
  }

  /** All ended intervals. */
  Histogram total() {
    return total == null ? NOTHING : total;
  }
}
