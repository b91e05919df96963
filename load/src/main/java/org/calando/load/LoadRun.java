package org.calando.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.store.Session;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.internal.Run;
import org.jspecify.annotations.Nullable;

/**
 * Performs a load on a session once: operations are started by the scheduler's thread and by the
 * threads on which others complete, so it has no threads of its own.
 *
 * <p>Thread safe. On a scheduler and a session that are deterministic, so is the run: the simulator
 * calls {@link #start}, runs its events until {@link #isDone}, and asks for the {@link #result}.
 */
public final class LoadRun {
  private final Run run;
  private final AtomicBoolean started = new AtomicBoolean();

  /** A run whose timers, intervals included, all run on one scheduler. */
  public LoadRun(
      LoadSpec spec,
      Session session,
      StalenessOracle oracle,
      Recorder recorder,
      Scheduler scheduler) {
    this(spec, session, oracle, recorder, scheduler, scheduler);
  }

  /**
   * A run that keeps work of many microseconds off the scheduler that starts operations.
   *
   * @param spec what to do
   * @param session with a slot for each operation that can be under way
   * @param oracle with as many slots and clients as the loop has
   * @param recorder of this run only
   * @param scheduler starts operations; its clock is the run's
   * @param housekeeping ends intervals and drains, on the same clock; may be {@code scheduler}
   * @throws BadRequestException if the session has too few slots
   */
  public LoadRun(
      LoadSpec spec,
      Session session,
      StalenessOracle oracle,
      Recorder recorder,
      Scheduler scheduler,
      Scheduler housekeeping) {
    if (session.slots() < spec.loop().slots()) {
      throw new BadRequestException(
          "the load needs %d slots, the session has %d"
              .formatted(spec.loop().slots(), session.slots()),
          "load",
          "open the session with more slots");
    }
    run = new Run(spec, session, oracle, recorder, scheduler, housekeeping);
  }

  /**
   * Begins now, and returns at once.
   *
   * @throws IllegalStateException if the run was started before
   */
  public void start() {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("the run was started before");
    }
    run.begin();
  }

  /**
   * Ends a warm-up that {@link LoadSpec#beginsWhenTold}: operations that start from now on count.
   * May be called from any thread, listeners' included; only the first call does anything.
   */
  public void measure() {
    run.measure();
  }

  /**
   * Starts no further operation. Those under way have a second, or the drain time if that is
   * shorter, to end. May be called from any thread, at any time after the start, more than once.
   */
  public void stop() {
    run.stop();
  }

  /**
   * Waits for the end of the run.
   *
   * @throws InterruptedException if the waiting thread is interrupted; the run goes on
   */
  public LoadResult await() throws InterruptedException {
    run.done().await();
    return result();
  }

  /**
   * Waits for the end of the run, but not longer than a time of the machine's clock.
   *
   * @param nanos time to wait at most
   * @return whether the run is done
   * @throws InterruptedException if the waiting thread is interrupted; the run goes on
   */
  public boolean awaitNanos(long nanos) throws InterruptedException {
    return run.done().await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Whether the run has ended and its result can be had. */
  public boolean isDone() {
    return run.done().getCount() == 0;
  }

  /**
   * What the run did.
   *
   * @throws CalandoException what a listener threw, if it was one
   * @throws IllegalStateException if it has not ended, or if the generator or a listener failed
   */
  public LoadResult result() {
    Throwable failure = run.failure();
    if (isDone() && failure instanceof CalandoException shown) {
      throw shown;
    }
    if (isDone() && failure != null) {
      throw new IllegalStateException("the load generator failed", failure);
    }
    @Nullable LoadResult result = run.result();
    if (result == null) {
      throw new IllegalStateException("the run has not ended");
    }
    return result;
  }
}
