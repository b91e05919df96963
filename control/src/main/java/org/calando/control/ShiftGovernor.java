package org.calando.control;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;

/**
 * What a policy observes of a real cluster that is shifted by durable plans. Asks and shifts on the
 * executor, which carries out one thing after the other; nothing is observed while a shift is under
 * way, and counts begin anew at its end: what nodes move in it is no load of clients.
 */
public abstract class ShiftGovernor implements HeldGear.Shifts {
  /** Asking a store that is gone takes its client so long at most. */
  private static final long DEADLINE_NANOS = 600_000_000_000L;

  private final Scheduler scheduler;
  private final Executor executor;
  private final LongSupplier localSeconds;
  private volatile boolean hasObserved;

  /** Makes one; the executor carries out one thing after the other. */
  public interface Of extends BiFunction<Scheduler, Executor, ShiftGovernor> {}

  /**
   * Observes nothing yet.
   *
   * @param executor carries out one thing after the other
   * @param localSeconds since a Monday's 00:00, of local time
   */
  protected ShiftGovernor(Scheduler scheduler, Executor executor, LongSupplier localSeconds) {
    this.scheduler = scheduler;
    this.executor = executor;
    this.localSeconds = localSeconds;
  }

  /**
   * A loop by which a policy decides. While nothing can be observed nothing is decided. A step of a
   * shift that fails ends it or pauses it: the plan is open, and safe to leave. Where it ends it,
   * so does a bad request of the first observation, as a governor that was begun wrong never
   * observes; one later, such as a file that somebody damages, is to be mended while it governs.
   *
   * @param policy of {@link #target}
   * @param onFailure what a shift that failed does
   * @param dryRun decides only
   * @param listener hears of shifts
   */
  public final <S> ControlLoopBuilder<S> loop(
      PolicyLoop<S> policy,
      HeldGear.OnFailure onFailure,
      boolean dryRun,
      HeldGear.Listener listener) {
    HeldGear gear = new HeldGear(this, true, onFailure, dryRun, listener);
    return ControlLoop.asking(
            scheduler,
            policy,
            now -> CompletableFuture.supplyAsync(() -> observe(gear, dryRun), executor),
            gear)
        .deadlineNanos(DEADLINE_NANOS);
  }

  private GearObservation observe(HeldGear gear, boolean dryRun) {
    try {
      if (!dryRun) {
        tend();
      }
      GearObservation observed = observe();
      hasObserved = true;
      return observed;
    } catch (BadRequestException e) {
      if (!hasObserved) {
        gear.refuse(e);
      }
      throw e;
    }
  }

  /** Whether it has observed anything yet. */
  protected final boolean hasObserved() {
    return hasObserved;
  }

  /**
   * Begins, for looks each period; may ask the store.
   *
   * @return from now to the first look, in nanoseconds
   */
  public long firstNanos(long periodNanos) {
    return 0;
  }

  /** What decisions are about: the cluster. */
  public abstract String target();

  /** Has nodes be as shifts left them, before each look; not in dry runs. */
  protected void tend() {}

  /**
   * Asks the store.
   *
   * @throws BadRequestException if the cluster, or its files, are not as they have to be
   * @throws FailedWorkException if nothing is to be decided now
   */
  protected abstract GearObservation observe();

  /** Shifts; blocks. */
  protected abstract void move(int to) throws InterruptedException;

  /** Resumes the plan that was begun and has not ended; blocks. */
  protected abstract void finish() throws InterruptedException;

  /** Counts load from now on; if that cannot be asked for now, the next look begins to count. */
  protected abstract void begin();

  /** What was observed, as of now. */
  protected final GearObservation observed(
      int gear, int failed, Optional<GearObservation.Load> load) {
    return new GearObservation(nanos(), localSeconds.getAsLong(), target(), gear, failed, load);
  }

  /** The time of the loop's clock. */
  protected final long nanos() {
    return scheduler.clock().nanos();
  }

  @Override
  public final CompletionStage<?> shift(int to) {
    return HeldGear.on(
        executor,
        () -> {
          move(to);
          begin();
        });
  }

  @Override
  public final CompletionStage<?> resume() {
    return HeldGear.on(
        executor,
        () -> {
          finish();
          begin();
        });
  }

  @Override
  public final boolean isRefusal(CalandoException why) {
    return !(why instanceof FailedWorkException) || unfinished().isEmpty();
  }
}
