package org.calando.control;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.calando.control.order.GearOrders;
import org.calando.control.order.KnobOrders;
import org.calando.control.shift.GearShifts;
import org.calando.control.shift.ShiftPauses;
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
  private final GearShifts shifts;
  private final boolean waits;
  private final OnFailure onFailure;
  private final boolean dryRun;
  private final Listener listener;
  private final GearOrders orders;
  private volatile KnobOrders.Hearing hearing = () -> {};
  private final ShiftPauses pauses = new ShiftPauses(() -> loop().nanos());
  private volatile @Nullable ControlLoop<?> loop;
  private volatile int lastGear;

  // Guarded by this.
  private boolean closed;
  private boolean underWay;
  private boolean urgent; // this shift is in spite of orders, as nodes do not serve
  private boolean cut; // this shift was interrupted, to take its plan back

  /** A plan that is open and was not resumed, as nothing is to be set. */
  private boolean left;

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
     * @param where as {@link GearShifts#unfinished} has it
     */
    default void resumed(String where) {}

    /** An unfinished plan was taken back, as that was ordered; as {@link #resumed}. */
    default void takenBack(String where) {}

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
      GearShifts shifts, boolean waits, OnFailure onFailure, boolean dryRun, Listener listener) {
    this(shifts, waits, onFailure, dryRun, listener, KnobOrders.NONE);
  }

  /** The same with an operator's orders; where nodes do not serve it goes up all the same. */
  public HeldGear(
      GearShifts shifts,
      boolean waits,
      OnFailure onFailure,
      boolean dryRun,
      Listener listener,
      KnobOrders orders) {
    this.orders = new GearOrders(orders);
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
    // Before it hears of orders: a loop that does not begin is not closed.
    lastGear = shifts.gear();
    orders.highest(shifts.highest());
    Optional<String> open = shifts.unfinished();
    hearing = orders.onChange(this::ordered);
    if (!dryRun) {
      KnobOrders.Order order = orders.now();
      synchronized (this) {
        if (open.isPresent() && !underWay && (!order.isBarred() || order.takesBack())) {
          underWay = true;
          proceed(open.get(), order);
        } else if (open.isPresent() && !underWay) {
          left = true;
          orders.plan(open.get(), false, shifts::canUndo, false);
        }
      }
    }
    orders.told(shifts::gear, shifts::unfinished);
  }

  /** Orders have changed: a plan is taken back at once, all else is decided anew. */
  private synchronized void ordered() {
    ControlLoop<?> by = loop;
    if (by == null || dryRun || closed) {
      return;
    }
    KnobOrders.Order order = orders.now();
    Optional<String> open =
        order.takesBack() ? GearOrders.open(shifts::unfinished) : Optional.empty();
    if (order.takesBack() && underWay) {
      // A plan that cannot be taken back goes to its end: cut off, it would leave nodes half way.
      if (!urgent && (open.isEmpty() || shifts.canUndo())) {
        cut = true;
        shifts.interrupt();
      }
    } else if (open.isPresent()) {
      underWay = true;
      proceed(open.get(), order);
    } else {
      by.wake();
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
    String order = orders.words(gear(), decision, GearLook.failedNodes(decision));
    return order.isEmpty() ? inForce() : inForce() + ", " + order;
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
    int decided = Math.min(decision.value(KnobId.GEAR).orElse(from), shifts.highest());
    KnobOrders.Order order = orders.binding(from, decided, GearLook.failedNodes(decision));
    int to = GearOrders.wanted(order, from, decided, shifts.highest());
    Optional<String> notNow = Optional.empty();
    synchronized (this) {
      if (!dryRun
          && !underWay
          && !closed
          && (to != from || !order.isBarred() || order.takesBack())) {
        urgent = !order.isBarred() && orders.now().isBarred();
        Optional<String> open = Optional.empty();
        if (pauses.isFailed()) {
          notNow = pauses.notYet(nowNanos);
          open = notNow.isEmpty() ? shifts.unfinished() : open;
        } else if (left) {
          open = shifts.unfinished();
        }
        if (open.isPresent()) {
          underWay = true;
          notNow = Optional.of("resumes an unfinished plan" + open.get());
          proceed(open.get(), order);
        } else if (to != from && notNow.isEmpty()) {
          notNow = pauses.refusedYet(to, nowNanos);
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
    orders.told(shifts::gear, shifts::unfinished);
    listener.looked(look(Optional.of(decision), from, to, false, notNow));
  }

  private GearLook look(
      Optional<Decision<?>> decision, int from, int to, boolean tried, Optional<String> notNow) {
    return new GearLook(decision, from, to, tried, notNow, inForce(), shifts.troubles());
  }

  /** Resumes an open plan, or takes it back if that is ordered and can be done. */
  private void proceed(String where, KnobOrders.Order order) {
    boolean back = order.takesBack() && shifts.canUndo();
    left = false;
    orders.plan(where, true, shifts::canUndo, back);
    var unused =
        (back ? shifts.undo() : shifts.resume())
            .whenComplete(
                (nothing, e) -> {
                  try {
                    if (ended(Optional.empty(), false, back, e).isEmpty()) {
                      if (back) {
                        listener.takenBack(where);
                      } else {
                        listener.resumed(where);
                      }
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
    hearing.close();
  }

  private void begin(Decision<?> decision, int from, int to) {
    CompletionStage<?> shift = shifts.shift(to);
    orders.plan("to gear " + to, true, shifts::canUndo, false);
    var unused =
        shift.whenComplete(
            (nothing, e) -> {
              try {
                Optional<String> notNow = ended(Optional.of(to), to > from, false, e);
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
   * @param wasBack whether a plan was taken back
   */
  private synchronized Optional<String> ended(
      Optional<Integer> to, boolean up, boolean wasBack, @Nullable Throwable error) {
    underWay = false;
    if (error == null) {
      cut = false;
      pauses.ended();
      endPause();
      orders.told(shifts::gear, shifts::unfinished);
      return Optional.empty();
    }
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    Optional<String> open = GearOrders.open(shifts::unfinished);
    boolean back = cut && !wasBack && !closed && open.isPresent() && shifts.canUndo();
    cut = false;
    if (back) {
      underWay = true;
      proceed(open.get(), orders.now());
      return Optional.of("is taken back");
    }
    open.ifPresent(where -> orders.plan(where, false, shifts::canUndo, false));
    boolean mayBeRefused = to.isPresent() && !pauses.isFailed();
    if (cause instanceof CalandoException why && mayBeRefused && shifts.isRefusal(why)) {
      pauses.refused(to.get(), up);
      return Optional.of(words(why));
    }
    if (onFailure == OnFailure.END || cause instanceof Error) {
      throw failure(cause);
    }
    if (closed) {
      return Optional.of(words(cause));
    }
    listener.paused(words(cause), pauses.failed(words(cause)));
    return Optional.of("failed: " + words(cause));
  }

  private void endPause() {
    if (pauses.wellAgain()) {
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
