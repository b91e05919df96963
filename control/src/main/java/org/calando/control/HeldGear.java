package org.calando.control;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.jspecify.annotations.Nullable;

/*
 *   act --> wanted as it is, a dry run, or a shift under way: nothing
 *       --> refused a while ago: not yet again
 *       --> shift --> done | refused before anything was begun: again later | failed: ends the loop, or pauses
 *   paused --> decides on, shifts nothing --> later: resumes the plan that is open, or shifts --> done | paused for longer
 *
 * Whether a plan that was begun and failed is somebody else's to see to is what whoever begins this says.
 */
/**
 * Has gears shifted, one shift at a time, which may take minutes, and leaves the gear as it is
 * between them. A shift that is refused before anything is begun is tried again: after 10 s, then
 * ever later. Thread safe: shifts may end on any thread.
 */
public final class HeldGear implements Actor {
  private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;

  /** Longest from one refusal to the next try, up and down. */
  private static final long UP_PAUSE_NANOS = 30_000_000_000L;

  private static final long DOWN_PAUSE_NANOS = 300_000_000_000L;

  /** From a failure to the next try, at first and at most. */
  private static final long FAILED_PAUSE_NANOS = 60_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 3_600_000_000_000L;

  private final Shifts shifts;
  private final boolean waits;
  private final OnFailure onFailure;
  private final boolean dryRun;
  private final Listener listener;
  private volatile @Nullable ControlLoop<?> loop;
  private volatile int lastGear;

  // Guarded by this.
  private boolean closed;
  private boolean underWay;
  private Optional<Integer> refused = Optional.empty();
  private Optional<String> paused = Optional.empty();
  private long pauseNanos;
  private long againNanos;

  /** What has gears. Thread safe. */
  public interface Shifts {
    /** The gear; while a shift is under way that from which or to which it goes. */
    int gear();

    /** The highest gear, 1 or more. */
    int highest();

    /**
     * Begins to shift.
     *
     * @return ends when it is there, or exceptionally
     */
    CompletionStage<?> shift(int to);

    /**
     * Where a plan goes that was begun and has not ended, in words that follow "an unfinished
     * plan"; empty if there is none.
     */
    default Optional<String> unfinished() {
      return Optional.empty();
    }

    /** Begins to resume that plan; ends as {@link #shift} does. */
    default CompletionStage<?> resume() {
      throw new IllegalStateException("there is no unfinished plan");
    }

    /** Whether a shift that failed so began nothing, and is to be tried again. */
    default boolean isRefusal(CalandoException why) {
      return false;
    }

    /** What is in force, in words. */
    default String words(boolean isUnderWay) {
      return "gear " + gear();
    }

    /** What could not be asked for at the last look, one sentence each. */
    default List<String> troubles() {
      return List.of();
    }
  }

  /** What a shift that failed does. */
  public enum OnFailure {
    /** Ends the loop with the failure. */
    END,
    /** Pauses shifts, for a minute at first and an hour at most. */
    PAUSE
  }

  /** Hears of shifts, on any thread; is not to block. */
  @FunctionalInterface
  public interface Listener {
    /** Hears what became of each observation. */
    void looked(GearLook look);

    /**
     * An unfinished plan was resumed.
     *
     * @param where as {@link Shifts#unfinished} has it
     */
    default void resumed(String where) {}

    /**
     * A shift has failed, and none is begun for a while.
     *
     * @param nanos until one is tried again
     */
    default void paused(String why, long nanos) {}

    /** Shifts are paused no more. */
    default void pauseEnded() {}
  }

  /** Work that takes long. */
  @FunctionalInterface
  public interface Work {
    /** Carries it out. */
    void run() throws InterruptedException;
  }

  /**
   * Shifts nothing yet.
   *
   * @param waits whether nothing is observed while a shift is under way; else decisions go on, and
   *     what they want then holds if it is still wanted at its end
   * @param onFailure what a shift that failed does, also that of a plan which is unfinished at the
   *     beginning and is resumed
   * @param dryRun whether nothing is shifted
   * @param listener hears what became of each observation
   */
  public HeldGear(
      Shifts shifts, boolean waits, OnFailure onFailure, boolean dryRun, Listener listener) {
    this.shifts = shifts;
    this.waits = waits;
    this.onFailure = onFailure;
    this.dryRun = dryRun;
    this.listener = listener;
  }

