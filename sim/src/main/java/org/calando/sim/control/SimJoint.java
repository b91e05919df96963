package org.calando.sim.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.HeldGear;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observed;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;
import org.jspecify.annotations.Nullable;

/*
 *   table --> SimReads --+                            +--> level of reads
 *   gear ---> SimShifts -+--> ControlLoop: one step --+--> nodes on and off
 *   nodes --> SimNodes --+                            +--> clocks
 *   clients' latency ----+
 */
/**
 * Has one controller decide on the levels, the gear and the clocks of a simulated cluster, in
 * simulated time. Belongs to the simulation's thread.
 */
public final class SimJoint implements LevelledReads.JointlyDeciding {
  private final SimReads reads;
  private final SimNodes nodes;
  private final @Nullable SimShifts shifts;
  private final Supplier<Optional<Signal<ReadLatency>>> latency;
  private final ControlLoop<?> loop;

  /** Begins: see {@link LevelledReads.Joint#decide}. */
  public SimJoint(
      SimCluster cluster,
      Scheduler scheduler,
      LevelledReads.JointSettings settings,
      Controller<?> controller,
      Supplier<Optional<Signal<ReadLatency>>> latency,
      LoopListener listener) {
    LevelledReads.Settings table = settings.reads();
    int quorum = ConsistencyLevel.QUORUM.replicas(table.table().replicas());
    this.latency = latency;
    this.reads =
        new SimReads(
            cluster,
            scheduler,
            table,
            LagModel.MEASURED,
            ReadChoice.of(Math.min(quorum, table.safe().replicas())));
    this.nodes = new SimNodes(cluster, settings.shifts().writtenBytes());
    this.shifts =
        settings
            .gears()
            .map(model -> new SimShifts(cluster, scheduler, settings.shifts(), model))
            .orElse(null);
    List<Actor> actors = new ArrayList<>();
    if (shifts != null) {
      actors.add(new HeldGear(shifts, false, HeldGear.OnFailure.END, false, look -> {}));
    }
    actors.add(nodes);
    this.loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(controller, reads.target()),
                now -> Optional.of(look(now)),
                new Together(reads.level(), actors))
            .periodNanos(table.periodNanos())
            .listener((decision, inForce) -> reads.decided())
            .listener(listener)
            .start();
  }

  private Signals look(long now) {
    Map<SignalId<?>, Signal<?>> signals = new HashMap<>();
    signals.put(Observation.READS, new Signal<>(reads.observe(now), now));
    signals.put(ClockObservation.CLOCKS, new Signal<>(nodes.look(now), now));
    if (shifts != null) {
      signals.put(GearObservation.GEARS, new Signal<>(shifts.look(now), now));
    }
    latency.get().ifPresent(seen -> signals.put(ReadLatency.SIGNAL, seen));
    return new Signals(now, reads.target(), signals);
  }

  /** Sets the level, which is held while nothing is decided, and what else was decided. */
  private record Together(HeldLevel level, List<Actor> others) implements Actor {
    @Override
    public void begin(ControlLoop<?> loop, long nowNanos) {
      level.begin(loop, nowNanos);
      others.forEach(each -> each.begin(loop, nowNanos));
    }

    @Override
    public void act(Decision<?> decision, long nowNanos) {
      level.act(decision, nowNanos);
      others.forEach(each -> each.act(decision, nowNanos));
    }

    @Override
    public String inForce(Decision<?> decision) {
      return others.get(0).inForce(decision);
    }

    @Override
    public boolean isBusy() {
      return level.isBusy() || others.stream().anyMatch(Actor::isBusy);
    }

    @Override
    public boolean accepts(Observed observed, long nowNanos) {
      return level.accepts(observed, nowNanos)
          && others.stream().allMatch(each -> each.accepts(observed, nowNanos));
    }

    @Override
    public void waits(String why) {
      level.waits(why);
    }

    @Override
    public void missed(String why) {
      level.missed(why);
    }

    /** The run fails with it, and goes on to its end at the fallback. */
    @Override
    public void failed(String why, Throwable cause, long nowNanos) {
      level.failed(why, cause, nowNanos);
      Actor.super.failed(why, cause, nowNanos);
    }

    @Override
    public void check(long nowNanos, String whyNothing) {
      level.check(nowNanos, whyNothing);
    }

    @Override
    public OptionalLong validUntilNanos() {
      return level.validUntilNanos();
    }

    @Override
    public void lost(String why, long nowNanos) {
      level.lost(why, nowNanos);
    }

    @Override
    public void close(long nowNanos) {
      others.forEach(each -> each.close(nowNanos));
      level.close(nowNanos);
    }
  }

  @Override
  public Optional<ShiftedNodes.Totals> totals() {
    return Optional.ofNullable(shifts).map(SimShifts::totals);
  }

  @Override
  public Optional<Throwable> failure() {
    return loop.failure();
  }

  @Override
  public PopularitySketch sketch() {
    return reads.sketch();
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
