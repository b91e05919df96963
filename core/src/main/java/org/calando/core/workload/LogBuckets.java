package org.calando.core.workload;

/*
 * Why not HdrHistogram, which the recorder of latencies uses: core has no dependencies, and a fixed
 * array of counts is all that it needs of it.
 */
/**
 * Log-linear buckets for counts of values: values below 128 exactly, larger ones in 64 buckets a
 * power of two, so that a percentile is at most 1/128 (0.8 %) off. Stateless.
 */
public final class LogBuckets {
  private static final int EXACT_BITS = 7;
  private static final int EXACT = 1 << EXACT_BITS;
  private static final int BUCKETS_PER_POWER = EXACT / 2;

  /** How many there are: 30 KB of counts. */
  public static final int COUNT = EXACT + (Long.SIZE - 1 - EXACT_BITS) * BUCKETS_PER_POWER;

  private LogBuckets() {}

  /** The bucket of a value, 0 or more. */
  public static int of(long value) {
    if (value < EXACT) {
      return (int) value;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int within = (int) (value >>> (power - EXACT_BITS + 1)) - BUCKETS_PER_POWER;
    return EXACT + (power - EXACT_BITS) * BUCKETS_PER_POWER + within;
  }

  /**
   * The middle of the smallest bucket that has the given percentage of all values in it or below
   * it.
   *
   * @param counts of each bucket
   * @param total their sum, above 0
   * @param percent 1 .. 100
   */
  public static long percentile(long[] counts, long total, int percent) {
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

  /**
   * The middle of the largest bucket that has so many values in it or above it.
   *
   * @param counts of each bucket
   * @param many above 0, and at most their sum
   */
  public static long largest(long[] counts, double many) {
    int bucket = counts.length;
    long above = 0;
    while ((double) above < many && bucket > 0) {
      bucket--;
      above += counts[bucket];
    }
    return middle(bucket);
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
