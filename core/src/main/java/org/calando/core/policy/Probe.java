package org.calando.core.policy;

/*
 * A strong level may be what overloads a store: reads of two replicas are nearly twice the work. Then the canary
 * has no answers, figures are missing, and the fallback keeps the overload up for ever. So while most
 * canaries stay without answers, reads ask one replica, until figures are known again:
 *
 *   on     for a minute at most: what waits must be worked off first, and that takes long near capacity; not beyond a time
 *          in which nobody looked
 *   rest   after it, the time before the next one; it doubles with each, to ten minutes, and shrinks again by
 *          as much as passes without one. Reads that ask one replica anyway need no rest.
 *
 * A probe costs stale reads only where a stronger level would be needed and the store cannot bear it.
 */
/**
 * Reads at the weakest level because the store is strained. Immutable and thread safe.
 *
 * @param leftNanos how long it goes on at most; 0 if there is none
 * @param restNanos how long until there may be one, 0 or more
 * @param nextRestNanos the rest after the next one, above 0
 */
record Probe(long leftNanos, long restNanos, long nextRestNanos) {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_NANOS = 60 * SECOND;
  private static final long FIRST_REST_NANOS = 30 * SECOND;
  private static final long LONGEST_REST_NANOS = 600 * SECOND;

  /** There was none. */
  static final Probe NONE = new Probe(0, 0, FIRST_REST_NANOS);

  Probe {
    if (leftNanos < 0 || restNanos < 0 || nextRestNanos <= 0) {
      throw new IllegalArgumentException(
          "a probe of %d, rest %d, then %d".formatted(leftNanos, restNanos, nextRestNanos));
    }
  }

  boolean isOn() {
    return leftNanos > 0;
  }

  /**
   * After a time in which nobody looked, as of a loop that was started again: that the store is
   * strained is not known any more, and another probe needs no rest if it is.
   */
  Probe unwatched() {
    return isOn() ? new Probe(0, restNanos, nextRestNanos) : this;
  }

  /** Some time later. */
  Probe after(long nanos) {
    if (isOn()) {
      return leftNanos > nanos ? new Probe(leftNanos - nanos, restNanos, nextRestNanos) : ended();
    }
    return restNanos > 0
        ? new Probe(0, Math.max(0, restNanos - nanos), nextRestNanos)
        : new Probe(0, 0, Math.max(FIRST_REST_NANOS, nextRestNanos - nanos));
  }

  /**
   * With what is observed.
   *
   * @param strained whether the store is
   * @param known whether figures are that a decision needs
   * @param weakest whether reads ask one replica because figures said so
   */
  Probe with(boolean strained, boolean known, boolean weakest) {
    if (isOn()) {
      return strained || !known ? this : ended();
    }
    return strained && (weakest || restNanos == 0)
        ? new Probe(LONGEST_NANOS, restNanos, nextRestNanos)
        : this;
  }

  private Probe ended() {
    return new Probe(0, nextRestNanos, Math.min(LONGEST_REST_NANOS, 2 * nextRestNanos));
  }
}
