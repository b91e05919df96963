package org.calando.study;

import java.util.Optional;
import org.calando.control.LoopState;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadLevels;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Workload;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimLevels;
import org.calando.sim.control.SimTelemetry;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Decides the level of reads while a simulated run goes, as {@link LevelControl} does on a real
 * cluster. Belongs to the simulation's thread.
 */
final class SimulatedLevels extends LevelRun {
  private final SimLevels levels;

  private SimulatedLevels(
      RunTask task, SimLevels.Settings settings, SimCluster cluster, SimScheduler scheduler) {
    super(
        task,
        new ReadLevels(settings.telemetry().replicas(), settings.telemetry().isLocal()),
        settings.safe());
    Policy<?> policy = RunControllers.levels(task.study(), task.run());
    this.levels =
        new SimLevels(
            cluster,
            scheduler,
            settings,
            policy,
            model(task.study(), task.run()),
            fallback(policy, settings.safe(), settings.telemetry().replicas()),
            listeners(policy));
  }

  /** What decides the level of a run's reads; null where it is fixed and nobody is to observe. */
  static @Nullable SimulatedLevels start(
      RunTask task, Workload workload, SimCluster cluster, SimScheduler scheduler) {
    StudySpec study = task.study();
    RunConfig run = task.run();
    if (!isNeeded(study, run)) {
      return null;
    }
    SimTelemetry.Settings telemetry =
        new SimTelemetry.Settings(
            workload.table(),
            study.store().placement(),
            run.levels().write(),
            study.monitor().canariesPerSecond(),
            Double.NaN,
            run.seed());
    SimLevels.Settings settings =
        new SimLevels.Settings(
            telemetry, study.monitor().periodNanos(), study.monitor().windowNanos());
    return new SimulatedLevels(task, settings, cluster, scheduler);
  }

  @Override
  PopularitySketch sketch() {
    return levels.sketch();
  }

  @Override
  ConsistencyLevel next() {
    return levels.next();
  }

  @Override
  LoopState state() {
    return levels.state();
  }

  @Override
  Optional<String> failures() {
    return levels.telemetry().failures();
  }

  @Override
  Spent spent() {
    return new Spent(levels.telemetry().requests(), Double.NaN);
  }

  @Override
  public void close() {
    levels.close();
  }
}
