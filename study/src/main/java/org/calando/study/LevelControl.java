package org.calando.study;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldLevel;
import org.calando.control.LoopState;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.PopularityEstimate;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.RealTimeScheduler;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.level.MonitorSpec;

/*
 *   reads --> ObservedSession --> sketch of keys --+
 *     ^                                            |
 *     |  level                                     v
 *   LevelPicker <-- ControlLoop <-- policy <-- observation <-- TableTelemetry (rates, lags, truth)
 *                        |
 *                        +--> RunFiles.decisions, LevelAccount
 */
/** Observes the table of a real cluster and decides the level of its reads, while a run goes. */
final class LevelControl extends LevelRun {
  private static final Duration MONITOR_DEADLINE = Duration.ofMillis(500);

  /**
   * Time that an observation has, whatever the period: that of a node which misses its own deadline
   * is still one of the others.
   */
  private static final long OBSERVATION_NANOS = 2 * MONITOR_DEADLINE.toNanos();

  private static final int OBSERVATIONS_VALID = 5;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final MonitorSpec monitor;
  private final TableTelemetry telemetry;
  private final PopularitySketch sketch;
  private final LevelPicker picker;
  private final IntSupplier offReplicas;
  private final HeldLevel level;
  private final ControlLoop<?> loop;
  private volatile long loopCpuNanos;

  // Of the loop's thread.
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos = System.nanoTime();

  private LevelControl(
      RunTask task,
      TableTelemetry.Settings settings,
      TableTelemetry telemetry,
      LevelPicker picker,
      IntSupplier offReplicas,
      RealTimeScheduler scheduler) {
    super(task, readLevels(settings), safe(settings));
    this.monitor = task.study().monitor();
    this.telemetry = telemetry;
    this.sketch = new PopularitySketch(PopularitySketch.Config.of(task.run().seed()));
    this.picker = picker;
    this.offReplicas = offReplicas;
    Policy<?> policy = RunControllers.levels(task.study(), task.run());
    long deadlineNanos = Math.max(monitor.periodNanos(), OBSERVATION_NANOS);
    this.level =
        new HeldLevel(
            new ReadLevelKnob(telemetry.target(), picker),
            fallback(policy, safe(settings), settings.replicas()),
            OBSERVATIONS_VALID * deadlineNanos,
            false);
    this.loop = loop(policy, deadlineNanos, scheduler);
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @param offReplicas replicas of a key that are off by order now
   * @param parts close what this needs
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static LevelControl start(
      RunTask task,
      String table,
      TableTelemetry.Source source,
      IntSupplier offReplicas,
      RunParts parts) {
    StudySpec study = task.study();
    RunConfig run = task.run();
    TableTelemetry.Settings settings =
        new TableTelemetry.Settings(
            table,
            study.store().placement(),
            run.levels().write(),
            study.monitor().canariesPerSecond(),
            MONITOR_DEADLINE);
    SafeLevel safe = safe(settings);
    LevelPicker picker = new LevelPicker(readLevels(settings), safe);
    TableTelemetry telemetry = source.telemetry(settings, model(study, run), picker::choice);
    parts.closes(telemetry::close);
    RealTimeScheduler scheduler = parts.scheduler("calando-levels");
    return new LevelControl(task, settings, telemetry, picker, offReplicas, scheduler);
  }

  private static ReadLevels readLevels(TableTelemetry.Settings settings) {
    return new ReadLevels(settings.replicas(), settings.isLocal());
  }

  private static SafeLevel safe(TableTelemetry.Settings settings) {
    return SafeLevel.weakest(settings.placement(), settings.write(), settings.isLocal());
  }

  private <S> ControlLoop<S> loop(
      Policy<S> policy, long deadlineNanos, RealTimeScheduler scheduler) {
    ControlLoopBuilder<S> builder =
        ControlLoop.asking(
                scheduler, new PolicyLoop<>(policy, telemetry.target()), this::observe, level)
            .periodNanos(monitor.periodNanos())
            .deadlineNanos(deadlineNanos)
            // First: once the policy has decided, it knows what was observed, whatever comes of it.
            .listener((decision, inForce) -> telemetry.decided());
    listeners(policy).forEach(builder::listener);
    return builder.start();
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
    return telemetry
        .observe(popularity)
        .thenApply(observed -> observed.withOff(offReplicas.getAsInt()));
  }

  @Override
  PopularitySketch sketch() {
    return sketch;
  }

  @Override
  ConsistencyLevel next() {
    return picker.next();
  }

  @Override
  LoopState state() {
    return level.state();
  }

  @Override
  Optional<String> failures() {
    return telemetry.failures();
  }

  @Override
  Spent spent() {
    TableTelemetry.Cost cost = telemetry.cost();
    return new Spent(cost.requests(), (cost.cpuNanos() + loopCpuNanos) / 1e9);
  }

  @Override
  public void close() {
    loop.close();
  }
}
