package org.calando.sim.control;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
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
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final SimReads reads;
  private final ControlLoop<?> loop;

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
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, table.write()));
    }
    this.reads =
        new SimReads(
            cluster,
            scheduler,
            settings,
            policy.ofOneRead(),
            policy.fallback(settings.safe(), table.replicas()));
    ControlLoopBuilder<?> builder =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(policy, reads.target()),
                now -> CompletableFuture.completedFuture(reads.observe(now)),
                reads.level())
            .periodNanos(settings.periodNanos())
            // First: once the policy has decided, it knows what was observed.
            .listener((decision, inForce) -> reads.decided());
    listeners.forEach(builder::listener);
    this.loop = builder.start();
  }

  /** The same session, from whose operations this learns. */
  public Session observing(Session session) {
    return new ObservedSession(session, reads.sketch());
  }

  @Override
  public PopularitySketch sketch() {
    return reads.sketch();
  }

  /** The levels of the next operation. */
  public Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(reads.next()));
  }

  @Override
  public ConsistencyLevel next() {
    return reads.next();
  }

  @Override
  public HeldLevel.State state() {
    return reads.level().state();
  }

  @Override
  public Optional<String> failures() {
    return reads.failures();
  }

  /** {@inheritDoc} Deciding takes no time of the simulation's. */
  @Override
  public LevelledReads.Spent spent() {
    return reads.spent();
  }

  /** Takes the fallback and stops observing. Idempotent. */
  @Override
  public void close() {
    loop.close();
    reads.close();
  }
}
