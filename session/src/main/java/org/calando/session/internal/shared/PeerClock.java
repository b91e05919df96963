package org.calando.session.internal.shared;

/*
 * Of all that was received from another machine, what came soonest tells best by how much its clock
 * differs: by the difference less the time that it was under way, which is never below 0. The least is
 * let go slowly, as clocks drift.
 */
/** Tells how old another machine's news is, by its clock's pace alone. One thread at a time. */
final class PeerClock {
  /** Nothing is under way for longer; a greater difference is a clock that was set. */
  private static final long LONGEST_NANOS = 30_000_000_000L;

  private static final long DRIFT_ONE_IN = 5_000;

  private boolean known;
  private long leastNanos;
  private long receivedNanos;

  /**
   * How long ago something was sent, less what the soonest so far was under way.
   *
   * @param sent by the other's clock
   * @param received by the own
   * @return nanoseconds, 0 or more; below 0 if it cannot be told yet, as at first
   */
  long ageNanos(long sent, long received) {
    long difference = received - sent;
    long drifted = leastNanos + Math.max(0, received - receivedNanos) / DRIFT_ONE_IN;
    long late = difference - drifted;
    boolean begins = !known || late > LONGEST_NANOS;
    known = true;
    leastNanos = begins || late < 0 ? difference : drifted;
    receivedNanos = received;
    return begins ? -1 : Math.max(0, late);
  }
}
