package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.clock.LeaseFolders;
import org.calando.control.file.AtomicFiles;
import org.calando.core.FailedWorkException;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.Recorder;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunRecord;
import org.calando.report.column.SimColumns;
import org.calando.report.column.StaleFigures;
import org.calando.sim.SimStore;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.study.sim.SimulatedClusters;
import org.calando.studyfile.SimSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 * The course of a run, all of it in simulated time:
 *
 *   all records on all replicas | warm-up | measured | drain
 *   0                                     ^          ^ edges are read here
 *
 * Nothing of it depends on the machine, its clock or other runs, so the same run gives the same
 * bytes wherever, whenever and beside whatever it is carried out.
 */
/**
 * Carries out runs on simulated clusters, a new one for each; the run's seed is that of all that is
 * random. Thread safe: runs share nothing.
 */
final class SimulatedRun implements RunExecutor {
  /** Keys that are checked at most, whatever the memory: figures must not depend on the machine. */
  private static final long MAX_CHECKED_KEYS = 1L << 27;

  private static final long LOADED_VERSION = 1;
  private static final int EVENTS_BETWEEN_LOOKS = 1 << 16;

  private final StudySpec study;
  private final SimulatedClusters clusters;
  private final StopSignal stop;
  private final Optional<LeaseFolders> leases;
  private final Progress progress;

  SimulatedRun(
      StudySpec study,
      SimulatedClusters clusters,
      StopSignal stop,
      Optional<LeaseFolders> leases,
      Progress progress) {
    this.study = study;
    this.clusters = clusters;
    this.stop = stop;
    this.leases = leases;
    this.progress = progress;
  }

  @Override
  public RunRecord execute(RunConfig run, RunFiles files, String heading)
      throws InterruptedException {
    stop.check();
    Simulation simulation = new Simulation();
    SimCluster cluster = clusters.start(simulation, run.tokens(), run.seed());
    RunLoad runLoad = new RunLoad(run);
    Workload workload = runLoad.workload();
    StalenessOracle oracle = runLoad.newOracle(MAX_CHECKED_KEYS);
    SimStore store = new SimStore(cluster);
    store.prepare(workload.tableSpec());
    cluster.load(workload.insertStart(), workload.insertCount(), LOADED_VERSION);
    oracle.loaded(workload.insertStart(), workload.insertCount());
    @Nullable DualRead dual =
        study.staleness() == StudySpec.Staleness.DUAL_READ ? new DualRead(runLoad.slots()) : null;
    SimScheduler scheduler = new SimScheduler(simulation);
    SimulatedMeter meter =
        new SimulatedMeter(
            cluster, clusters.cpuShare(), scheduler, study.power().intervalNanos(), files::row);
    SimulatedEvents events = new SimulatedEvents(study, run, cluster, scheduler);
    try (Session session = store.open(runLoad.slots());
        SimulatedLevels levels =
            SimulatedLevels.start(study, run, workload, cluster, scheduler, files);
        SimulatedClocks clocks =
            SimulatedClocks.start(
                study, run, workload, cluster, clusters.cpuShare(), scheduler, files);
        SimulatedGears gears =
            SimulatedGears.start(study, run, workload, cluster, scheduler, files);
        BufferControl buffers =
            BufferControl.simulated(study, run, workload, cluster, scheduler, files);
        RunKnobs knobs =
            RunKnobs.start(study, run, store, leases, scheduler, files, progress::line)) {
      DeferralWatch deferral =
          session
              .find(DeferredWrites.class)
              .filter(writes -> isDeferred(run))
              .map(writes -> new DeferralWatch(writes, run.promised(study)))
              .orElse(null);
      List<RunEdges> others = new ArrayList<>();
      Optional.ofNullable(deferral).ifPresent(others::add);
      Optional.ofNullable(buffers).ifPresent(others::add);
      Optional.ofNullable(knobs).ifPresent(others::add);
      IntervalListener watch = watch(files, meter, events, levels, clocks, gears, others);
      LoadRun load =
          new LoadRun(
              levels == null ? runLoad.spec(dual) : runLoad.spec(dual, levels.levels()),
              levels == null ? session : levels.observing(session),
              oracle,
              new Recorder(watch, files.latencies(), 0),
              scheduler);
      load.start();
      runToEnd(simulation, load, run);
      meter.end();
      events.csv().ifPresent(csv -> AtomicFiles.write(files.folder().resolve("events.csv"), csv));
      LoadResult result = load.result();
      Staleness staleness = oracle.snapshot();
      List<String> notes = LoadFindings.notes(result, staleness, session);
      if (levels != null) {
        notes.addAll(levels.notes());
      }
      Optional<DeferralFigures> deferred =
          Optional.ofNullable(deferral).flatMap(DeferralWatch::figures);
      if (buffers != null) {
        notes.addAll(buffers.notes(deferred));
      }
      long lostHints = cluster.counts().hintsLost();
      if (lostHints > 0) {
        notes.add(
            ("%d writes for nodes that were away were lost, as there was room for %d hints of a node"
                    + " (store.sim.max-hints): their keys stay stale there until they are repaired or"
                    + " written again")
                .formatted(lostHints, cluster.config().mostHints()));
      }
      RunRecord found =
          new RunRecord()
              .add(result)
              .add(new StaleFigures(staleness, Optional.ofNullable(dual)))
              .add(SimulatedMeter.INFO)
              .give(
                  EnergyColumns.CLIENT_CPU_S,
                  clusters.clientSeconds(
                      meter.clientBusySeconds(), result.operations(), result.measuredSeconds()))
              .give(BufferColumns.AT_RISK, isDeferred(run) ? meter.atRisk() : Double.NaN)
              .give(SimColumns.LOST_HINTS, (double) lostHints)
              .note(notes);
      Optional.ofNullable(meter.measured()).ifPresent(found::add);
      Optional.ofNullable(levels)
          .ifPresent(each -> found.add(each.figures(dual == null ? 0 : dual.pairs())));
      Optional.ofNullable(clocks).flatMap(SimulatedClocks::figures).ifPresent(found::add);
      Optional.ofNullable(gears).flatMap(SimulatedGears::figures).ifPresent(found::add);
      deferred.ifPresent(found::add);
      Optional.ofNullable(knobs).ifPresent(each -> each.record(found));
      LoadFindings.failure(workload, result, staleness, study.maxErrors())
          .or(events::failure)
          .ifPresent(found::fail);
      return found;
    }
  }

