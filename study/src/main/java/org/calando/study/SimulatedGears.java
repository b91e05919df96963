package org.calando.study;

import java.util.Optional;
import org.calando.control.DecisionLog;
import org.calando.core.workload.Workload;
import org.calando.report.column.GearFigures;
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
final class SimulatedGears implements RunEdges, AutoCloseable {
  private final SimGears gears;
  private final DecisionLog log;
  private SimGears.@Nullable Totals began;
  private SimGears.@Nullable Totals mayBe;
  private SimGears.@Nullable Totals ended;

  private SimulatedGears(
      StudySpec study,
      RunConfig run,
      GearChoice choice,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    this.log = files.decisions();
    this.gears =
        new SimGears(
            cluster,
            scheduler,
            new SimGears.Settings(
                study.monitor().periodNanos(),
                RunControllers.speed(run),
                SimulatedClocks.writeBytes(workload),
                noticeNanos(study, run)),
            RunControllers.gearModel(study, run),
            RunControllers.gears(study, run, choice),
            log);
  }

  /** What shifts a run's gears; null where all nodes are on. */
  static @Nullable SimulatedGears start(
      StudySpec study,
      RunConfig run,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    return run.gear().isEmpty()
        ? null
        : new SimulatedGears(study, run, run.gear().get(), workload, cluster, scheduler, files);
  }

  /** Where a policy chooses levels it has one decision at least before nodes leave. */
  private static long noticeNanos(StudySpec study, RunConfig run) {
    return run.levels().policy().isEmpty() ? 0 : 2 * study.monitor().periodNanos();
  }

  @Override
  public void measurementBegan(long nanos) {
    log.measurementBegan(nanos);
    began = gears.totals();
  }

  /** The measured window may end now: unless an operation that is under way ends later. */
  void mayHaveEnded() {
    mayBe = gears.totals();
  }

  @Override
  public void measurementEnded(long nanos) {
    log.measurementEnded();
    SimGears.Totals told = mayBe;
    ended = told != null && told.atNanos() == nanos ? told : gears.totals();
  }

  /** What it came to in the measured window; empty if that was not reached. */
  Optional<GearFigures> figures() {
    SimGears.Totals from = began;
    SimGears.Totals to = ended;
    return from == null || to == null
        ? Optional.empty()
        : Optional.of(
            GearFigures.simulated(
                to.shifts() - from.shifts(),
                to.bootJoules() - from.bootJoules(),
                to.movedBytes() - from.movedBytes()));
  }

  @Override
  public void close() {
    gears.close();
  }
}
