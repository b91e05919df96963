package org.calando.study;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionLog;
import org.calando.control.HeldLevel;
import org.calando.control.LoopListener;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.ObservedSession;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularityEstimate;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.load.Levels;
import org.calando.report.column.LevelFigures;
import org.calando.session.Cost;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.CassandraTelemetry;
import org.calando.studyfile.LevelPair;
import org.calando.studyfile.MonitorSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 *   reads --> ObservedSession --> sketch of keys --+
 *     ^                                            |
 *     |  level                                     v
 *   LevelPicker <-- ControlLoop <-- policy <-- observation <-- CassandraTelemetry (rates, lags, truth)
 *                        |
 *                        +--> RunFiles.decisions, LevelAccount
 */
/**
 * Observes the table, decides the level of its reads and keeps account of it, while a run goes. At
 * a fixed level it only observes. Its methods belong to the run's thread, but for what the load
 * generator calls: {@link #levels} and the edges of the measured window.
 */
final class LevelControl implements RunEdges, AutoCloseable {
  private static final Duration MONITOR_DEADLINE = Duration.ofMillis(500);

  /**
   * Time that an observation has, whatever the period: that of a node which misses its own deadline
   * is still one of the others.
   */
  private static final long OBSERVATION_NANOS = 2 * MONITOR_DEADLINE.toNanos();

  private static final int OBSERVATIONS_VALID = 5;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final LevelPair pair;
  private final MonitorSpec monitor;
  private final CassandraTelemetry telemetry;
  private final PopularitySketch sketch;
  private final LevelPicker picker;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final LevelAccount account;
  private final ReadCounts counts = new ReadCounts();
  private final RealTimeScheduler scheduler;
  private final DecisionLog log;
  private final long deadlineNanos;
  private final HeldLevel level;
  private final ControlLoop<?> loop;
  private final int replicas;
  private @Nullable ObservedSession observed;
  private volatile long loopCpuNanos;
  private Spent atStart = new Spent(0, 0);
  private Spent atEnd = new Spent(0, 0);

  // Of the loop's thread.
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos = System.nanoTime();

  /** What observing and deciding have cost so far. */
  private record Spent(long requests, long cpuNanos) {}

