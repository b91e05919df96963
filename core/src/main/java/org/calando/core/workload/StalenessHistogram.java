package org.calando.core.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of values in {@link LogBuckets}. Mean and maximum are exact.
 *
 * <p>Thread safe; recording allocates nothing. The sum overflows beyond 2^63, which for nanoseconds
 * is 292 years of staleness in all.
 */
final class StalenessHistogram {
  private static final int BUCKETS = LogBuckets.COUNT;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final LongAdder sum = new LongAdder();
  private final AtomicLong max = new AtomicLong();

  /** Counts a value, 0 or more. */
  void record(long value) {
    counts.getAndIncrement(LogBuckets.of(value));
    sum.add(value);
    long seen = max.get();
    while (seen < value && !max.compareAndSet(seen, value)) {
      seen = max.get();
    }
  }

  /** The distribution of the values recorded so far. */
  Staleness.Distribution distribution() {
    long[] copy = new long[BUCKETS];
    long total = 0;
    for (int i = 0; i < BUCKETS; i++) {
      copy[i] = counts.get(i);
      total += copy[i];
    }
    if (total == 0) {
      return Staleness.Distribution.EMPTY;
    }
    long highest = max.get();
    return new Staleness.Distribution(
        total,
        (double) sum.sum() / total,
        Math.min(highest, LogBuckets.percentile(copy, total, 50)),
        Math.min(highest, LogBuckets.percentile(copy, total, 99)),
        highest);
  }

  static long bytes() {
    return (long) BUCKETS * Long.BYTES;
  }
}
