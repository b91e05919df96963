package org.calando.concerto;

import org.HdrHistogram.Histogram;

/** How long raises took, from the change seen to the clock set. Thread safe. */
final class RaiseTimes {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  private final Histogram nanos = new Histogram(LONGEST_NANOS, 3);

  synchronized void add(long tookNanos) {
    nanos.recordValue(Math.max(0, Math.min(tookNanos, LONGEST_NANOS)));
  }

  synchronized long count() {
    return nanos.getTotalCount();
  }

  /** A percentile in nanoseconds; 0 without any. */
  synchronized long percentile(double percent) {
    return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percent);
  }
}
