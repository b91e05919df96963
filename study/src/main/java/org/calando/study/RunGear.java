package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.GearControl;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.knob.GearChoice;
import org.calando.knob.RunPart;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;

/*
 *   operations of clients --> load of the last period --> ControlLoop --> GearControl, a thread of its own
 *
 * Decisions go on while a shift is under way; what is decided then holds if it is still decided at its end. The run
 * begins on a Monday, 00:00, as in the simulator.
 */
/**
 * The gear of a real cluster in one run, which begins and ends with all nodes on: a fixed lower
 * gear is shifted to before it, and back after it; a policy begins in the highest. Used by the
 * run's thread.
 */
final class RunGear {
  private final RunTask task;
  private final GearControl box;
  private final List<GearShift> shifts = new ArrayList<>();
  private final AtomicBoolean hasTold = new AtomicBoolean();

  RunGear(RunTask task, GearControl box) {
    this.task = task;
    this.box = box;
    box.hear(this::tell);
  }

  private void tell(String line) {
    task.progress().line(task.heading() + line);
  }

  /**
   * What shifts the gear of a cluster of keys that runs set; empty if none does.
   *
   * @throws BadRequestException if the cluster does not have it, or nodes of it are off already
   */
  static Optional<GearControl> require(List<RunConfig> runs, Target target) {
    if (runs.stream().allMatch(run -> run.gear().isEmpty())) {
      return Optional.empty();
    }
    GearControl box = target.find(GearControl.Source.class).orElseThrow().gears();
    if (box.isOpen() || box.gear() < box.highest()) {
      throw new BadRequestException(
          box.isOpen()
              ? "a shift of its gear was begun and not ended"
              : "nodes of it are off: it is in gear " + box.gear(),
          "matrix.gear",
          "see ./calando gear status, then "
              + box.remedy()
              + ", and begin this again with --resume");
    }
    return Optional.of(box);
  }

  /** The gear that the run goes on in; the highest where a policy chooses, or nothing is said. */
  private int fixed() {
    return task.run()
        .gear()
        .filter(GearChoice::isFixed)
        .map(GearChoice::gear)
        .orElse(box.highest());
  }

  /** Shifts down, if the run is to go on in a lower gear. */
  void begin() throws InterruptedException {
    int gear = fixed();
    if (gear < box.highest()) {
      task.stop().check();
      task.status("shifting down to gear " + gear);
      shifts.add(shift(gear));
    }
  }

  /** Shifts, to the end also where the command is to end meanwhile. */
  private GearShift shift(int to) throws InterruptedException {
    StopSignal.Registration finishing = finishing();
    try (finishing) {
      return box.shift(to);
    }
  }

  /** Has the end wait for a shift, but that of a cluster which ends with it, and says so then. */
  private StopSignal.Registration finishing() {
    if (endsWithStudy()) {
      return () -> {};
    }
    StopSignal.Registration finishing = task.stop().finishing();
    StopSignal.Registration telling = task.stop().onRequest(this::tellWait);
    return () -> {
      telling.close();
      finishing.close();
    };
  }

  private void tellWait() {
    if (!hasTold.getAndSet(true)) {
      tell(
          "nodes that are off are switched on before this ends, which takes a minute or more; a"
              + " second Ctrl-C ends it now, and leaves them off");
    }
  }

  private boolean endsWithStudy() {
    return task.study().store().local().isPresent();
  }

  /** Tells somebody of nodes that go off and come on, as long as the run goes. */
  void tell(NodePresence presence, RunParts parts) {
    box.tell(presence);
    parts.closes(() -> box.tell(NodePresence.IGNORED));
  }

  /**
   * Begins to decide, if a policy chooses the gear.
   *
   * @param load of the last period; empty if it is not known
   */
  void pilot(RunParts parts, Supplier<Optional<GearObservation.Load>> load) {
    if (task.run().gear().filter(choice -> !choice.isFixed()).isPresent()) {
      parts.add(new Pilot(this, load));
    }
  }

  /** Shifts back, and adds what shifts came to. */
  void restore(RunRecord found) throws InterruptedException {
    if (box.gear() < box.highest()) {
      task.status("shifting up to gear " + box.highest());
      GearShift back = shift(box.highest());
      if (fixed() < box.highest()) {
        shifts.add(back);
      }
    }
    if (found.find(GearFigures.class).isEmpty() && task.run().gear().isPresent()) {
      found.add(GearFigures.of(shifts));
    }
  }