  /** Carries out work that takes long on an executor. */
  public static CompletionStage<Void> on(Executor executor, Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
          }
        },
        executor);
  }

  @Override
  public void begin(ControlLoop<?> by, long nowNanos) {
    loop = by;
    lastGear = shifts.gear();
    if (!dryRun) {
      Optional<String> open = shifts.unfinished();
      if (open.isPresent()) {
        synchronized (this) {
          underWay = true;
        }
        resume(open.get());
      }
    }
  }

  /** Ends the loop, unless failures only pause it: what is governed is not as it is to be. */
  public void refuse(RuntimeException why) {
    if (onFailure == OnFailure.END) {
      loop().fail(why);
    }
  }

  /** Whether a shift is under way. */
  public synchronized boolean isUnderWay() {
    return underWay;
  }

  @Override
  public boolean isBusy() {
    return waits && isUnderWay();
  }

  @Override
  public String inForce(Decision<?> decision) {
    return inForce();
  }

  private String inForce() {
    try {
      return shifts.words(isUnderWay());
    } catch (CalandoException e) {
      return "not known: " + e.problem();
    }
  }

  /** Servers take longer than a period to ask where they are busy: nothing is amiss. */
  @Override
  public void waits(String why) {}

  @Override
  public void missed(String why) {
    try {
      int gear = gear();
      listener.looked(look(Optional.empty(), gear, gear, false, Optional.of(why)));
    } catch (RuntimeException | Error e) {
      loop().fail(e);
    }
  }

  /** That which was last known where it cannot be asked for now, as by a file that is damaged. */
  private int gear() {
    try {
      lastGear = shifts.gear();
    } catch (CalandoException e) {
      // Whoever looks is told.
    }
    return lastGear;
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    int from;
    try {
      from = shifts.gear();
    } catch (CalandoException e) {
      missed(e.problem());
      return;
    }
    int to = Math.min(decision.value(KnobId.GEAR).orElse(from), shifts.highest());
    Optional<String> notNow = Optional.empty();
    synchronized (this) {
      if (!dryRun && !underWay && !closed) {
        Optional<String> open = Optional.empty();
        if (paused.isPresent()) {
          notNow = notYet(nowNanos);
          open = notNow.isEmpty() ? shifts.unfinished() : open;
        }
        if (open.isPresent()) {
          underWay = true;
          notNow = Optional.of("resumes an unfinished plan" + open.get());
          resume(open.get());
        } else if (to != from && notNow.isEmpty()) {
          notNow = refusedYet(to, nowNanos);
          if (notNow.isEmpty()) {
            underWay = true;
            begin(decision, from, to);
            return;
          }
        } else if (notNow.isEmpty()) {
          endPause();
        }
      }
    }
    listener.looked(look(Optional.of(decision), from, to, false, notNow));
  }

  private GearLook look(
      Optional<Decision<?>> decision, int from, int to, boolean tried, Optional<String> notNow) {
    return new GearLook(decision, from, to, tried, notNow, inForce(), shifts.troubles());
  }

  private Optional<String> notYet(long nowNanos) {
    return nowNanos - againNanos >= 0
        ? Optional.empty()
        : paused.map(why -> "paused: the last shift failed: " + why);
  }

  private Optional<String> refusedYet(int to, long nowNanos) {
    return refused.equals(Optional.of(to)) && nowNanos - againNanos < 0
        ? Optional.of("was refused, and is tried again later")
        : Optional.empty();
  }

  private void resume(String where) {
    var unused =
        shifts
            .resume()
            .whenComplete(
                (nothing, e) -> {
                  try {
                    if (ended(Optional.empty(), false, e).isEmpty()) {
                      listener.resumed(where);
                    }
                  } catch (RuntimeException | Error fatal) {
                    loop().fail(fatal);
                  }
                });
  }

  /** No shift is begun any more; one that is under way goes to its end. */
  @Override
  public synchronized void close(long nowNanos) {
    closed = true;
  }

  private void begin(Decision<?> decision, int from, int to) {
    var unused =
        shifts
            .shift(to)
            .whenComplete(
                (nothing, e) -> {
                  try {
                    Optional<String> notNow = ended(Optional.of(to), to > from, e);
                    listener.looked(look(Optional.of(decision), from, to, true, notNow));
                  } catch (RuntimeException | Error fatal) {
                    loop().fail(fatal);
                  }
                });
  }

  /**
   * Returns why it did not come to its end; throws what ends the loop.
   *
   * @param to the gear; empty for a plan that was resumed, which is no new one that may be refused
   */
  private synchronized Optional<String> ended(
      Optional<Integer> to, boolean up, @Nullable Throwable error) {
    underWay = false;
    if (error == null) {
      refused = Optional.empty();
      endPause();
      return Optional.empty();
    }
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    boolean mayBeRefused = to.isPresent() && paused.isEmpty();
    if (cause instanceof CalandoException why && mayBeRefused && shifts.isRefusal(why)) {
      pause(refused.equals(to), FIRST_PAUSE_NANOS, up ? UP_PAUSE_NANOS : DOWN_PAUSE_NANOS);
      refused = to;
      return Optional.of(words(why));
    }
    if (onFailure == OnFailure.END || cause instanceof Error) {
      throw failure(cause);
    }
    if (closed) {
      return Optional.of(words(cause));
    }
    pause(paused.isPresent(), FAILED_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    paused = Optional.of(words(cause));
    listener.paused(words(cause), pauseNanos);
    return paused.map(why -> "failed: " + why);
  }

  private void pause(boolean again, long first, long most) {
    pauseNanos = again ? Math.min(2 * pauseNanos, most) : first;
    againNanos = loop().nanos() + pauseNanos;
  }

  private void endPause() {
    if (paused.isPresent()) {
      paused = Optional.empty();
      listener.pauseEnded();
    }
  }

  private static RuntimeException failure(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  private static String words(Throwable cause) {
    return cause instanceof CalandoException known
        ? String.valueOf(known.getMessage()).replace("\n  ", "; ")
        : String.valueOf(cause);
  }

  private ControlLoop<?> loop() {
    return Optional.<ControlLoop<?>>ofNullable(loop).orElseThrow();
  }
}
