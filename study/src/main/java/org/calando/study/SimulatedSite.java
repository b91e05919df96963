package org.calando.study;

import java.util.List;
import java.util.Optional;
import org.calando.clock.LeaseFolders;
import org.calando.core.FailedWorkException;
import org.calando.core.store.Capable;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.engine.NodePresence;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.RunPart;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunRecord;
import org.calando.report.column.SimColumns;
import org.calando.sim.SimStore;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.study.event.SimulatedControl;
import org.calando.study.sim.SimulatedClusters;
import org.calando.studyfile.sim.SimSpec;

/**
 * A simulated cluster of one run, whose seed is that of all that is random, and what goes on beside
 * the run's load, in simulated time. Belongs to the run's thread; runs share nothing.
 */
final class SimulatedSite implements KeyValueWork.Site, RunPart {
  /** Keys that are checked at most, whatever the memory: figures must not depend on the machine. */
  private static final long MAX_CHECKED_KEYS = 1L << 27;

  private static final long LOADED_VERSION = 1;
  private static final int EVENTS_BETWEEN_LOOKS = 1 << 16;

  private final RunTask task;
  private final SimulatedClusters clusters;
  private final Optional<LeaseFolders> leases;
  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster;
  private final SimStore store;
  private final SimulatedMeter meter;

  /**
   * A new cluster.
   *
   * @param leases where it is noted how knobs were; empty if none is set
   */
  SimulatedSite(RunTask task, SimulatedClusters clusters, Optional<LeaseFolders> leases) {
    this.task = task;
    this.clusters = clusters;
    this.leases = leases;
    this.cluster = clusters.start(simulation, task.run().tokens(), task.run().seed());
    this.store = clusters.store(cluster);
    this.meter =
        new SimulatedMeter(
            cluster,
            clusters.cpuShare(),
            scheduler,
            task.study().power().intervalNanos(),
            task.files()::row);
  }

  @Override
  public KeyValueStore store() {
    return store;
  }

  @Override
  public StalenessOracle oracle(RunLoad load) {
    return load.newOracle(MAX_CHECKED_KEYS);
  }

  @Override
  public long epochMillis() {
    return 0;
  }

  @Override
  public void fill(RunLoad load, StalenessOracle oracle) {
    Workload workload = load.workload();
    store.prepare(workload.tableSpec());
    cluster.load(workload.insertStart(), workload.insertCount(), LOADED_VERSION);
    oracle.loaded(workload.insertStart(), workload.insertCount());
  }

  @Override
  public SessionRequest session(SessionRequest request, RunParts parts) {
    return request;
  }

  @Override
  public void begin(RunLoad load, Session session, RunParts parts) throws InterruptedException {
    parts.add(meter);
    parts.add(
        RunEvents.of(
            task, () -> new SimulatedControl(cluster, scheduler), NodePresence.IGNORED, scheduler));
    if (isDeferred()) {
      KeyValueWork.deferral(task, session, false).ifPresent(parts::add);
    }
    Capable knobs = RealSite.knobs(store, session);
    RunKnobs.drive(task, knob -> true, load.workload(), knobs, parts, name -> scheduler);
    parts.add(RunKnobs.start(task, store, leases, scheduler));
    parts.add(this);
  }

  private boolean isDeferred() {
    return DrivenKnobs.of(task.run().point()).stream().anyMatch(DrivenKnob::isOfWrites)
        || SimSpec.of(task.study().store())
            .flatMap(sim -> sim.model().deferral().buffer())
            .isPresent();
  }

  @Override
  public LoadResult carryOut(KeyValueWork.Generator generator) throws InterruptedException {
    LoadRun load = generator.on(scheduler, scheduler);
    load.start();
    int untilLook = EVENTS_BETWEEN_LOOKS;
    while (!load.isDone()) {
      if (!simulation.step()) {
        throw new FailedWorkException(
            "the simulation stops before its load has ended",
            "run " + task.run().id(),
            "this is a defect of the simulator");
      }
      if (--untilLook == 0) {
        untilLook = EVENTS_BETWEEN_LOOKS;
        task.stop().check();
        if (Thread.interrupted()) {
          throw new InterruptedException("something else has ended the study");
        }
      }
    }
    return load.result();
  }

  @Override
  public void record(RunRecord found) {
    LoadResult result = found.find(LoadResult.class).orElseThrow();
    long lostHints = cluster.counts().hintsLost();
    if (lostHints > 0) {
      found.note(
          List.of(
              ("%d writes for nodes that were away were lost, as there was room for %d hints of a"
                      + " node (store.sim.max-hints): their keys stay stale there until they are"
                      + " repaired or written again")
                  .formatted(lostHints, cluster.config().absences().mostHints())));
    }
    found
        .give(
            EnergyColumns.CLIENT_CPU_S,
            clusters.clientSeconds(
                meter.clientBusySeconds(), result.operations(), result.measuredSeconds()))
        .give(BufferColumns.AT_RISK, isDeferred() ? meter.atRisk() : Double.NaN)
        .give(SimColumns.LOST_HINTS, (double) lostHints);
  }
}
