package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.calando.control.DecisionLog;
import org.calando.core.observe.ObservedSession;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.Session;
import org.calando.core.workload.Workload;
import org.calando.load.Levels;
import org.calando.report.column.LevelFigures;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimLevels;
import org.calando.sim.control.SimTelemetry;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.LevelPair;
import org.calando.studyfile.MonitorSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Decides the level of reads while a simulated run goes, and keeps account of it, as {@link
 * LevelControl} does on a real cluster; at a fixed level it only observes. Belongs to the
 * simulation's thread.
 */
final class SimulatedLevels implements RunEdges, AutoCloseable {
  private final LevelPair pair;
  private final int replicas;
  private final SimLevels levels;
  private final DecisionLog log;
  private final LevelAccount account;
  private final ReadCounts counts = new ReadCounts();
  private @Nullable ObservedSession observed;
  private long requestsAtBegin;
  private long requestsAtEnd;

  private SimulatedLevels(
      StudySpec study,
      RunConfig run,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    this.pair = run.levels();
    MonitorSpec monitor = study.monitor();
    SimTelemetry.Settings telemetry =
        new SimTelemetry.Settings(
            workload.table(),
            study.store().placement(),
            run.levels().write(),
            monitor.canariesPerSecond(),
            Double.NaN,
            run.seed());
    SimLevels.Settings settings =
        new SimLevels.Settings(telemetry, monitor.periodNanos(), monitor.windowNanos());
    SafeLevel safe = settings.safe();
    Policy<?> policy = RunControllers.levels(study, run);
    ReadChoice fallback = LevelControl.fallback(policy, safe, telemetry.replicas());
    LagModel model =
        RunControllers.adaptive(study, run)
            .map(AdaptivePolicy::ofOneRead)
            .orElse(LagModel.MEASURED);
    ReadLevels readLevels = new ReadLevels(telemetry.replicas(), telemetry.isLocal());
    this.replicas = telemetry.replicas();
    this.account = new LevelAccount(readLevels, safe);
    this.log = files.decisions();
    this.levels =
        new SimLevels(
            cluster,
            scheduler,
            settings,
            policy,
            model,
            fallback,
            List.of(log.ofTable(policy, readLevels, safe), account::decided));
  }

  /** What decides the level of a run's reads; null where it is fixed and nobody is to observe. */
  static @Nullable SimulatedLevels start(
      StudySpec study,
      RunConfig run,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    return LevelControl.isNeeded(study, run)
        ? new SimulatedLevels(study, run, workload, cluster, scheduler, files)
        : null;
  }

  /** The same session, from whose operations this learns. */
  Session observing(Session session) {
    ObservedSession both = new ObservedSession(session, levels.sketch());
    observed = both;
    return both;
  }

  /** The levels of the next operation. */
  Supplier<Levels> levels() {
    if (pair.fixedRead().isPresent()) {
      Levels always = new Levels(pair.fixedRead().get(), pair.write());
      return () -> always;
    }
    return levels.levels();
  }

  @Override
  public void measurementBegan(long nanos) {
    requestsAtBegin = levels.telemetry().requests();
    log.measurementBegan(nanos);
    account.measurementBegan();
    counts.began(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public void measurementEnded(long nanos) {
    counts.ended(Objects.requireNonNull(observed).readsByLevel());
    account.measurementEnded();
    log.measurementEnded();
    requestsAtEnd = levels.telemetry().requests();
  }

  /**
   * What it came to in the measured window.
   *
   * @param secondReads reads at ALL that were made only to compare with others
   */
  LevelFigures figures(long secondReads) {
    return account.figures(
        counts.meanReplicas(replicas, secondReads), requestsAtEnd - requestsAtBegin, Double.NaN);
  }

  /** What a reader of the run's figures should know. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    long missed = levels.state().missed();
    if (missed > 0) {
      notes.add(missed + " observations came late, failed or could not be decided on");
    }
    levels.telemetry().failures().ifPresent(notes::add);
    account.note().ifPresent(notes::add);
    return notes;
  }

  @Override
  public void close() {
    levels.close();
  }
}
