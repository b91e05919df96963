package org.calando.study;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearLoop;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.gears.HdfsGears;
import org.calando.gears.Member;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileProgress;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.RateSpec;
import org.jspecify.annotations.Nullable;

/*
 *   pieces read and written --> load of the last period --> GearLoop, policy --> GearBox, a thread of its own
 *
 * Decisions go on while a shift is under way; what is decided then holds if it is still decided at its end. The run
 * begins on a Monday, 00:00, as in the simulator.
 */
/**
 * Has a policy of gears in force in a run on a real HDFS. The policy is the same object as in the
 * simulator. What it decided is in {@code gears.csv} of the run's folder. Thread safe.
 */
final class GearPilot implements RunEdges, AutoCloseable {
  /** What a process takes to end, with the looks before. */
  private static final double OFF_SECONDS = 5;

  /** Of moving data, as it was measured here: see docs/benchmarks.md. */
  private static final double MOVED_BYTES_PER_SECOND = 50e6;

  private static final double MOVE_CPU_SECONDS_PER_BYTE = 2e-8;

  private final GearBox box;
  private final HdfsGears gears;
  private final FileLoad load;
  private final GearLoop loop;
  private final double speed;
  private final Consumer<String> failed;
  private final ScheduledExecutorService decider = thread("calando-gear-policy");
  private final ExecutorService shifter = thread("calando-gear-shift");
  private final List<GearShift> shifts = new ArrayList<>();
  private final BufferedWriter log;
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
      GearLoop loop,
      double speed,
      BufferedWriter log,
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
   * @param nodePerSecond pieces a second that a node serves
   * @param periodNanos from one decision to the next
   * @param load whose progress is observed
   * @param folder of the run
   * @param failed is told, from another thread, if a shift fails
   */
  static GearPilot start(
      HdfsTarget target,
      RunConfig run,
      GearChoice choice,
      NodeProfile profile,
      double nodePerSecond,
      long periodNanos,
      FileLoad load,
      Path folder,
      Consumer<String> failed) {
    GearModel model = model(target.box(), profile, nodePerSecond);
    double speed = run.rate().map(RateSpec::speed).orElse(1.0);
    GearPilot pilot =
        new GearPilot(
            target.box(),
            target.gears(),
            load,
            new GearLoop(choice.policy(model, speed, periodNanos)),
            speed,
            log(folder),
            failed);
    var unused =
        pilot.decider.scheduleWithFixedDelay(
            pilot::tick, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    return pilot;
  }

  private static GearModel model(GearBox box, NodeProfile profile, double nodePerSecond) {
    return LayoutGears.of(
        box.layout(),
        profile,
        nodePerSecond,
        OFF_SECONDS,
        MOVED_BYTES_PER_SECOND,
        profile.marginalJoulesPerCpuSecond() * MOVE_CPU_SECONDS_PER_BYTE,
        0);
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private static BufferedWriter log(Path folder) {
    Path file = folder.resolve("gears.csv");
    try {
      BufferedWriter log = Files.newBufferedWriter(file);
      log.write("second,gear,decided,shifting,pieces_per_s,failed_nodes,reason\n");
      return log;
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(file, e);
    }
  }

  private synchronized void tick() {
    if (closed) {
      return;
    }
    try {
      decide();
    } catch (RuntimeException | IOException e) {
      closed = true;
      failed.accept("the policy of gears failed: " + first(e));
    }
  }

  private void decide() throws IOException {
    Future<?> under = shift;
    boolean shifting = under != null && !under.isDone();
    int gear = box.gear();
    GearObservation observation = observation(gear, shifting);
    GearLoop.Decided decided = loop.decide(observation);
    log(observation, decided, shifting);
    if (!shifting && decided.gear() != gear) {
      int to = Math.min(decided.gear(), box.highest());
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

  private void log(GearObservation observation, GearLoop.Decided decided, boolean shifting)
      throws IOException {
    log.write(
        String.format(
            Locale.ROOT,
            "%.1f,%d,%d,%d,%.1f,%d,%s%n",
            (observation.atNanos() - begunNanos) / 1e9,
            observation.gear(),
            decided.gear(),
            shifting ? 1 : 0,
            observation.load().map(GearObservation.Load::perSecond).orElse(0.0),
            observation.failedNodes(),
            ResultRow.quote(String.join("; ", decided.step().reasons()))));
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
    measured = true;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
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
    try {
      log.close();
    } catch (IOException e) {
      failed.accept("gears.csv cannot be written: " + e.getMessage());
    }
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
