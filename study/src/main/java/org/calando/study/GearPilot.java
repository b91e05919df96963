package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.calando.control.DecisionLog;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearState;
import org.calando.engine.FileTarget;
import org.calando.engine.GearBox;
import org.calando.gears.HdfsGears;
import org.calando.gears.Member;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileProgress;
import org.calando.report.column.GearFigures;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 *   pieces read and written --> load of the last period --> PolicyLoop --> GearBox, a thread of its own
 *
 * Decisions go on while a shift is under way; what is decided then holds if it is still decided at its end. The run
 * begins on a Monday, 00:00, as in the simulator.
 */
/**
 * Has a policy of gears in force in a run on a real HDFS. The policy is the same object as in the
 * simulator. Thread safe.
 */
final class GearPilot implements RunEdges, AutoCloseable {
  private final GearBox box;
  private final HdfsGears gears;
  private final FileLoad load;
  private final PolicyLoop<GearState> loop;
  private final double speed;
  private final Consumer<String> failed;
  private final ScheduledExecutorService decider = thread("calando-gear-policy");
  private final ExecutorService shifter = thread("calando-gear-shift");
  private final List<GearShift> shifts = new ArrayList<>();
  private final DecisionLog log;
  private final long begunNanos = System.nanoTime();
  private FileProgress last;
  private long lastNanos = begunNanos;
  private @Nullable Future<?> shift;
  private boolean measured;
  private boolean closed;

  private GearPilot(
      GearBox box,
      HdfsGears gears,
      FileLoad load,
      PolicyLoop<GearState> loop,
      double speed,
      DecisionLog log,
      Consumer<String> failed) {
    this.box = box;
    this.gears = gears;
    this.load = load;
    this.loop = loop;
    this.speed = speed;
    this.log = log;
    this.failed = failed;
    this.last = load.progress();
  }

  /**
   * Begins to decide, in the highest gear.
   *
   * @param choice a policy
   * @param load whose progress is observed
   * @param files of the run
   * @param failed is told, from another thread, if a shift fails
   */
  static GearPilot start(
      FileTarget target,
      StudySpec study,
      RunConfig run,
      GearChoice choice,
      FileLoad load,
      RunFiles files,
      Consumer<String> failed) {
    long periodNanos = study.monitor().periodNanos();
    GearPilot pilot =
        new GearPilot(
            target.box(),
            target.gears(),
            load,
            new PolicyLoop<>(RunControllers.gears(study, run, choice), target.gears().target()),
            RunControllers.speed(run),
            files.decisions(),
            failed);
    var unused =
        pilot.decider.scheduleWithFixedDelay(
            pilot::tick, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    return pilot;
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private synchronized void tick() {
    if (closed) {
      return;
    }
    try {
      decide();
    } catch (RuntimeException e) {
      closed = true;
      failed.accept("the policy of gears failed: " + first(e));
    }
  }

  private void decide() {
    Future<?> under = shift;
    boolean shifting = under != null && !under.isDone();
    int gear = box.gear();
    GearObservation observation = observation(gear, shifting);
    Decision<GearState> decision = loop.decide(observation);
    log.decided(decision, shifting ? "shifting from gear " + gear : "gear " + gear);
    int wanted = decision.value(KnobId.GEAR).orElse(gear);
    if (!shifting && wanted != gear) {
      int to = Math.min(wanted, box.highest());
      boolean counts = measured;
      shift = shifter.submit(() -> shift(to, counts));
    }
  }

  private GearObservation observation(int gear, boolean shifting) {
    long now = System.nanoTime();
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
        gears.target(),
        gear,
        shifting ? 0 : notServing(gear),
        Optional.of(new GearObservation.Load(now, pieces / seconds, written / seconds)));
  }

  private int notServing(int gear) {
    int on = box.groups().nodesIn(gear);
    return (int)
        gears.members().stream()
            .filter(member -> member.number() <= on)
            .filter(member -> !member.live() || member.service() != Member.Service.IN_SERVICE)
            .count();
  }

  private void shift(int to, boolean counts) {
    try {
      GearShift done = box.shift(to);
      synchronized (this) {
        if (counts) {
          shifts.add(done);
        }
      }
    } catch (RuntimeException e) {
      stop("the shift to gear " + to + " failed: " + first(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop("the shift to gear " + to + " was interrupted");
    }
  }

  private synchronized void stop(String why) {
    closed = true;
    failed.accept(why);
  }

  private static String first(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    log.measurementBegan(nanos);
    measured = true;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    log.measurementEnded();
    measured = false;
    closed = true;
  }

  /** Ends, as {@link #close} does, and tells what it came to in the measured window. */
  GearFigures end() {
    finish();
    synchronized (this) {
      return GearFigures.of(shifts);
    }
  }

  /** Decides no more, and waits for the shift that is under way. Idempotent. */
  @Override
  public void close() {
    finish();
  }

  private void finish() {
    synchronized (this) {
      closed = true;
    }
    decider.shutdownNow();
    shifter.shutdown();
    awaitShift();
  }

  private void awaitShift() {
    Future<?> under;
    synchronized (this) {
      under = shift;
    }
    if (under == null) {
      return;
    }
    try {
      under.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      shifter.shutdownNow();
    } catch (ExecutionException e) {
      throw new IllegalStateException("shifting", e.getCause());
    }
  }
}
