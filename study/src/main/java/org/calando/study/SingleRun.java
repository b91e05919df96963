package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.clock.LeaseFolders;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.store.Capable;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.engine.RoledServers;
import org.calando.engine.Target;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Recorder;
import org.calando.report.column.RunRecord;
import org.calando.report.column.StaleFigures;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 * The course of a run:
 *
 *   truncate, load at ALL, settle | clocks settle | idle baseline | warm-up | measured | drain
 *                                                 ^ sampler starts         ^          ^
 *                                                                          edges are read here
 *
 * Then the table must still be ours: figures of a table that another study may have used are none.
 */

/** Carries out one run, from a clean table to its figures. Not thread safe. */
final class SingleRun implements RunExecutor {
  private static final Duration SETTLE_DEADLINE = Duration.ofSeconds(90);

  private final StudySpec study;
  private final KeyValueStore store;
  private final Target target;
  private final ClusterMetering metering;
  private final Optional<StudyClocks> clocks;
  private final Optional<LeaseFolders> leases;
  private final StopSignal stop;
  private final Progress progress;

  SingleRun(
      StudySpec study,
      KeyValueStore store,
      Target target,
      ClusterMetering metering,
      Optional<StudyClocks> clocks,
      Optional<LeaseFolders> leases,
      StopSignal stop,
      Progress progress) {
    this.study = study;
    this.store = store;
    this.target = target;
    this.metering = metering;
    this.clocks = clocks;
    this.leases = leases;
    this.stop = stop;
    this.progress = progress;
  }

  @Override
  public RunRecord execute(RunConfig run, RunFiles files, String heading)
      throws InterruptedException {
    ClusterWatch cluster = new ClusterWatch();
    target.onProcessEnd(cluster);
    try {
      RunLoad load = new RunLoad(run);
      StalenessOracle oracle = load.newOracle();
      clean(load.workload(), oracle, cluster, heading);
      try (FailedWriteLog failed = new FailedWriteLog(files.folder());
          Session session = open(run, load.slots(), failed);
          RunClocks managed = clocks(run, files, heading);
          RunMeter meter = metering.open(files::row);
          RunEvents events = RunEvents.of(study, run, target, meter, cluster, files)) {
        progress.status(heading + "measuring idle power");
        meter.baseline(study.power().baselineNanos(), stop);
        try (LevelControl control = control(run, load.workload(), files);
            RealTimeScheduler deciding = new RealTimeScheduler("calando-knobs");
            RunKnobs knobs = knobs(run, deciding, files)) {
          RunWatch watch = new RunWatch(run, files, meter, progress, heading);
          if (control != null) {
            watch.tell(control);
          }
          if (managed != null) {
            watch.tell(managed);
          }
          if (knobs != null) {
            watch.tell(knobs);
          }
          DeferralWatch deferral =
              session
                  .find(DeferredWrites.class)
                  .map(writes -> new DeferralWatch(writes, run.promised(study)))
                  .orElse(null);
          if (deferral != null) {
            watch.tell(deferral);
          }
          try (BufferControl buffers =
              BufferControl.start(run, session, load.workload().table(), files)) {
            if (buffers != null) {
              watch.tell(buffers);
            }
            Observers observers =
                new Observers(meter, watch, events, control, managed, deferral, buffers);
            RunRecord found = measure(load, session, oracle, cluster, observers, files);
            Optional.ofNullable(knobs).ifPresent(each -> each.record(found));
            return found;
          }
        }
      }
    } catch (FailedWorkException e) {
      throw cluster.explain(e, run.id());
    } finally {
      target.onProcessEnd(process -> {});
    }
  }

  /** What knobs may be found on: the cluster, or the store on it. */
  static Capable cluster(Target target, KeyValueStore store) {
    return new Capable() {
      @Override
      public <C> Optional<C> find(Class<C> capability) {
        return target.find(capability).or(() -> store.find(capability));
      }
    };
  }

  private @Nullable RunKnobs knobs(RunConfig run, RealTimeScheduler deciding, RunFiles files)
      throws InterruptedException {
    Capable cluster = cluster(target, store);
    return RunKnobs.start(study, run, cluster, leases, deciding, files, progress::line);
  }

