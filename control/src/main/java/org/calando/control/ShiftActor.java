package org.calando.control;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.jspecify.annotations.Nullable;

/*
 *   act --> wanted as it is, a dry run, or a shift under way: nothing
 *       --> refused a while ago: not yet again
 *       --> shift --> done | refused before anything was begun: again later | failed: ends the loop
 *
 * Only a plan that was begun and failed is somebody else's to see to.
 */
/**
 * Has shifts carried out that take long, one at a time, and stays where it is between them. A shift
 * that is refused before anything is begun is tried again: after 10 s, then ever later. Thread
 * safe: shifts may end on any thread.
 *
 * @param <V> what is shifted from and to; immutable
 */
public final class ShiftActor<V> implements Actor {
  private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;

  /** Longest from one refusal to the next try, up and down. */
  private static final long UP_PAUSE_NANOS = 30_000_000_000L;

  private static final long DOWN_PAUSE_NANOS = 300_000_000_000L;

  private final Shifts<V> shifts;
  private final boolean waits;
  private final boolean dryRun;
  private final Consumer<Look<V>> listener;
  private volatile @Nullable ControlLoop<?> loop;

  // Guarded by this.
  private boolean underWay;
  private @Nullable V refused;
  private long pauseNanos;
  private long againNanos;

  /**
   * What can be shifted. Thread safe.
   *
   * @param <V> from and to what
   */
  public interface Shifts<V> {
    /** Where it is; while a shift is under way, where it was or where it goes. */
    V current();

    /** Where a decision wants it. */
    V wanted(Decision<?> decision, V current);

    /** Whether the shift has more nodes serve: these are not to wait long. */
    boolean isUp(V from, V to);

    /**
     * Begins to shift.
     *
     * @return ends when it is there, or exceptionally
     */
    CompletionStage<?> shift(V from, V to);

    /** Whether a shift that failed so began nothing, and is to be tried again. */
    default boolean isRefusal(CalandoException why) {
      return false;
    }

    /** What is in force, in words. */
    String words(V current, boolean isUnderWay);
  }

  /** Work that takes long. */
  @FunctionalInterface
  public interface Work {
    /** Carries it out. */
    void run() throws InterruptedException;
  }

  /**
   * What became of a decision. Immutable and thread safe.
   *
   * @param decision what was decided, and from what
   * @param before where it was
   * @param decided where it is to be
   * @param tried whether a shift was ordered
   * @param notNow why it was not carried out, or not ordered yet again: nothing was begun
   */
  public record Look<V>(
      Decision<?> decision, V before, V decided, boolean tried, Optional<String> notNow) {
    /** Whether it is where it was to be, and was not before. */
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
   * @param listener hears what became of each decision, on the thread where that is known
   */
  public ShiftActor(Shifts<V> shifts, boolean waits, boolean dryRun, Consumer<Look<V>> listener) {
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
    return shifts.words(shifts.current(), isUnderWay());
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    V from = shifts.current();
    V to = shifts.wanted(decision, from);
    if (to.equals(from) || dryRun || isUnderWay()) {
      listener.accept(new Look<>(decision, from, to, false, Optional.empty()));
    } else if (isTooEarly(to, nowNanos)) {
      Optional<String> why = Optional.of("was refused, and is tried again later");
      listener.accept(new Look<>(decision, from, to, false, why));
    } else {
      begin(decision, from, to);
    }
  }

  private synchronized boolean isTooEarly(V to, long nowNanos) {
    return to.equals(refused) && nowNanos - againNanos < 0;
  }

  private void begin(Decision<?> decision, V from, V to) {
    synchronized (this) {
      underWay = true;
    }
    var unused =
        shifts.shift(from, to).whenComplete((nothing, e) -> ended(decision, from, to, cause(e)));
  }

  private static @Nullable Throwable cause(@Nullable Throwable e) {
    return e instanceof CompletionException ? e.getCause() : e;
  }

  private void ended(Decision<?> decision, V from, V to, @Nullable Throwable e) {
    Optional<String> notNow = Optional.empty();
    synchronized (this) {
      underWay = false;
      if (e == null) {
        refused = null;
      } else if (e instanceof CalandoException why && shifts.isRefusal(why)) {
        notNow = Optional.of(String.valueOf(why.getMessage()).replace("\n  ", "; "));
        pause(from, to);
      } else {
        loop().fail(e);
        return;
      }
    }
    try {
      listener.accept(new Look<>(decision, from, to, true, notNow));
    } catch (RuntimeException | Error failed) {
      loop().fail(failed);
    }
  }

  private void pause(V from, V to) {
    long most = shifts.isUp(from, to) ? UP_PAUSE_NANOS : DOWN_PAUSE_NANOS;
    pauseNanos = to.equals(refused) ? Math.min(2 * pauseNanos, most) : FIRST_PAUSE_NANOS;
    againNanos = loop().nanos() + pauseNanos;
    refused = to;
  }

  private ControlLoop<?> loop() {
    @Nullable ControlLoop<?> by = loop;
    if (by == null) {
      throw new IllegalStateException("no loop");
    }
    return by;
  }
}