  private LevelControl(
      StudySpec study,
      RunConfig run,
      CassandraTelemetry.Settings settings,
      CassandraTelemetry telemetry,
      LevelPicker picker,
      DecisionLog log) {
    this.pair = run.levels();
    this.monitor = study.monitor();
    this.telemetry = telemetry;
    this.replicas = settings.replicas();
    this.sketch = new PopularitySketch(PopularitySketch.Config.of(run.seed()));
    this.picker = picker;
    ReadLevels readLevels = readLevels(settings);
    SafeLevel safe = safe(settings);
    this.account = new LevelAccount(readLevels, safe);
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, pair.write()));
    }
    Policy<?> policy = RunControllers.levels(study, run);
    this.log = log;
    this.deadlineNanos = Math.max(monitor.periodNanos(), OBSERVATION_NANOS);
    this.level =
        new HeldLevel(
            new ReadLevelKnob(telemetry.target(), picker),
            fallback(policy, safe, replicas),
            OBSERVATIONS_VALID * deadlineNanos,
            false);
    this.scheduler = new RealTimeScheduler("calando-levels");
    try {
      this.loop = loop(policy, log.ofTable(policy, readLevels, safe));
    } catch (RuntimeException | Error e) {
      scheduler.close();
      throw e;
    }
  }

  /** Whether a run has anything to observe. */
  static boolean isNeeded(StudySpec study, RunConfig run) {
    return run.levels().policy().isPresent() || study.monitor().staticLevels();
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @param files where decisions are noted
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static LevelControl start(
      StudySpec study, RunConfig run, String table, CassandraStoreConfig store, RunFiles files) {
    CassandraTelemetry.Settings settings =
        new CassandraTelemetry.Settings(
            table,
            study.store().placement(),
            run.levels().write(),
            study.monitor().canariesPerSecond(),
            MONITOR_DEADLINE);
    SafeLevel safe = safe(settings);
    LevelPicker picker = new LevelPicker(readLevels(settings), safe);
    LagModel model =
        RunControllers.adaptive(study, run)
            .map(AdaptivePolicy::ofOneRead)
            .orElse(LagModel.MEASURED);
    CassandraTelemetry telemetry = CassandraTelemetry.start(store, settings, model, picker::choice);
    try {
      return new LevelControl(study, run, settings, telemetry, picker, files.decisions());
    } catch (RuntimeException | Error e) {
      telemetry.close();
      throw e;
    }
  }

  private static ReadLevels readLevels(CassandraTelemetry.Settings settings) {
    return new ReadLevels(settings.replicas(), settings.isLocal());
  }

  private static SafeLevel safe(CassandraTelemetry.Settings settings) {
    return SafeLevel.weakest(settings.placement(), settings.write(), settings.isLocal());
  }

  /**
   * What is read at where nothing is decided.
   *
   * @param replicas among which a read's level chooses, N
   */
  static ReadChoice fallback(Policy<?> policy, SafeLevel safe, int replicas) {
    return policy instanceof AdaptivePolicy adaptive
        ? adaptive.config().fallback(replicas)
        : ReadChoice.of(safe.replicas());
  }

  private <S> ControlLoop<S> loop(Policy<S> policy, LoopListener rows) {
    return ControlLoop.asking(
            scheduler, new PolicyLoop<>(policy, telemetry.target()), this::observe, level)
        .periodNanos(monitor.periodNanos())
        .deadlineNanos(deadlineNanos)
        // First: once the policy has decided, it knows what was observed, whatever comes of it.
        .listener(decision -> telemetry.decided())
        .listener(rows)
        .listener(account::decided)
        .start();
  }

  private CompletionStage<Observation> observe(long nowNanos) {
    loopCpuNanos =
        THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    if (nowNanos - rotatedNanos >= monitor.windowNanos()) {
      rotatedNanos = nowNanos;
      sketch
          .rotate()
          .map(PopularityEstimate::popularity)
          .ifPresent(
              byKey -> popularity = Optional.of(new Observation.Popularity(nowNanos, byKey)));
    }
    return telemetry.observe(popularity);
  }

  /** The same session, from whose operations this learns. */
  Session observing(Session session) {
    ObservedSession both = new ObservedSession(session, sketch);
    observed = both;
    return both;
  }

  /** The levels of the next operation; does not block. */
  Supplier<Levels> levels() {
    Optional<ConsistencyLevel> fixed = pair.fixedRead();
    if (fixed.isPresent()) {
      Levels always = new Levels(fixed.get(), pair.write());
      return () -> always;
    }
    return () -> Objects.requireNonNull(levels.get(picker.next()));
  }

  @Override
  public void measurementBegan(long nanos) {
    atStart = spent();
    log.measurementBegan(nanos);
    account.measurementBegan();
    counts.began(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public void measurementEnded(long nanos) {
    counts.ended(Objects.requireNonNull(observed).readsByLevel());
    account.measurementEnded();
    log.measurementEnded();
    atEnd = spent();
  }

  private Spent spent() {
    Cost cost = telemetry.cost();
    return new Spent(cost.requests(), cost.cpuNanos() + loopCpuNanos);
  }

  /**
   * What it came to in the measured window.
   *
   * @param secondReads reads at ALL that were made only to compare with others
   */
  LevelFigures figures(long secondReads) {
    return account.figures(
        counts.meanReplicas(replicas, secondReads),
        atEnd.requests() - atStart.requests(),
        (atEnd.cpuNanos() - atStart.cpuNanos()) / 1e9);
  }

  /** What a reader of the run's figures should know. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    long missed = level.state().missed();
    if (missed > 0) {
      notes.add(missed + " observations came late, failed or could not be decided on");
    }
    telemetry.failures().ifPresent(notes::add);
    account.note().ifPresent(notes::add);
    return notes;
  }

  @Override
  public void close() {
    loop.close();
    scheduler.close();
    telemetry.close();
  }
}