  private boolean isDeferred(RunConfig run) {
    return run.writeBuffer().isPresent()
        || SimSpec.of(study.store()).flatMap(sim -> sim.model().deferral().buffer()).isPresent();
  }

  private static IntervalListener watch(
      RunFiles files,
      SimulatedMeter meter,
      SimulatedEvents events,
      @Nullable SimulatedLevels levels,
      @Nullable SimulatedClocks clocks,
      @Nullable SimulatedGears gears,
      List<RunEdges> others) {
    return new IntervalListener() {
      @Override
      public void interval(Interval interval) {
        files.interval(interval);
        if (clocks != null) {
          clocks.interval(interval);
        }
      }

      @Override
      public void measurementBegan(long nanos) {
        meter.measurementBegan();
        if (clocks != null) {
          clocks.measurementBegan(nanos);
        }
        if (gears != null) {
          gears.measurementBegan(nanos);
        }
        events.begin();
        if (levels != null) {
          levels.measurementBegan(nanos);
        }
        others.forEach(other -> other.measurementBegan(nanos));
      }

      @Override
      public void measurementEnded(long nanos) {
        others.forEach(other -> other.measurementEnded(nanos));
        if (levels != null) {
          levels.measurementEnded(nanos);
        }
        events.end();
        if (clocks != null) {
          clocks.measurementEnded(nanos);
        }
        if (gears != null) {
          gears.measurementEnded(nanos);
        }
        meter.measurementEnded(nanos);
      }

      @Override
      public void mayHaveEnded(long nanos) {
        meter.mayHaveEnded();
        if (clocks != null) {
          clocks.mayHaveEnded();
        }
        if (gears != null) {
          gears.mayHaveEnded();
        }
      }
    };
  }

  private void runToEnd(Simulation simulation, LoadRun load, RunConfig run)
      throws InterruptedException {
    int untilLook = EVENTS_BETWEEN_LOOKS;
    while (!load.isDone()) {
      if (!simulation.step()) {
        throw new FailedWorkException(
            "the simulation stands still before its load has ended",
            "run " + run.id(),
            "this is a defect of the simulator");
      }
      if (--untilLook == 0) {
        untilLook = EVENTS_BETWEEN_LOOKS;
        stop.check();
        if (Thread.interrupted()) {
          throw new InterruptedException("something else has ended the study");
        }
      }
    }
  }
}
