package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.calando.knob.RunPart;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;

/*
 *   operations of clients --> load of the last period --> ControlLoop --> NodeGears, a thread of its own
 *
 * Decisions go on while a shift is under way; what is decided then holds if it is still decided at its end. The run
 * begins on a Monday, 00:00, as in the simulator.
 */
/** Has a policy, as the simulator does, shift gears while a run goes. Thread safe. */
final class GearPilot extends ShiftGovernor implements RunPart {
  private final RunTask task;
  private final NodeGears gears;
  private final Shift shift;
  private final Supplier<Optional<GearObservation.Load>> load;
  private final RealTimeScheduler scheduler;
  private final ExecutorService asker;
  private final ExecutorService shifter;
  private final List<GearShift> shifts = new ArrayList<>();
  private final ControlLoop<?> loop;
  private boolean measured;
  private boolean stopped;

  /** Shifts. */
  @FunctionalInterface
  interface Shift {
    /** To a gear; blocks. */
    GearShift to(int gear) throws InterruptedException;
  }

  /**
   * Begins to decide, in the highest gear.
   *
   * @param shift shifts
   * @param load of the last period; empty if it is not known
   */
  GearPilot(
      RunTask task, NodeGears gears, Shift shift, Supplier<Optional<GearObservation.Load>> load) {
    this(
        task,
        gears,
        shift,
        load,
        new RealTimeScheduler("calando-gear-policy"),
        DaemonThread.executor("calando-gear-watch"),
        DaemonThread.executor("calando-gear-shift"));
  }

  private GearPilot(
      RunTask task,
      NodeGears gears,
      Shift shift,
      Supplier<Optional<GearObservation.Load>> load,
      RealTimeScheduler scheduler,
      ExecutorService asker,
      ExecutorService shifter) {
    super(gears, scheduler, asker, shifter, localSeconds(RunControllers.speed(task.run())));
    this.task = task;
    this.gears = gears;
    this.shift = shift;
    this.load = load;
    this.scheduler = scheduler;
    this.asker = asker;
    this.shifter = shifter;
    GearPolicy policy = RunControllers.gears(task.study(), task.run()).orElseThrow();
    long periodNanos = task.study().monitor().periodNanos();
    this.loop =
        loop(
                new PolicyLoop<>(policy, gears.target()),
                periodNanos,
                HeldGear.OnFailure.END,
                false,
                this::looked)
            .listener(task.files().decisions())
            .start();
  }

  private static LongSupplier localSeconds(double speed) {
    long begunNanos = System.nanoTime();
    return () -> (long) Math.floor((System.nanoTime() - begunNanos) / 1e9 * speed);
  }

  @Override
  protected long firstNanos(long periodNanos) {
    return periodNanos;
  }

  /** {@inheritDoc} The load is that of the run's own clients. */
  @Override
  protected NodeGears.Sight look(boolean dryRun, boolean isUnderWay) {
    int failed = isUnderWay ? 0 : gears.failed();
    return new NodeGears.Sight(failed, load.get());
  }

  @Override
  protected void move(int to) throws InterruptedException {
    boolean counts;
    synchronized (this) {
      counts = measured;
    }
    try {
      GearShift done = shift.to(to);
      synchronized (this) {
        if (counts) {
          shifts.add(done);
        }
      }
    } catch (RuntimeException | InterruptedException e) {
      if (!(e instanceof CalandoException refused && isRefusal(refused))) {
        stop("the shift to gear " + to + " failed: " + first(e));
      }
      throw e;
    }
  }

  private static String first(Exception e) {
    return Optional.ofNullable(e.getMessage())
        .flatMap(message -> message.lines().findFirst())
        .orElse(e.toString());
  }

  @Override
  public String words(boolean isUnderWay) {
    return (isUnderWay ? "shifting from gear " : "gear ") + gear();
  }

  private void looked(GearLook look) {
    if (look.decision().isEmpty()) {
      stop("the policy of gears failed: " + look.notNow().orElse("nothing was observed"));
    }
  }

  private void stop(String why) {
    synchronized (this) {
      if (stopped) {
        return;
      }
    }
    endLoop();
    task.cluster().failed(why);
  }

  private void endLoop() {
    synchronized (this) {
      measured = false;
      stopped = true;
    }
    // Not while this is locked: the loop's end waits for whoever decides, who may wait for this.
    loop.close();
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    measured = true;
  }

  @Override
  public void measurementEnded(long nanos) {
    endLoop();
  }

  @Override
  public void end() {
    close();
  }

  @Override
  public synchronized void record(RunRecord found) {
    found.add(GearFigures.of(shifts));
  }

  /** Decides no more, and waits for the shift that is under way. Idempotent. */
  @Override
  public void close() {
    endLoop();
    scheduler.close();
    asker.shutdownNow();
    shifter.shutdown();
    try {
      var unused = shifter.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      shifter.shutdownNow();
    }
  }
}
