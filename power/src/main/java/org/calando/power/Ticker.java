package org.calando.power;

import java.util.concurrent.TimeUnit;

/** Monotonic time and waiting for it. Thread safe. */
public interface Ticker {
  /** Nanoseconds since an arbitrary but fixed origin. */
  long nanos();

  /** Returns at that time or soon after, at once if it has passed. */
  void awaitUntil(long atNanos) throws InterruptedException;

  /** The time of this machine. */
  static Ticker system() {
    return new Ticker() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public void awaitUntil(long atNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(atNanos - System.nanoTime());
      }
    };
  }
}
