package org.calando.study;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.core.FailedWorkException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.load.EndReason;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.Levels;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.RateProfile;
import org.calando.load.RealTimeScheduler;
import org.calando.load.Recorder;
import org.calando.study.config.RateSpec;
import org.calando.study.config.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 * The course of a run:
 *
 *   truncate, load at ALL, settle | idle baseline | warm-up | measured | drain
 *                                 ^ sampler starts         ^          ^ edges are read here
 */

/** Carries out one run, from a clean table to its figures. */
final class SingleRun {
  private static final Duration SETTLE_DEADLINE = Duration.ofSeconds(90);
  private static final int LOADING_SLOTS = 64;

  /** More than one client machine gets out of a closed loop; sizes tables, limits nothing. */
  private static final double CLOSED_LOOP_PEAK_PER_SECOND = 50_000;

  private static final double LATE_SHARE_WORTH_A_NOTE = 0.01;

  private final StudySpec study;
  private final Workload workload;
  private final KeyValueStore store;
  private final Target target;
  private final StopSignal stop;
  private final Progress progress;

  SingleRun(
      StudySpec study,
      Workload workload,
      KeyValueStore store,
      Target target,
      StopSignal stop,
      Progress progress) {
    this.study = study;
    this.workload = workload;
    this.store = store;
    this.target = target;
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * Runs to the end.
   *
   * @param heading begins each progress line
   * @throws org.calando.core.CalandoException if the run could not reach its measured window
   * @throws StopSignal.StoppedException if a stop was requested meanwhile
   */
  MeasuredRun execute(RunConfig run, RunFiles files, String heading) throws InterruptedException {
    stop.check();
    progress.status(heading + "loading " + workload.insertCount() + " records");
    store.prepare(workload.tableSpec());
    StalenessOracle oracle = oracle(run);
    load(oracle);
    progress.status(heading + "settling");
    store.settle(SETTLE_DEADLINE);
    stop.check();
    try (Session session = store.open(run.slots());
        RunMeter meter = RunMeter.open(study.power().meter(), target.nodes(), files::row)) {
      progress.status(heading + "measuring idle power");
      meter.baseline(study.power().baselineNanos(), stop);
      return measure(run, session, oracle, meter, files, heading);
    }
  }

  /** Knows what the loading writes, so it has places for the loading's slots too. */
  private StalenessOracle oracle(RunConfig run) {
    int slots = Math.max(LOADING_SLOTS, run.slots());
    int clients = Math.max(LOADING_SLOTS, loop(run).clients());
    return new StalenessOracle(StalenessOracle.Config.of(maxKeys(run), slots, clients));
  }

  /** Writes every record at ALL, so that each replica holds all of them when the run begins. */
  private void load(StalenessOracle oracle) throws InterruptedException {
    try (Session session = store.open(LOADING_SLOTS);
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-loading")) {
      LoadRun load =
          new LoadRun(
              LoadSpec.loading(workload, LOADING_SLOTS, ConsistencyLevel.ALL).build(),
              session,
              oracle,
              new Recorder(interval -> {}),
              scheduler);
      LoadResult result = await(load);
      if (result.errors() > 0 || !result.reason().isComplete()) {
        throw new FailedWorkException(
            "%d of %d records could not be written at ALL %s"
                .formatted(
                    result.errors(), workload.insertCount(), result.errorsByOutcome().keySet()),
            "table " + workload.table(),
            "check that all nodes are up; see their logs");
      }
    }
  }

  /** Waits for the end of a load; a stop requested meanwhile ends it. */
  private LoadResult await(LoadRun load) throws InterruptedException {
    load.start();
    StopSignal.Registration registration = stop.onRequest(load::stop);
    try {
      LoadResult result = load.await();
      stop.check();
      return result;
    } finally {
      registration.close();
    }
  }

  private MeasuredRun measure(
      RunConfig run,
      Session session,
      StalenessOracle oracle,
      RunMeter meter,
      RunFiles files,
      String heading)
      throws InterruptedException {
    Loop loop = loop(run);
    @Nullable DualRead dual =
        study.staleness() == StudySpec.Staleness.DUAL_READ ? new DualRead(loop.slots()) : null;
    Watch watch = new Watch(files, meter, heading, run);
    Recorder recorder = new Recorder(watch, files.latencies(), System.currentTimeMillis());
    AtomicReference<@Nullable String> deadNode = new AtomicReference<>();
    try (RealTimeScheduler scheduler = new RealTimeScheduler("calando-load");
        RealTimeScheduler housekeeping = new RealTimeScheduler("calando-housekeeping")) {
      LoadRun load =
          new LoadRun(
              loadSpec(run, loop, dual), session, oracle, recorder, scheduler, housekeeping);
      target.onNodeEnd(
          node -> {
            deadNode.compareAndSet(null, node);
            load.stop();
          });
      LoadResult result = await(load);
      target.onNodeEnd(node -> {});
      meter.end();
      return new MeasuredRun(
          result,
          oracle.snapshot(),
          dual,
          meter.measured(),
          meter.info(),
          watch.clientCpuSeconds(),
          failure(result, deadNode.get()),
          notes(result, oracle, meter));
    }
  }

  private static Optional<String> failure(LoadResult result, @Nullable String deadNode) {
    if (deadNode != null) {
      return Optional.of("node " + deadNode + " ended during the run");
    }
    if (!result.reason().isComplete()) {
      return Optional.of(result.message());
    }
    if (result.operations() > 0 && result.errors() == result.operations()) {
      return Optional.of("every operation failed: " + result.errorsByOutcome());
    }
    return Optional.empty();
  }

  private static List<String> notes(LoadResult result, StalenessOracle oracle, RunMeter meter) {
    List<String> notes = new ArrayList<>(meter.notes());
    if (result.errors() > 0) {
      notes.add("errors by outcome: " + result.errorsByOutcome());
    }
    long intended = result.backlog().intended();
    if (intended > 0 && result.backlog().late() > intended * LATE_SHARE_WORTH_A_NOTE) {
      notes.add(
          "%d of %d operations started more than 1 ms late, %d ms at most"
              .formatted(
                  result.backlog().late(), intended, result.backlog().maxLateNanos() / 1_000_000));
    }
    if (result.backlog().neverStarted() > 0) {
      notes.add(
          result.backlog().neverStarted()
              + " operations never started: the store did not keep up with the rate");
    }
    if (oracle.snapshot().foreignReads() > 0) {
      notes.add("somebody else wrote to the table: the stale reads cannot be trusted");
    }
    if (result.reason() == EndReason.NO_SUCCESS) {
      notes.add(result.message());
    }
    return notes;
  }

  private LoadSpec loadSpec(RunConfig run, Loop loop, @Nullable DualRead dual) {
    Levels levels = new Levels(run.levels().read(), run.levels().write());
    LoadSpec.Builder builder =
        LoadSpec.builder(workloadOf(run), loop, () -> levels)
            .operations(run.operations())
            .durationNanos(run.durationNanos())
            .warmupOperations(study.workload().warmUp().operations())
            .warmupNanos(study.workload().warmUp().nanos())
            .seed(run.seed());
    if (dual != null) {
      builder.dualRead(dual);
    }
    return builder.build();
  }

  /** The workload with the number of operations, from which YCSB's key space grows. */
  private Workload workloadOf(RunConfig run) {
    return workload.toBuilder().operationCount(expectedOperations(run)).build();
  }

  private long expectedOperations(RunConfig run) {
    if (run.operations() > 0) {
      return run.operations() + study.workload().warmUp().operations();
    }
    double seconds = (run.durationNanos() + study.workload().warmUp().nanos()) / 1e9;
    double perSecond = run.rate().map(RateSpec::peakPerSecond).orElse(CLOSED_LOOP_PEAK_PER_SECOND);
    return (long) (seconds * perSecond);
  }

  /** Keys that the run can come to know: those loaded, and as many inserts as can be expected. */
  private long maxKeys(RunConfig run) {
    double inserts = workload.mix().insert();
    if (inserts == 0) {
      return workload.records();
    }
    return workload.records() + Math.max(1024, (long) (expectedOperations(run) * inserts * 2));
  }

  private static Loop loop(RunConfig run) {
    if (run.threads().isPresent()) {
      return new Loop.Closed(run.threads().getAsInt());
    }
    ArrivalProcess arrivals = arrivals(run.rate().orElseThrow());
    return new Loop.Open(arrivals, run.maxInFlight(), run.clients());
  }

  private static ArrivalProcess arrivals(RateSpec rate) {
    if (rate instanceof RateSpec.Poisson poisson) {
      return ArrivalProcess.poisson(poisson.perSecond());
    }
    return ArrivalProcess.even(profile(rate));
  }

  private static RateProfile profile(RateSpec rate) {
    if (rate instanceof RateSpec.Steps steps) {
      RateProfile.Builder builder = RateProfile.builder();
      steps.steps().forEach(step -> builder.step(step.perSecond(), step.durationNanos()));
      return builder.build();
    }
    if (rate instanceof RateSpec.Ramp ramp) {
      return RateProfile.builder()
          .ramp(ramp.fromPerSecond(), ramp.toPerSecond(), ramp.durationNanos())
          .build();
    }
    return RateProfile.constant(((RateSpec.Constant) rate).perSecond());
  }

  /** Follows the run: marks the meter at the window's edges, writes the rows, tells the user. */
  private final class Watch implements IntervalListener {
    private final RunFiles files;
    private final RunMeter meter;
    private final String heading;
    private final RunConfig run;
    private long operations;
    private long cpuAtStartNanos;
    private long cpuAtEndNanos;

    Watch(RunFiles files, RunMeter meter, String heading, RunConfig run) {
      this.files = files;
      this.meter = meter;
      this.heading = heading;
      this.run = run;
    }

    @Override
    public void interval(Interval interval) {
      files.interval(interval);
      if (interval.phase() == org.calando.load.Phase.MEASURED) {
        operations += interval.operations();
        progress.status(heading + "%,d operations".formatted(operations) + goal());
      } else {
        progress.status(heading + "warming up");
      }
    }

    @Override
    public void measurementBegan(long nanos) {
      meter.measurementBegan();
      cpuAtStartNanos = processCpuNanos();
    }

    @Override
    public void measurementEnded(long nanos) {
      cpuAtEndNanos = processCpuNanos();
      meter.measurementEnded();
    }

    double clientCpuSeconds() {
      return Math.max(0, cpuAtEndNanos - cpuAtStartNanos) / 1e9;
    }

    private String goal() {
      return run.operations() > 0 ? " of %,d".formatted(run.operations()) : "";
    }
  }

  private static long processCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
