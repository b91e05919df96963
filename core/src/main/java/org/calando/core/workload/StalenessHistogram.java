package org.calando.core.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of values in log-linear buckets: values below 128 exactly, larger ones in 64 buckets a
 * power of two, so that a percentile is at most 1/128 (0.8 %) off. Mean and maximum are exact.
 *
 * <p>Thread safe; recording allocates nothing. 30 KB. The sum overflows beyond 2^63, which for
 * nanoseconds is 292 years of staleness in all.
 */
/*
 * Why not HdrHistogram, which the recorder of latencies uses: this package has no dependencies, and
 * a fixed array of counts is all that it needs of it.
 */
final class StalenessHistogram {
  private static final int EXACT_BITS = 7;
  private static final int EXACT = 1 << EXACT_BITS;
  private static final int BUCKETS_PER_POWER = EXACT / 2;
  private static final int BUCKETS = EXACT + (Long.SIZE - 1 - EXACT_BITS) * BUCKETS_PER_POWER;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final LongAdder sum = new LongAdder();
  private final AtomicLong max = new AtomicLong();

  /** Counts a value, 0 or more. */
  void record(long value) {
    counts.getAndIncrement(bucket(value));
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
        Math.min(highest, percentile(copy, total, 50)),
        Math.min(highest, percentile(copy, total, 99)),
        highest);
  }

  static long bytes() {
    return (long) BUCKETS * Long.BYTES;
  }

  /** The smallest bucket that has the given percentage of all values in it or below it. */
  private static long percentile(long[] counts, long total, int percent) {
    // total * percent could overflow; this cannot.
    long rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
    long below = 0;
    int bucket = -1;
    while (below < rank) {
      bucket++;
      below += counts[bucket];
    }
    return middle(bucket);
  }

  private static int bucket(long value) {
    if (value < EXACT) {
      return (int) value;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int within = (int) (value >>> (power - EXACT_BITS + 1)) - BUCKETS_PER_POWER;
    return EXACT + (power - EXACT_BITS) * BUCKETS_PER_POWER + within;
  }

  private static long middle(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    int power = EXACT_BITS + (bucket - EXACT) / BUCKETS_PER_POWER;
    int offset = bucket - EXACT;
    long within = BUCKETS_PER_POWER + (long) (offset % BUCKETS_PER_POWER);
    int shift = power - EXACT_BITS + 1;
    return (within << shift) + (1L << (shift - 1));
  }
}
