package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionLog;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.GearControl;
import org.calando.knob.RunPart;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileProgress;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;

/*
 *   pieces read and written --> load of the last period --> ControlLoop --> GearControl, a thread of its own
 *
 * Decisions go on while a shift is under way; what is decided then holds if it is still decided at its end. The run
 * begins on a Monday, 00:00, as in the simulator.
 */
/**
 * Has a policy of gears in force in a run on files. The policy is the same object as in the
 * simulator. Thread safe.
 */
final class GearPilot implements RunPart, HeldGear.Shifts {
  /** Asking a cluster that is gone takes its client so long at most. */
  private static final long DEADLINE_NANOS = 600_000_000_000L;

  private final GearControl box;
  private final FileLoad load;
  private final double speed;
  private final Consumer<String> failed;
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-gear-policy");
  private final ExecutorService asker = thread("calando-gear-watch");
  private final ExecutorService shifter = thread("calando-gear-shift");
  private final List<GearShift> shifts = new ArrayList<>();
  private final ControlLoop<?> loop;
  private final HeldGear actor =
      new HeldGear(this, false, HeldGear.OnFailure.END, false, this::looked);
  private final long begunNanos = System.nanoTime();
  private FileProgress last;
  private long lastNanos = begunNanos;
  private boolean measured;
  private boolean stopped;

  private GearPilot(
      GearControl box,
      FileLoad load,
      GearPolicy policy,
      double speed,
      long periodNanos,
      DecisionLog log,
      Consumer<String> failed) {
    this.box = box;
    this.load = load;
    this.speed = speed;
    this.failed = failed;
    this.last = load.progress();
    this.loop =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(policy, box.target()),
                now -> CompletableFuture.supplyAsync(this::observe, asker),
                actor)
            .periodNanos(periodNanos)
            .firstNanos(periodNanos)
            .deadlineNanos(DEADLINE_NANOS)
            .listener(log)
            .start();
  }

  /**
   * Begins to decide, in the highest gear.
   *
   * @param load whose progress is observed
   */
  static GearPilot start(RunTask task, GearControl box, FileLoad load) {
    return new GearPilot(
        box,
        load,
        RunControllers.gears(task.study(), task.run()).orElseThrow(),
        RunControllers.speed(task.run()),
        task.study().monitor().periodNanos(),
        task.files().decisions(),
        task.cluster()::failed);
  }

  private static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private GearObservation observe() {
    long now = System.nanoTime();
    int gear = box.gear();
    boolean shifting = actor.isUnderWay();
    FileProgress progress = load.progress();
    double seconds = (now - lastNanos) / 1e9;
    double pieces =
        progress.reads()
            + progress.writes()
            + progress.errors()
            - (last.reads() + last.writes() + last.errors());
    double written = progress.writtenBytes() - last.writtenBytes();
    last = progress;
    lastNanos = now;
    return new GearObservation(
        now,
        (long) Math.floor((now - begunNanos) / 1e9 * speed),
        box.target(),
        gear,
        shifting ? 0 : box.notServing(gear),
        Optional.of(new GearObservation.Load(now, pieces / seconds, written / seconds)));
  }

  @Override
  public int gear() {
    return box.gear();
  }

  @Override
  public int highest() {
    return box.highest();
  }

  @Override
  public synchronized CompletionStage<?> shift(int to) {
    boolean counts = measured;
    return HeldGear.on(shifter, () -> shift(to, counts));
  }

  @Override
  public String words(boolean isUnderWay) {
    return (isUnderWay ? "shifting from gear " : "gear ") + gear();
  }

  private void shift(int to, boolean counts) throws InterruptedException {
    try {
      GearShift done = box.shift(to);
      synchronized (this) {
        if (counts) {
          shifts.add(done);
        }
      }
    } catch (RuntimeException | InterruptedException e) {
      stop("the shift to gear " + to + " failed: " + first(e));
      throw e;
    }
  }

  private static String first(Exception e) {
    return Optional.ofNullable(e.getMessage())
        .flatMap(message -> message.lines().findFirst())
        .orElse(e.toString());
  }

  private void looked(GearLook look) {
    if (look.decision().isEmpty()) {
      stop("the policy of gears failed: " + look.notNow().orElse("nothing was observed"));
    }
  }

  private synchronized void stop(String why) {
    if (!stopped) {
      stopped = true;
      loop.close();
      failed.accept(why);
    }
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    measured = true;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    measured = false;
    stopped = true;
    loop.close();
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
    synchronized (this) {
      stopped = true;
    }
    loop.close();
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
