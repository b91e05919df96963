package org.calando.promise;

import java.util.concurrent.TimeUnit;

/** Seconds and the monotonic clock. */
final class Times {
  private Times() {}

  static long nanos(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  static double seconds(long nanos) {
    return nanos / 1e9;
  }

  /** Returns at once if the time is over. */
  static void sleepUntil(long time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time - System.nanoTime());
  }
}
