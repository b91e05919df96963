package org.calando.load.internal;

/**
 * How long a client waits after failures: not after the first two in a row, then 1 ms, doubling to
 * 100 ms. Not thread safe.
 */
final class BackOff {
  private static final int FREE_FAILURES = 2;
  private static final long FIRST_NANOS = 1_000_000;
  private static final long LONGEST_NANOS = 100_000_000;

  private int failures;
  private long nextNanos = FIRST_NANOS;

  /** The pause after an operation, 0 for none. */
  long after(boolean failed) {
    if (!failed) {
      failures = 0;
      nextNanos = FIRST_NANOS;
      return 0;
    }
    if (failures < FREE_FAILURES) {
      failures++;
      return 0;
    }
    long pause = nextNanos;
    nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
    return pause;
  }
}
