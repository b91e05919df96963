package org.calando.study;

import org.calando.core.workload.Workload;
import org.calando.knob.RunPart;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimGears;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Has a gear, or a policy of gears, in force in a simulated run, and keeps account of it. Belongs
 * to the simulation's thread.
 */
final class SimulatedGears implements RunPart {
  private final SimGears gears;
  private SimGears.@Nullable Totals began;
  private SimGears.@Nullable Totals mayBe;
  private SimGears.@Nullable Totals ended;

  /** Begins with all nodes on. */
  SimulatedGears(
      RunTask task,
      GearChoice choice,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler) {
    StudySpec study = task.study();
    RunConfig run = task.run();
    this.gears =
        new SimGears(
            cluster,
            scheduler,
            new SimGears.Settings(
                study.monitor().periodNanos(),
                RunControllers.speed(run),
                workload.meanWriteBytes(),
                noticeNanos(study, run)),
            RunControllers.gearModel(study, run),
            RunControllers.gears(study, run, choice),
            task.files().decisions());
  }

  /** Where a policy chooses levels it has one decision at least before nodes leave. */
  private static long noticeNanos(StudySpec study, RunConfig run) {
    return run.levels().policy().isEmpty() ? 0 : 2 * study.monitor().periodNanos();
  }

  @Override
  public void measurementBegan(long nanos) {
    began = gears.totals();
  }

  @Override
  public void mayHaveEnded(long nanos) {
    mayBe = gears.totals();
  }

  @Override
  public void measurementEnded(long nanos) {
    SimGears.Totals told = mayBe;
    ended = told != null && told.atNanos() == nanos ? told : gears.totals();
  }

  @Override
  public void record(RunRecord found) {
    SimGears.Totals from = began;
    SimGears.Totals to = ended;
    if (from != null && to != null) {
      found.add(
          GearFigures.simulated(
              to.shifts() - from.shifts(),
              to.bootJoules() - from.bootJoules(),
              to.movedBytes() - from.movedBytes()));
    }
  }

  @Override
  public void close() {
    gears.close();
  }
}
