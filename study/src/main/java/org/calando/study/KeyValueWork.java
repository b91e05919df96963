package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.StalenessOracle;
import org.calando.knob.PromiseJudge;
import org.calando.knob.RunLevels;
import org.calando.load.Interval;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Recorder;
import org.calando.report.column.RunRecord;
import org.calando.report.column.StaleFigures;
import org.calando.study.load.DeferralWatch;
import org.calando.study.load.LoadFindings;
import org.calando.study.load.WarmUpWatch;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/** Reads and writes of records in a table of our own, which begins with every record once. */
final class KeyValueWork implements RunProcedure.Work {
  private final RunTask task;
  private final Site site;
  private final RunLoad load;
  private final StalenessOracle oracle;
  private final @Nullable DualRead dual;
  private @Nullable Session session;
  private @Nullable WarmUpWatch warmUp;
  private Runnable measure = () -> {};
  private @Nullable LoadResult result;

  /** Where it is done: on a real cluster, or on a simulated one. */
  interface Site {
    /** Which has the table. */
    KeyValueStore store();

    /** What judges reads. */
    StalenessOracle oracle(RunLoad load);

    /** Writes every record into the table, on all replicas. */
    void fill(RunLoad load, StalenessOracle oracle) throws InterruptedException;

    /** What the session of the run is to be. */
    SessionRequest session(SessionRequest request, RunParts parts);

    /** Begins what goes on beside the load; the session is open. */
    void begin(RunLoad load, Session session, RunParts parts) throws InterruptedException;

    /** Carries out a load to its end. */
    LoadResult carryOut(Generator generator) throws InterruptedException;

    /** When the run began, in the machine's time, in ms. */
    long epochMillis();

    /** Leaves the cluster as every run finds it. */
    default void restore(RunRecord found) throws InterruptedException {}
  }

  /** Makes a load that has not begun. */
  @FunctionalInterface
  interface Generator {
    /**
     * Makes it.
     *
     * @param scheduler starts operations
     * @param housekeeping ends intervals, on the same clock
     */
    LoadRun on(Scheduler scheduler, Scheduler housekeeping);
  }

  KeyValueWork(RunTask task, Site site) {
    this.task = task;
    this.site = site;
    this.load = new RunLoad(task.run());
    this.oracle = site.oracle(load);
    this.dual =
        task.study().staleness() == StudySpec.Staleness.DUAL_READ
            ? new DualRead(load.slots())
            : null;
  }

  @Override
  public void prepare(RunParts parts) throws InterruptedException {
    site.fill(load, oracle);
  }

  @Override
  public void begin(RunParts parts) throws InterruptedException {
    Session opened = site.store().open(site.session(SessionRequest.of(load.slots()), parts));
    parts.closes(opened::close);
    session = opened;
    PromiseJudge.of(task.study().promise()).ifPresent(parts::add);
    site.begin(load, opened, parts);
  }

  /** What becomes of a session's writes, where they may be deferred; those that fail are named. */
  static Optional<DeferralWatch> deferral(RunTask task, Session session, boolean named) {
    return session
        .find(DeferredWrites.class)
        .map(
            writes -> new DeferralWatch(session, writes, task.run().promised(task.study()), named));
  }

  @Override
  public void carryOut(RunParts parts) throws InterruptedException {
    result = site.carryOut((scheduler, housekeeping) -> load(parts, scheduler, housekeeping));
    site.store().requireHeld();
  }

  private LoadRun load(RunParts parts, Scheduler scheduler, Scheduler housekeeping) {
    RunLevels levels = parts.find(RunLevels.class).orElseThrow();
    LoadSpec spec = load.spec(dual, levels.levels());
    LoadRun run =
        new LoadRun(
            spec,
            levels.observing(session()),
            oracle,
            new Recorder(parts, task.files().latencies(), site.epochMillis()),
            scheduler,
            housekeeping);
    if (load.warmsUntilSteady()) {
      warmUp = new WarmUpWatch(spec.loop() instanceof Loop.Open);
      measure = run::measure;
    }
    parts.loadBegins(scheduler.clock().nanos());
    return run;
  }

  private Session session() {
    return Optional.ofNullable(session).orElseThrow();
  }

  @Override
  public void interval(Interval interval) {
    if (warmUp != null && warmUp.ends(interval)) {
      measure.run();
      warmUp.note().ifPresent(note -> task.progress().line(task.heading() + note));
    }
  }

  @Override
  public void restore(RunRecord found) throws InterruptedException {
    site.restore(found);
  }

  @Override
  public void record(RunRecord found) {
    LoadResult told = Optional.ofNullable(result).orElseThrow();
    Staleness staleness = oracle.snapshot();
    List<String> notes = new ArrayList<>();
    Optional.ofNullable(warmUp).flatMap(WarmUpWatch::note).ifPresent(notes::add);
    notes.addAll(LoadFindings.notes(told, staleness, session()));
    found.add(told).add(new StaleFigures(staleness, Optional.ofNullable(dual))).note(notes);
    LoadFindings.failure(load.workload(), told, staleness, task.study().maxErrors())
        .ifPresent(found::fail);
  }
}
