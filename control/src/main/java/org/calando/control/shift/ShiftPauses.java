package org.calando.control.shift;

import java.util.Optional;
import java.util.function.LongSupplier;

/*
 *   refused   nothing was begun         10 s, twice as long each time, up to 30 s (up) or 5 min (down); of that gear only
 *   failed    a plan is open             1 min, twice as long each time, up to 1 h; of all shifts
 */
/** When a gear is shifted again after a shift was refused, or has failed. Not thread safe. */
public final class ShiftPauses {
  /** From a refusal to the next try, at first. */
  private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;

  /** Longest from one refusal to the next try, up and down. */
  private static final long UP_PAUSE_NANOS = 30_000_000_000L;

  private static final long DOWN_PAUSE_NANOS = 300_000_000_000L;

  /** From a failure to the next try, at first and at most. */
  private static final long FAILED_PAUSE_NANOS = 60_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 3_600_000_000_000L;

  private final LongSupplier clock;
  private Optional<Integer> refused = Optional.empty();
  private Optional<String> failed = Optional.empty();
  private long pauseNanos;
  private long againNanos;

  /**
   * None yet.
   *
   * @param clock in nanoseconds
   */
  public ShiftPauses(LongSupplier clock) {
    this.clock = clock;
  }

  /** Whether the last shift has failed, and no other has ended since. */
  public boolean isFailed() {
    return failed.isPresent();
  }

  /** Why no shift is begun yet after one that failed; empty if one may be. */
  public Optional<String> notYet(long nowNanos) {
    return nowNanos - againNanos >= 0
        ? Optional.empty()
        : failed.map(why -> "paused: the last shift failed: " + why);
  }

  /** Why a gear that was refused is not tried yet; empty if it may be. */
  public Optional<String> refusedYet(int to, long nowNanos) {
    return refused.equals(Optional.of(to)) && nowNanos - againNanos < 0
        ? Optional.of("was refused, and is tried again later")
        : Optional.empty();
  }

  /** A shift was refused; nothing was begun. */
  public void refused(int to, boolean up) {
    pause(
        refused.equals(Optional.of(to)), FIRST_PAUSE_NANOS, up ? UP_PAUSE_NANOS : DOWN_PAUSE_NANOS);
    refused = Optional.of(to);
  }

  /**
   * A shift has failed; its plan may be open.
   *
   * @return until the next try, in nanoseconds
   */
  public long failed(String why) {
    pause(failed.isPresent(), FAILED_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    failed = Optional.of(why);
    return pauseNanos;
  }

  private void pause(boolean again, long first, long most) {
    pauseNanos = again ? Math.min(2 * pauseNanos, most) : first;
    againNanos = clock.getAsLong() + pauseNanos;
  }

  /** A shift has come to its end: any gear may be tried. */
  public void ended() {
    refused = Optional.empty();
  }

  /**
   * Nothing has failed.
   *
   * @return whether something had
   */
  public boolean wellAgain() {
    boolean had = failed.isPresent();
    failed = Optional.empty();
    return had;
  }
}
