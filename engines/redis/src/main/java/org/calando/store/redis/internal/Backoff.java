package org.calando.store.redis.internal;

/** When to connect again: after the first pause, then each time after twice as long, up to 1 s. */
final class Backoff {
  private static final long LONGEST_NANOS = 1_000_000_000L;

  private final long firstNanos;
  private long pauseNanos;
  private long untilNanos;
  private boolean waiting;

  Backoff(long firstNanos) {
    this.firstNanos = Math.min(firstNanos, LONGEST_NANOS);
    this.pauseNanos = this.firstNanos;
  }

  boolean isOver(long nowNanos) {
    return !waiting || nowNanos - untilNanos >= 0;
  }

  void failed(long nowNanos) {
    waiting = true;
    untilNanos = nowNanos + pauseNanos;
    pauseNanos = Math.min(LONGEST_NANOS, 2 * pauseNanos);
  }

  void reset() {
    waiting = false;
    pauseNanos = firstNanos;
  }
}