  /**
   * Has all nodes on whatever became of the run; a cluster that ends with the study goes as it is.
   *
   * @throws FailedWorkException if a step fails: the plan stays open
   */
  void close() {
    if (endsWithStudy() && task.stop().isRequested()) {
      return;
    }
    // The signal that interrupted the run is not to keep nodes off; nor can files be read then.
    boolean interrupted = Thread.interrupted();
    try {
      if (box.isOpen() || box.gear() < box.highest()) {
        back();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted && !task.stop().isCutOff()) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void back() throws InterruptedException {
    try {
      StopSignal.Registration finishing = finishing();
      try (finishing) {
        tell("shifting up to gear " + box.highest());
        box.settle();
        if (box.gear() < box.highest()) {
          var unused = box.shift(box.highest());
        }
      }
    } catch (StopSignal.StoppedException | InterruptedException e) {
      tellLeft("", e);
      throw e;
    } catch (RuntimeException e) {
      // A run that failed before, or was told to end, is reported without this.
      Object why = e instanceof CalandoException ? e.getMessage() : e;
      tellLeft(task.stop().isCutOff() ? "" : ": " + why, e);
      throw e;
    }
  }

  private void tellLeft(String why, Exception cause) {
    boolean unused = Thread.interrupted(); // files are read
    String then = "./calando gear status";
    try {
      then = box.remedy();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
    tell("nodes are left off" + why + "\n  then: " + then);
  }

  /** Has a policy, as the simulator does, shift gears while a run goes. Thread safe. */
  private static final class Pilot implements RunPart, HeldGear.Shifts {
    /** Asking a cluster that is gone takes its client so long at most. */
    private static final long DEADLINE_NANOS = 600_000_000_000L;

    private final RunGear run;
    private final GearControl box;
    private final Supplier<Optional<GearObservation.Load>> load;
    private final double speed;
    private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-gear-policy");
    private final ExecutorService asker = thread("calando-gear-watch");
    private final ExecutorService shifter = thread("calando-gear-shift");
    private final List<GearShift> shifts = new ArrayList<>();
    private final ControlLoop<?> loop;
    private final HeldGear actor =
        new HeldGear(this, false, HeldGear.OnFailure.END, false, this::looked);
    private final long begunNanos = System.nanoTime();
    private boolean measured;
    private boolean stopped;

    /**
     * Begins to decide, in the highest gear.
     *
     * @param load of the last period; empty if it is not known
     */
    Pilot(RunGear run, Supplier<Optional<GearObservation.Load>> load) {
      RunTask task = run.task;
      this.run = run;
      this.box = run.box;
      this.load = load;
      this.speed = RunControllers.speed(task.run());
      GearPolicy policy = RunControllers.gears(task.study(), task.run()).orElseThrow();
      long periodNanos = task.study().monitor().periodNanos();
      this.loop =
          ControlLoop.asking(
                  scheduler,
                  new PolicyLoop<>(policy, box.target()),
                  now -> CompletableFuture.supplyAsync(this::observe, asker),
                  actor)
              .periodNanos(periodNanos)
              .firstNanos(periodNanos)
              .deadlineNanos(DEADLINE_NANOS)
              .listener(task.files().decisions())
              .start();
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
      int gear = box.gear();
      int failed = actor.isUnderWay() ? 0 : box.notServing(gear);
      Optional<GearObservation.Load> known = load.get();
      // After all that it knows: asking nodes takes seconds where they are busy.
      long now = System.nanoTime();
      return new GearObservation(
          now,
          (long) Math.floor((now - begunNanos) / 1e9 * speed),
          box.target(),
          gear,
          failed,
          known);
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
        GearShift done = run.shift(to);
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

    /** {@inheritDoc} Such as by hints that are not delivered yet; it is tried again later. */
    @Override
    public boolean isRefusal(CalandoException why) {
      return !box.isOpen();
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

    private void stop(String why) {
      synchronized (this) {
        if (stopped) {
          return;
        }
        stopped = true;
      }
      // Not while this is locked: the loop's end waits for whoever decides, who may wait for this.
      loop.close();
      run.task.cluster().failed(why);
    }

    @Override
    public synchronized void measurementBegan(long nanos) {
      measured = true;
    }

    @Override
    public void measurementEnded(long nanos) {
      synchronized (this) {
        measured = false;
        stopped = true;
      }
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
}
