package org.calando.load.internal;

/**
 * Notices that for too long no operation has succeeded although some were under way or failed. Not
 * thread safe.
 */
final class Watchdog {
  private final long limitNanos;
  private long successes;
  private long errors;
  private long sinceNanos;

  Watchdog(long limitNanos) {
    this.limitNanos = limitNanos;
  }

  void begin(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** Looks at totals; true if it is time to give up. */
  boolean isTimeToGiveUp(long nowNanos, long successesSoFar, long errorsSoFar, boolean busy) {
    boolean idle = !busy && errorsSoFar == errors;
    if (successesSoFar > successes || idle) {
      sinceNanos = nowNanos;
    }
    successes = successesSoFar;
    errors = errorsSoFar;
    return nowNanos - sinceNanos >= limitNanos;
  }
}
