package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.GearControl;
import org.calando.engine.NodeGears;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.knob.GearChoice;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;

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

  RunGear(RunTask task, NodeGears box) {
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
  static Optional<NodeGears> require(List<RunConfig> runs, Target target) {
    if (runs.stream().allMatch(run -> run.gear().isEmpty())) {
      return Optional.empty();
    }
    NodeGears box = target.find(GearControl.Source.class).orElseThrow().gears();
    boolean isOpen = box.unfinished().isPresent();
    if (isOpen || box.gear() < box.highest()) {
      String off = "nodes of it are off: it is in gear " + box.gear();
      String remedy = box.remedy();
      box.close();
      throw new BadRequestException(
          isOpen ? "a shift of its gear was begun and not ended" : off,
          "matrix.gear",
          "see " + status(remedy) + ", then " + remedy + ", and begin this again with --resume");
    }
    return Optional.of(box);
  }

  /** The command that shows how all is, by the one that has all nodes on. */
  private static String status(String up) {
    return up.replaceFirst(" up\\b", " status").replaceFirst(" --(resume|undo)$", "");
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
      parts.add(new GearPilot(task, box, this::shift, load));
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
      if (box.unfinished().isPresent() || box.gear() < box.highest()) {
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
        box.shiftUp();
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
}
