package org.calando.power.onoff;

import org.calando.power.Ticker;

/** Time that passes only when somebody waits for it, and then at once. */
final class StepTicker implements Ticker {
  private long nowNanos = 7_000_000_000L;

  @Override
  public synchronized long nanos() {
    return nowNanos;
  }

  @Override
  public synchronized void awaitUntil(long atNanos) {
    nowNanos = Math.max(nowNanos, atNanos);
  }

  /** Seconds since some time before. */
  synchronized double secondsSince(long beginNanos) {
    return (nowNanos - beginNanos) / 1e9;
  }

  synchronized void pass(double seconds) {
    nowNanos += Math.round(seconds * 1e9);
  }
}