  private Session open(RunConfig run, int slots, FailedWriteLog failed) {
    return store.open(
        SessionRequest.of(slots)
            .readFrom(run.levels().readFrom())
            .writes(run.writeBuffer().orElse(BufferChoice.STRONG).atFirst())
            .failedWrites(failed::failed));
  }

  /** What sets clocks, settled; none where no policy does. */
  private @Nullable RunClocks clocks(RunConfig run, RunFiles files, String heading) {
    if (clocks.isEmpty() || run.clock().isEmpty()) {
      return null;
    }
    progress.status(heading + "waiting for clocks to settle");
    RunClocks managed =
        clocks.get().open(run.clock().get(), target.find(RoledServers.class).orElseThrow(), files);
    try {
      managed.awaitSettled(stop);
      return managed;
    } catch (RuntimeException | Error e) {
      try {
        managed.close();
      } catch (RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /** All that goes on beside the load. */
  private record Observers(
      RunMeter meter,
      RunWatch watch,
      RunEvents events,
      @Nullable LevelControl control,
      @Nullable RunClocks clocks,
      @Nullable DeferralWatch deferral,
      @Nullable BufferControl buffers) {}

  /** What decides the level of reads; none where it is fixed and nobody is to observe. */
  private @Nullable LevelControl control(RunConfig run, Workload workload, RunFiles files) {
    return LevelControl.isNeeded(study, run)
        ? LevelControl.start(
            study,
            run,
            workload.table(),
            target.find(TableTelemetry.Source.class).orElseThrow(),
            files)
        : null;
  }

  /** A table of our own that holds every record once, on a cluster at rest. */
  private void clean(
      Workload workload, StalenessOracle oracle, ClusterWatch cluster, String heading)
      throws InterruptedException {
    stop.check();
    progress.status(heading + "loading " + workload.insertCount() + " records");
    // What an earlier run left to be delivered would come with newer versions than this run's.
    store.settle(SETTLE_DEADLINE);
    store.prepare(workload.tableSpec());
    load(workload, oracle, cluster);
    progress.status(heading + "settling");
    store.settle(SETTLE_DEADLINE);
    stop.check();
  }

  /** Writes every record at ALL, so that each replica holds all of them when the run begins. */
  private void load(Workload workload, StalenessOracle oracle, ClusterWatch cluster)
      throws InterruptedException {
    int slots = RunLoad.LOADING_SLOTS;
    try (LoadedRows session = new LoadedRows(store.open(slots), stop::pause);
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-loading")) {
      LoadSpec spec = LoadSpec.loading(workload, slots, ConsistencyLevel.ALL).build();
      Recorder recorder = new Recorder(interval -> {});
      LoadResult result = await(new LoadRun(spec, session, oracle, recorder, scheduler), cluster);
      boolean complete = result.reason().isComplete();
      if (complete && result.errors() > 0) {
        progress.status("loading " + result.errors() + " records again");
        complete = session.retry(result.errors(), oracle);
      }
      if (!complete) {
        throw new FailedWorkException(
            "%d of %d records were not written at ALL: %s"
                .formatted(
                    workload.insertCount() - (result.operations() - result.errors()),
                    workload.insertCount(),
                    String.join("; ", reasons(result, session))),
            "table " + workload.table(),
            "check that all nodes are up and see their logs, and that the machine is not overloaded by"
                + " other work, of which writes at ALL fail first; then repeat it with --resume");
      }
    }
  }

  /** Why operations failed, in the store's own words where it gave any. */
  private static List<String> reasons(LoadResult result, Session session) {
    List<String> reasons = new ArrayList<>(session.errors());
    if (!result.reason().isComplete()) {
      reasons.add(0, result.message());
    } else if (reasons.isEmpty()) {
      reasons.add(result.errorsByOutcome().toString());
    }
    return reasons;
  }

  /** Waits for the end of a load; a stop requested meanwhile ends it. */
  private LoadResult await(LoadRun load, ClusterWatch cluster) throws InterruptedException {
    load.start();
    cluster.watch(load);
    StopSignal.Registration registration = stop.onRequest(load::stop);
    try {
      LoadResult result = load.await();
      stop.check();
      return result;
    } finally {
      registration.close();
    }
  }

  private RunRecord measure(
      RunLoad runLoad,
      Session session,
      StalenessOracle oracle,
      ClusterWatch cluster,
      Observers observers,
      RunFiles files)
      throws InterruptedException {
    RunMeter meter = observers.meter();
    RunWatch watch = observers.watch();
    LevelControl control = observers.control();
    RunClocks managed = observers.clocks();
    @Nullable DualRead dual =
        study.staleness() == StudySpec.Staleness.DUAL_READ ? new DualRead(runLoad.slots()) : null;
    Recorder recorder =
        new Recorder(
            observers.events().alongside(watch), files.latencies(), System.currentTimeMillis());
    try (RealTimeScheduler scheduler = new RealTimeScheduler("calando-load");
        RealTimeScheduler housekeeping = new RealTimeScheduler("calando-housekeeping")) {
      LoadSpec spec = control == null ? runLoad.spec(dual) : runLoad.spec(dual, control.levels());
      Session used = control == null ? session : control.observing(session);
      LoadRun load = new LoadRun(spec, used, oracle, recorder, scheduler, housekeeping);
      @Nullable WarmUpWatch warmUp =
          runLoad.warmsUntilSteady() ? new WarmUpWatch(spec.loop() instanceof Loop.Open) : null;
      if (warmUp != null) {
        watch.endWarmUp(warmUp, load::measure);
      }
      LoadResult result = await(load, cluster);
      if (result.reason().isComplete()) {
        observers.events().requireAllDone();
      }
      meter.end();
      store.requireHeld();
      Staleness staleness = oracle.snapshot();
      RunRecord found =
          new RunRecord()
              .add(result)
              .add(new StaleFigures(staleness, Optional.ofNullable(dual)))
              .note(notes(result, staleness, session, observers, warmUp));
      meter.record(found);
      watch.record(found);
      Optional.ofNullable(observers.deferral()).ifPresent(each -> each.record(found));
      Optional.ofNullable(control)
          .ifPresent(each -> found.add(each.figures(dual == null ? 0 : dual.pairs())));
      Optional.ofNullable(managed).flatMap(RunClocks::figures).ifPresent(found::add);
      cluster
          .failure()
          .or(() -> LoadFindings.failure(runLoad.workload(), result, staleness, study.maxErrors()))
          .or(() -> Optional.ofNullable(observers.buffers()).flatMap(BufferControl::failure))
          .ifPresent(found::fail);
      return found;
    }
  }

  private static List<String> notes(
      LoadResult result,
      Staleness staleness,
      Session session,
      Observers observers,
      @Nullable WarmUpWatch warmUp) {
    List<String> notes = new ArrayList<>(observers.meter().notes());
    Optional.ofNullable(warmUp).flatMap(WarmUpWatch::note).ifPresent(notes::add);
    if (observers.control() != null) {
      notes.addAll(observers.control().notes());
    }
    if (observers.clocks() != null) {
      notes.addAll(observers.clocks().notes());
    }
    notes.addAll(LoadFindings.notes(result, staleness, session));
    Optional<DeferralFigures> deferral =
        Optional.ofNullable(observers.deferral()).flatMap(DeferralWatch::figures);
    if (observers.buffers() != null) {
      notes.addAll(observers.buffers().notes(deferral));
    }
    deferral
        .map(DeferralFigures::failed)
        .filter(failed -> failed > 0)
        .ifPresent(failed -> notes.addAll(lost(failed, session)));
    return notes;
  }

  /** They were acknowledged, and count as done in throughput and energy. */
  private static List<String> lost(long failed, Session session) {
    List<String> notes = new ArrayList<>();
    notes.add(
        failed
            + " writes were acknowledged and then failed: throughput includes them, "
            + FailedWriteLog.FILE
            + " names them");
    notes.addAll(session.errors());
    return notes;
  }
}
