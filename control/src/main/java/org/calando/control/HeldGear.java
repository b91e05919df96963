package org.calando.control;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.jspecify.annotations.Nullable;

/*
 *   act --> wanted as it is, a dry run, or a shift under way: nothing
 *       --> refused a while ago: not yet again
 *       --> shift --> done | refused before anything was begun: again later | failed: ends the loop
 *
 * Only a plan that was begun and failed is somebody else's to see to.
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

  private final Shifts shifts;
  private final boolean waits;
  private final boolean dryRun;
  private final Consumer<Look> listener;
  private volatile @Nullable ControlLoop<?> loop;
  private volatile int lastGear;

  // Guarded by this.
  private boolean closed;
  private boolean underWay;
  private Optional<Integer> refused = Optional.empty();
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

    /** Whether a shift that failed so began nothing, and is to be tried again. */
    default boolean isRefusal(CalandoException why) {
      return false;
    }

    /** What is in force, in words. */
    default String words(boolean isUnderWay) {
      return "gear " + gear();
    }
  }

  /** Work that takes long. */
  @FunctionalInterface
  public interface Work {
    /** Carries it out. */
    void run() throws InterruptedException;
  }

  /**
   * What became of an observation. Immutable and thread safe.
   *
   * @param decision what was decided, and from what; empty if it came to nothing
   * @param before the gear
   * @param decided the gear that it is to be
   * @param tried whether a shift was ordered
   * @param notNow why nothing was decided, or why a shift was not carried out, or not ordered yet
   *     again: nothing was begun
   */
  public record Look(
      Optional<Decision<?>> decision,
      int before,
      int decided,
      boolean tried,
      Optional<String> notNow) {
    /** Whether it is in the gear that it was to be in, and was not before. */
    public boolean shifted() {
      return tried && notNow.isEmpty();
    }
  }

  /**
   * Shifts nothing yet.
   *
   * @param waits whether nothing is observed while a shift is under way; else decisions go on, and
   *     what they want then holds if it is still wanted at its end
   * @param dryRun whether nothing is shifted
   * @param listener hears what became of each observation, on the thread where that is known
   */
  public HeldGear(Shifts shifts, boolean waits, boolean dryRun, Consumer<Look> listener) {
    this.shifts = shifts;
    this.waits = waits;
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
  }

  /** Ends the loop: what is governed is not as it is to be. */
  public void refuse(RuntimeException why) {
    loop().fail(why);
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
      listener.accept(new Look(Optional.empty(), gear, gear, false, Optional.of(why)));
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
      if (to != from && !dryRun && !underWay && !closed) {
        if (!refused.equals(Optional.of(to)) || nowNanos - againNanos >= 0) {
          underWay = true;
          begin(decision, from, to);
          return;
        }
        notNow = Optional.of("was refused, and is tried again later");
      }
    }
    listener.accept(new Look(Optional.of(decision), from, to, false, notNow));
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
                    Optional<String> notNow = ended(from, to, e);
                    listener.accept(new Look(Optional.of(decision), from, to, true, notNow));
                  } catch (RuntimeException | Error fatal) {
                    loop().fail(fatal);
                  }
                });
  }

  /** Returns why nothing was begun; throws what failed. */
  private synchronized Optional<String> ended(int from, int to, @Nullable Throwable error) {
    underWay = false;
    if (error == null) {
      refused = Optional.empty();
      return Optional.empty();
    }
    @Nullable Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (!(cause instanceof CalandoException why)) {
      throw error instanceof RuntimeException known ? known : new CompletionException(error);
    }
    if (!shifts.isRefusal(why)) {
      throw why;
    }
    long most = to > from ? UP_PAUSE_NANOS : DOWN_PAUSE_NANOS;
    boolean again = refused.equals(Optional.of(to));
    pauseNanos = again ? Math.min(2 * pauseNanos, most) : FIRST_PAUSE_NANOS;
    againNanos = loop().nanos() + pauseNanos;
    refused = Optional.of(to);
    return Optional.of(String.valueOf(why.getMessage()).replace("\n  ", "; "));
  }

  private ControlLoop<?> loop() {
    return Optional.<ControlLoop<?>>ofNullable(loop).orElseThrow();
  }
}
