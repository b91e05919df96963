package org.calando.sim.control;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.observe.UnseenWrites;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.calando.core.time.Scheduler;
import org.calando.load.Levels;
import org.calando.sim.cluster.SimCluster;

/*
 *   reads --> ObservedSession --> sketch of keys --+
 *     ^                                            |
 *     |  level                                     v
 *   LevelPicker <-- ControlLoop <-- policy <-- observation <-- SimTelemetry (rates, lags, truth)
 */
/**
 * Observes the table of a simulated cluster and decides the level of its reads: the control loop,
 * unchanged, in simulated time. Belongs to the simulation's thread.
 */
public final class SimLevels implements LevelledReads.Deciding {
  private static final int SAMPLED_READS = 2048;
  private static final int OBSERVATIONS_VALID = 5;

  private final SimTelemetry telemetry;
  private final PopularitySketch sketch;
  private final LevelPicker picker;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final HeldLevel level;
  private final ControlLoop<?> loop;
  private final long windowNanos;
  private final UnseenWrites unseen;
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos;

  /**
   * Begins to observe and to decide, at the policy's fallback.
   *
   * @param policy made for {@link LevelledReads.Settings#safe}
   * @param listeners told of decisions, in their order
   */
  public SimLevels(
      SimCluster cluster,
      Scheduler scheduler,
      LevelledReads.Settings settings,
      Policy<?> policy,
      List<LoopListener> listeners) {
    TableTelemetry.Settings table = settings.table();
    SafeLevel safe = settings.safe();
    this.picker = LevelPicker.ofOneThread(settings.levels(), safe);
    this.sketch =
        new PopularitySketch(new PopularitySketch.Config(SAMPLED_READS, 1, settings.seed()));
    this.windowNanos = settings.windowNanos();
    this.unseen = new UnseenWrites(3 * windowNanos);
    this.rotatedNanos = scheduler.clock().nanos();
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, table.write()));
    }
    this.telemetry =
        new SimTelemetry(
            cluster, scheduler, table, settings.seed(), policy.ofOneRead(), picker::choice);
    this.level =
        new HeldLevel(
            new ReadLevelKnob(telemetry.target(), picker),
            policy.fallback(safe, table.replicas()),
            OBSERVATIONS_VALID * settings.periodNanos(),
            false);
    ControlLoopBuilder<?> builder =
        ControlLoop.asking(
                scheduler, new PolicyLoop<>(policy, telemetry.target()), this::observe, level)
            .periodNanos(settings.periodNanos())
            // First: once the policy has decided, it knows what was observed.
            .listener((decision, inForce) -> telemetry.decided());
    listeners.forEach(builder::listener);
    this.loop = builder.start();
  }

  private CompletionStage<Observation> observe(long nowNanos) {
    return CompletableFuture.completedFuture(
        telemetry.observe(rates -> popularity(nowNanos, rates)));
  }

  private Optional<Observation.Popularity> popularity(
      long nowNanos, Optional<Observation.Rates> rates) {
    rates.ifPresent(each -> unseen.count(each, sketch.writes()));
    // Sooner at first: the first window only finds keys that the second can count.
    if (nowNanos - rotatedNanos >= (popularity.isEmpty() ? windowNanos / 2 : windowNanos)) {
      rotatedNanos = nowNanos;
      Optional<KeyPopularity> seen = sketch.rotate();
      double share = unseen.share();
      popularity =
          seen.map(each -> new Observation.Popularity(nowNanos, each, share)).or(() -> popularity);
    }
    return popularity;
  }

  /** The same session, from whose operations this learns. */
  public Session observing(Session session) {
    return new ObservedSession(session, sketch);
  }

  @Override
  public PopularitySketch sketch() {
    return sketch;
  }

  /** The levels of the next operation. */
  public Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(picker.next()));
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

  /** {@inheritDoc} Deciding takes no time of the simulation's. */
  @Override
  public LevelledReads.Spent spent() {
    return new LevelledReads.Spent(telemetry.requests(), Double.NaN);
  }

  /** Takes the fallback and stops observing. Idempotent. */
  @Override
  public void close() {
    loop.close();
    telemetry.close();
  }
}
