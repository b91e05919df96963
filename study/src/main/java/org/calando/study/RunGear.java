package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.calando.engine.GearControl;
import org.calando.engine.GearedNodes;
import org.calando.engine.NodeGears;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.GearChoice;
import org.calando.knob.GearPilot;
import org.calando.knob.GearSchema;
import org.calando.knob.RunShifts;
import org.calando.knob.SharedGear;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;
import org.calando.studyfile.StudySpec;

/*
 *   operations of clients --> load of the last period --> ControlLoop --> NodeGears, a thread of its own
 *
 * Decisions go on while a shift is under way, and hold if they still do at its end. Runs begin on a Monday, 00:00.
 */
/**
 * The gear of a real cluster in one run, which begins and ends with all nodes on: a fixed lower
 * gear is shifted to before it, and back after it; a policy begins in the highest. Used by the
 * run's thread.
 */
final class RunGear {
  private final RunTask task;
  private final NodeGears box;
  private final List<GearShift> shifts = new ArrayList<>();
  private final AtomicBoolean hasTold = new AtomicBoolean();
  private StopSignal.Registration low = () -> {}; // has the end wait while nodes may be off

  RunGear(RunTask task, NodeGears box) {
    this.task = task;
    this.box = box;
    box.hear(this::tell);
  }

  private void tell(String line) {
    task.progress().line(task.heading() + line);
  }

  /**
   * What shifts the gear of a cluster of keys that runs set, and is held; empty if none does.
   *
   * @throws BadRequestException if the cluster does not have it, others do, or nodes of it are off
   */
  static Optional<NodeGears> require(StudySpec study, List<RunConfig> runs, Target target) {
    if (runs.stream().noneMatch(run -> isShifted(study, run))) {
      return Optional.empty();
    }
    NodeGears box = target.find(GearControl.Source.class).orElseThrow().gears();
    try {
      box.hold();
      box.requireAllOn("matrix.gear", "begin this again with --resume");
    } catch (RuntimeException e) {
      box.close();
      throw e;
    }
    return Optional.of(box);
  }

  /** Whether a run sets the gear, by itself or among other knobs. */
  static boolean isShifted(StudySpec study, RunConfig run) {
    return run.gear().isPresent()
        || (DrivenKnobs.of(run.point()).stream()
                .anyMatch(knob -> knob.covers().contains(GearSchema.AXIS.name()))
            && GearedNodes.model(study.store(), study.power().profile(), Optional.empty())
                .isPresent());
  }

  /** The gear that the run goes on in; the highest where a policy chooses, or nothing is said. */
  private int fixed() {
    return task.run()
        .gear()
        .filter(GearChoice::isFixed)
        .map(GearChoice::gear)
        .orElse(box.highest());
  }

  /**
   * Shifts down, if the run is to go on in a lower gear. What is off though nothing of this run had
   * it go off, such as by a shift of others that was not ended, is switched on before.
   *
   * @throws FailedWorkException if a step fails, or a node that is to be on does not serve
   */
  void begin() throws InterruptedException {
    if (box.isLow()) {
      task.stop().check();
      task.status("shifting up to gear " + box.highest());
      up();
    }
    int gear = fixed();
    if (gear < box.highest()) {
      task.stop().check();
      // The end waits from here on, also while the run's parts close before nodes come back.
      low = finishing();
      task.status("shifting down to gear " + gear);
      shifts.add(shift(gear));
    }
    box.requireServing();
  }

  /** Shifts, to the end also where the command is to end meanwhile. */
  private GearShift shift(int to) throws InterruptedException {
    StopSignal.Registration finishing = finishing();
    try (finishing) {
      return box.shift(to);
    }
  }

  private void up() throws InterruptedException {
    StopSignal.Registration finishing = finishing();
    try (finishing) {
      box.shiftUp();
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
      low = finishing();
      parts.add(new Pilot(this, load));
    }
  }

  /** Has something decide on the gear that decides on more than it. */
  RunShifts share(RunParts parts, Supplier<Optional<GearObservation.Load>> load) {
    low = finishing();
    SharedGear shared = new SharedGear(flight(load));
    parts.add(shared);
    return shared;
  }

  /**
   * Shifts back, and adds what shifts came to. A node that does not serve fails the run; so does an
   * open plan, which {@link #close} ends.
   */
  void restore(RunRecord found) throws InterruptedException {
    boolean isOpen = box.unfinished().isPresent();
    if (isOpen) {
      found.fail("a shift of its gear was begun and not ended");
    } else if (!found.failed()) {
      box.failure().ifPresent(found::fail);
    }
    if (!isOpen && box.gear() < box.highest()) {
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
    StopSignal.Registration waiting = low;
    try (waiting) {
      if (box.isLow()) {
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
      tell("shifting up to gear " + box.highest());
      up();
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
    String then = box.status();
    try {
      then = box.remedy();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
    tell("nodes are left off" + why + "\n  then: " + then);
  }

  private GearPilot.Flight flight(Supplier<Optional<GearObservation.Load>> load) {
    double speed = RunControllers.speed(task.run());
    long begunNanos = System.nanoTime();
    return new GearPilot.Flight(
        box,
        this::shift,
        () -> (long) Math.floor((System.nanoTime() - begunNanos) / 1e9 * speed),
        load);
  }

  /** Has a policy, as the simulator does, shift gears while a run goes. Thread safe. */
  private static final class Pilot extends GearPilot {
    private static final String OTHERS =
        "a shift of its gear that is not of this run was begun and not ended";
    private final RunGear run;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final ControlLoop<?> loop;

    Pilot(RunGear run, Supplier<Optional<GearObservation.Load>> load) {
      super(run.flight(load));
      this.run = run;
      RunTask task = run.task;
      GearPolicy policy = RunControllers.gears(task.study(), task.run()).orElseThrow();
      this.loop =
          loop(
                  new PolicyLoop<>(policy, run.box.target()),
                  task.study().monitor().periodNanos(),
                  HeldGear.OnFailure.END,
                  false,
                  this::looked)
              .listener(task.files().decisions())
              .start();
    }

    /** {@inheritDoc} None was open when the run began: another shifts, too. */
    @Override
    protected void settle() {
      run.task.cluster().failed(OTHERS);
      throw new FailedWorkException(OTHERS, "matrix.gear", "see " + run.box.status());
    }

    private void looked(GearLook look) {
      if (look.decision().isEmpty()) {
        failed("the policy of gears failed: " + look.notNow().orElse("nothing was observed"));
      }
    }

    @Override
    protected void failed(String why) {
      if (!stopped.getAndSet(true)) {
        loop.close();
        run.task.cluster().failed(why);
      }
    }

    private void endLoop() {
      stopped.set(true);
      loop.close();
    }

    @Override
    public void measurementEnded(long nanos) {
      super.measurementEnded(nanos);
      endLoop();
    }

    @Override
    public void end() {
      close();
    }

    @Override
    public void close() {
      endLoop();
      super.close();
    }
  }
}
