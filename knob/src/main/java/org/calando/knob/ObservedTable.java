package org.calando.knob;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadRoute;
import org.calando.core.time.Scheduler;
import org.calando.engine.GearControl;
import org.calando.engine.GearedNodes;

/*
 *   reads --> ObservedSession --> sketch of keys --+
 *     ^                                            |
 *     |  level                                     v
 *   LevelPicker <-- a loop <-- policy <-- observation <-- TableTelemetry (rates, lags, truth)
 */
/**
 * The table of a real cluster as a loop has it while a run goes: observed, and its reads at a level
 * that is held. {@link #observe} is for the loop's thread; the rest is thread safe.
 */
public final class ObservedTable {
  private static final int OBSERVATIONS_VALID = 5;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final KnobRun run;
  private final LevelledReads.Settings settings;
  private final TableTelemetry telemetry;
  private final Scheduler scheduler;
  private final PopularitySketch sketch;
  private final Supplier<ConsistencyLevel> next;
  private final HeldLevel level;
  private volatile long loopCpuNanos;

  // Of the loop's thread.
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos;

  private ObservedTable(
      KnobRun run,
      LevelledReads.Settings settings,
      TableTelemetry telemetry,
      Supplier<ConsistencyLevel> next,
      ReadLevelKnob knob,
      Scheduler scheduler,
      HowHeld how) {
    this.run = run;
    this.settings = settings;
    this.telemetry = telemetry;
    this.scheduler = scheduler;
    this.sketch = new PopularitySketch(PopularitySketch.Config.of(settings.seed()));
    this.next = next;
    this.rotatedNanos = scheduler.clock().nanos();
    this.level =
        new HeldLevel(knob, how.fallback(), OBSERVATIONS_VALID * deadlineNanos(), how.dryRun());
  }

  /**
   * How reads are held to what is decided.
   *
   * @param fallback what is read at while nothing is decided
   * @param dryRun whether they never are
   */
  public record HowHeld(ReadChoice fallback, boolean dryRun) {}

  /**
   * Begins to observe; blocks until then. What observes ends with the run.
   *
   * @param thread whose scheduler the loop has
   * @param model predicts the canary's reads
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  public static ObservedTable begin(
      KnobRun run, String thread, LevelledReads.Settings settings, LagModel model, HowHeld how) {
    LevelPicker picker = new LevelPicker(settings.levels(), settings.safe());
    TableTelemetry telemetry =
        run.cluster()
            .find(TableTelemetry.Source.class)
            .orElseThrow()
            .telemetry(settings.table(), model, picker::choice);
    run.ends().accept(telemetry::close);
    return new ObservedTable(
        run,
        settings,
        telemetry,
        picker::next,
        new ReadLevelKnob(telemetry.target(), picker),
        run.schedulers().apply(thread),
        how);
  }

  /**
   * The same of a table whose reads ask one node each: the master or its replicas, where there are
   * any, as {@link MasterReads} has it, or the key's own server.
   *
   * @param counts what its servers count; closed with the run
   */
  public static ObservedTable counted(
      KnobRun run,
      Scheduler scheduler,
      LevelledReads.Settings settings,
      CountedTable counts,
      HowHeld how) {
    run.ends().accept(counts::close);
    return new ObservedTable(
        run,
        settings,
        counts,
        () -> ConsistencyLevel.ONE,
        new ReadLevelKnob(counts.target(), new MasterReads(run.cluster().find(ReadRoute.class))),
        scheduler,
        how);
  }

  /** The loop's. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Time that an observation has, whatever the period: that of a node which misses its own deadline
   * is still one of the others.
   */
  public long deadlineNanos() {
    return Math.max(settings.periodNanos(), 2 * settings.table().deadline().toNanos());
  }

  /** Begins to ask for what is known of the table. */
  public CompletionStage<Observation> observe(long nowNanos) {
    loopCpuNanos =
        THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    if (nowNanos - rotatedNanos >= settings.windowNanos()) {
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

  /** What was observed last was decided on. */
  public void decided() {
    telemetry.decided();
  }

  /** The table's name. */
  public String target() {
    return telemetry.target();
  }

  /** Sets the level. */
  public HeldLevel level() {
    return level;
  }

  /** What learns how popular keys are; told of all reads and writes. */
  public PopularitySketch sketch() {
    return sketch;
  }

  /** The level of the next read; does not block. */
  public ConsistencyLevel next() {
    return next.get();
  }

  /** Canaries whose write failed, in words; empty if none did. */
  public Optional<String> failures() {
    return telemetry.failures();
  }

  /** What observing and deciding have cost so far. */
  public LevelledReads.Spent spent() {
    TableTelemetry.Cost cost = telemetry.cost();
    return new LevelledReads.Spent(cost.requests(), (cost.cpuNanos() + loopCpuNanos) / 1e9);
  }
}
