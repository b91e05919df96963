package org.calando.load;

/**
 * How far an open loop fell behind its arrivals in the measured window; all 0 for a closed loop.
 *
 * @param intended operations that were to start in the window
 * @param late operations that started more than {@link #LATE_NANOS} after their intended time,
 *     because no slot was free or the generator was held up
 * @param maxLateNanos longest time by which an operation started late
 * @param neverStarted operations due in the window for which no slot was free until its end; they
 *     are in no other figure
 */
public record Backlog(long intended, long late, long maxLateNanos, long neverStarted) {
  /** Delay of a start that is put down to the timer's accuracy: 1 ms. */
  public static final long LATE_NANOS = 1_000_000;

  /** A closed loop's. */
  public static final Backlog NONE = new Backlog(0, 0, 0, 0);
}
