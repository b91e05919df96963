package org.calando.knob.level;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;
import org.calando.engine.GearControl;
import org.calando.engine.GearedNodes;
import org.calando.knob.KnobRun;

/*
 *   reads --> ObservedSession --> sketch of keys --+
 *     ^                                            |
 *     |  level                                     v
 *   LevelPicker <-- ControlLoop <-- policy <-- observation <-- TableTelemetry (rates, lags, truth)
 *                        |
 *                        +--> decisions.csv, LevelAccount
 */
/** Observes the table of a real cluster and decides the level of its reads, while a run goes. */
final class TableLevels implements LevelledReads.Deciding {
  private static final int OBSERVATIONS_VALID = 5;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final KnobRun run;
  private final long windowNanos;
  private final TableTelemetry telemetry;
  private final PopularitySketch sketch;
  private final LevelPicker picker;
  private final HeldLevel level;
  private final ControlLoop<?> loop;
  private volatile long loopCpuNanos;

  // Of the loop's thread.
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos;

  private TableLevels(
      KnobRun run,
      LevelledReads.Settings settings,
      TableTelemetry telemetry,
      LevelPicker picker,
      Policy<?> policy,
      List<LoopListener> listeners) {
    // An observation has this time, whatever the period: that of a node which misses its own
    // deadline is still one of the others.
    long deadlineNanos =
        Math.max(settings.periodNanos(), 2 * settings.table().deadline().toNanos());
    Scheduler scheduler = run.schedulers().apply(LevelDriver.THREAD);
    this.run = run;
    this.windowNanos = settings.windowNanos();
    this.telemetry = telemetry;
    this.sketch = new PopularitySketch(PopularitySketch.Config.of(settings.seed()));
    this.picker = picker;
    this.rotatedNanos = scheduler.clock().nanos();
    this.level =
        new HeldLevel(
            new ReadLevelKnob(telemetry.target(), picker),
            policy.fallback(settings.safe(), settings.table().replicas()),
            OBSERVATIONS_VALID * deadlineNanos,
            false);
    ControlLoopBuilder<?> builder =
        ControlLoop.asking(
                scheduler, new PolicyLoop<>(policy, telemetry.target()), this::observe, level)
            .periodNanos(settings.periodNanos())
            .deadlineNanos(deadlineNanos)
            // First: once the policy has decided, it knows what was observed, whatever comes of it.
            .listener((decision, inForce) -> telemetry.decided());
    listeners.forEach(builder::listener);
    this.loop = builder.start();
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static TableLevels start(
      KnobRun run,
      LevelledReads.Settings settings,
      Policy<?> policy,
      List<LoopListener> listeners) {
    LevelPicker picker = new LevelPicker(settings.levels(), settings.safe());
    TableTelemetry telemetry =
        run.cluster()
            .find(TableTelemetry.Source.class)
            .orElseThrow()
            .telemetry(settings.table(), policy.ofOneRead(), picker::choice);
    run.ends().accept(telemetry::close);
    return new TableLevels(run, settings, telemetry, picker, policy, listeners);
  }

  private CompletionStage<Observation> observe(long nowNanos) {
    loopCpuNanos =
        THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    if (nowNanos - rotatedNanos >= windowNanos) {
      rotatedNanos = nowNanos;
      sketch
          .rotate()
          .ifPresent(
              byKey -> popularity = Optional.of(new Observation.Popularity(nowNanos, byKey)));
    }
    return telemetry.observe(popularity).thenApply(observed -> observed.withOff(offReplicas()));
  }

  /** Replicas of each key that are off by order. */
  private int offReplicas() {
    return run.cluster()
        .find(GearControl.class)
        .flatMap(
            gears ->
                GearedNodes.of(run.configuration().store())
                    .map(nodes -> nodes.copies(gears.highest()) - nodes.copies(gears.gear())))
        .orElse(0);
  }

  @Override
  public PopularitySketch sketch() {
    return sketch;
  }

  @Override
  public ConsistencyLevel next() {
    return picker.next();
  }

  @Override
  public HeldLevel.State state() {
    return level.state();
  }

  @Override
  public Optional<String> failures() {
    return telemetry.failures();
  }

  @Override
  public LevelledReads.Spent spent() {
    TableTelemetry.Cost cost = telemetry.cost();
    return new LevelledReads.Spent(cost.requests(), (cost.cpuNanos() + loopCpuNanos) / 1e9);
  }

  @Override
  public void close() {
    loop.close();
  }
}
