package org.calando.sim.control;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.observe.ObservedSession;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
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
public final class SimLevels extends SimReads {
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
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
    super(
        cluster,
        scheduler,
        settings,
        policy.ofOneRead(),
        policy.fallback(settings.safe(), settings.table().replicas()));
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, settings.table().write()));
    }
    ControlLoopBuilder<?> builder =
        ControlLoop.asking(
                scheduler,
                new PolicyLoop<>(policy, target()),
                now -> CompletableFuture.completedFuture(observe(now)),
                level())
            .periodNanos(settings.periodNanos())
            // First: once the policy has decided, it knows what was observed.
            .listener((decision, inForce) -> decided());
    listeners.forEach(builder::listener);
    this.loop = builder.start();
  }

  /** The same session, from whose operations this learns. */
  public Session observing(Session session) {
    return new ObservedSession(session, sketch());
  }

  /** The levels of the next operation. */
  public Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(next()));
  }

  @Override
  public void close() {
    loop.close();
    super.close();
  }
}
