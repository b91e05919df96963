package org.calando.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldGear;
import org.calando.control.order.KnobOrders;
import org.calando.control.shift.GearShifts;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 *   look at the nodes --> ControlLoop --> HeldGear --> NodeGears, which shifts by plans that outlive the process
 *
 * With one executor nothing is observed while a shift is under way, and counts begin anew at its end: what nodes move in
 * it is no load of clients.
 */
/** Has a policy shift the gears of a real cluster. Thread safe. */
public class ShiftGovernor implements GearShifts {
  /** Asking a store that is gone takes its client so long at most. */
  private static final long DEADLINE_NANOS = 600_000_000_000L;

  private final NodeGears gears;
  private final Scheduler scheduler;
  private final Executor asks;
  private final Executor shifts;
  private final LongSupplier localSeconds;
  private final Object shifting = new Object();
  private volatile boolean hasObserved;

  /** Guarded by {@code shifting}. */
  private @Nullable Thread shifter;

  /**
   * Observes nothing yet.
   *
   * @param executor carries out one thing after the other
   * @param localSeconds since a Monday's 00:00, of local time
   */
  public ShiftGovernor(
      NodeGears gears, Scheduler scheduler, Executor executor, LongSupplier localSeconds) {
    this(gears, scheduler, executor, executor, localSeconds);
  }

  /**
   * Observes nothing yet.
   *
   * @param asks carries out looks
   * @param shifts carries out shifts; if it is another, decisions go on while one is under way
   * @param localSeconds since a Monday's 00:00, of local time
   */
  protected ShiftGovernor(
      NodeGears gears,
      Scheduler scheduler,
      Executor asks,
      Executor shifts,
      LongSupplier localSeconds) {
    this.gears = gears;
    this.scheduler = scheduler;
    this.asks = asks;
    this.shifts = shifts;
    this.localSeconds = localSeconds;
  }

  /**
   * A loop by which a policy decides, with looks each period. While nothing can be observed nothing
   * is decided. A step of a shift that fails ends it or pauses it: the plan is open, and safe to
   * leave. Where it ends it, so does a bad request of the first observation, as a governor that was
   * begun wrong never observes; one later, such as a file that somebody damages, is to be mended
   * while it governs.
   *
   * @param policy of {@link NodeGears#target}
   * @param onFailure what a shift that failed does
   * @param dryRun decides only
   * @param listener hears of shifts
   */
  public final <S> ControlLoopBuilder<S> loop(
      PolicyLoop<S> policy,
      long periodNanos,
      HeldGear.OnFailure onFailure,
      boolean dryRun,
      HeldGear.Listener listener) {
    return loop(policy, periodNanos, onFailure, dryRun, listener, KnobOrders.NONE);
  }

  /** The same with what an operator orders of the gear. */
  public final <S> ControlLoopBuilder<S> loop(
      PolicyLoop<S> policy,
      long periodNanos,
      HeldGear.OnFailure onFailure,
      boolean dryRun,
      HeldGear.Listener listener,
      KnobOrders orders) {
    HeldGear gear = new HeldGear(this, asks == shifts, onFailure, dryRun, listener, orders);
    return ControlLoop.asking(
            scheduler,
            policy,
            now -> CompletableFuture.supplyAsync(() -> observe(gear, dryRun), asks),
            gear)
        .periodNanos(periodNanos)
        .firstNanos(firstNanos(periodNanos))
        .deadlineNanos(DEADLINE_NANOS);
  }

  private GearObservation observe(HeldGear gear, boolean dryRun) {
    try {
      NodeGears.Sight sight = look(dryRun, gear.isUnderWay());
      hasObserved = true;
      // After all that it knows: asking nodes takes seconds where they are busy.
      return new GearObservation(
          scheduler.clock().nanos(),
          localSeconds.getAsLong(),
          gears.target(),
          Math.max(1, gears.gear()),
          sight.failed(),
          sight.load());
    } catch (BadRequestException e) {
      if (!hasObserved) {
        gear.refuse(e);
      }
      throw e;
    }
  }

  /** From now to the first look. */
  protected long firstNanos(long periodNanos) {
    return gears.firstNanos(periodNanos);
  }

  /** Asks the nodes. */
  protected NodeGears.Sight look(boolean dryRun, boolean isUnderWay) {
    if (!dryRun) {
      gears.tend();
    }
    return gears.look();
  }

  /** Shifts; blocks. */
  protected void move(int to) throws InterruptedException {
    var unused = gears.shift(to);
    gears.begin();
  }

  /** Ends a shift that was begun before this; blocks. */
  protected void settle() throws InterruptedException {
    gears.settle();
    gears.begin();
  }

  @Override
  public final int gear() {
    return gears.gear();
  }

  @Override
  public final int highest() {
    return gears.highest();
  }

  @Override
  public final Optional<String> unfinished() {
    return gears.unfinished();
  }

  @Override
  public String words(boolean isUnderWay) {
    return gears.words();
  }

  @Override
  public final List<String> troubles() {
    return gears.troubles();
  }

  @Override
  public final CompletionStage<?> shift(int to) {
    return HeldGear.on(shifts, () -> interruptibly(() -> move(to)));
  }

  @Override
  public final CompletionStage<?> resume() {
    return HeldGear.on(shifts, () -> interruptibly(this::settle));
  }

  @Override
  public final boolean canUndo() {
    return unfinished().isPresent() && gears.canUndo();
  }

  @Override
  public final CompletionStage<?> undo() {
    return HeldGear.on(
        shifts,
        () -> {
          gears.undo();
          gears.begin();
        });
  }

  private void interruptibly(HeldGear.Work work) throws InterruptedException {
    synchronized (shifting) {
      shifter = Thread.currentThread();
    }
    try {
      work.run();
    } finally {
      synchronized (shifting) {
        shifter = null;
      }
    }
  }

  @Override
  public final void interrupt() {
    synchronized (shifting) {
      if (shifter != null) {
        shifter.interrupt();
      }
    }
  }

  @Override
  public boolean isRefusal(CalandoException why) {
    return !(why instanceof FailedWorkException) || unfinished().isEmpty();
  }
}
