package org.calando.predict;

import java.util.Arrays;

/** Times of a simulated run, in nanoseconds. Not thread safe. */
final class Times {
  private static final double MILLI = 1e6;
  private static final double P99 = 0.99;

  private long[] nanos = new long[1024];
  private int count;

  void add(long time) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = time;
  }

  void clear() {
    count = 0;
  }

  /** Their mean, in ms; NaN without any. */
  double mean() {
    return Arrays.stream(nanos, 0, count).average().orElse(Double.NaN) / MILLI;
  }

  /** Their 99th percentile, in ms; NaN without any. */
  double p99() {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(P99 * count) - 1] / MILLI;
  }
}
