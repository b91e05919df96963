package org.calando.sim.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.HeldGear;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.control.joint.ActorsTogether;
import org.calando.control.joint.JointSensors;
import org.calando.core.policy.Controller;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signal;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;
import org.jspecify.annotations.Nullable;

/**
 * Has one controller decide on the levels, the gear and the clocks of a simulated cluster, in
 * simulated time. Belongs to the simulation's thread.
 */
public final class SimJoint implements LevelledReads.JointlyDeciding {
  private final SimReads reads;
  private final @Nullable SimShifts shifts;
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
    this.reads = new SimReads(cluster, scheduler, table, LagModel.MEASURED, settings.fallback());
    SimNodes nodes = new SimNodes(cluster, settings.shifts().writtenBytes());
    this.shifts =
        settings
            .gears()
            .map(model -> new SimShifts(cluster, scheduler, settings.shifts(), model))
            .orElse(null);
    JointSensors sensors =
        new JointSensors(
            nodes::look,
            now -> Optional.ofNullable(shifts).map(each -> each.look(now)),
            latency,
            now -> Optional.empty());
    List<Actor> actors = new ArrayList<>();
    if (shifts != null) {
      actors.add(new HeldGear(shifts, false, HeldGear.OnFailure.END, false, look -> {}));
    }
    actors.add(nodes);
    this.loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(controller, reads.target()),
                now -> Optional.of(sensors.signals(reads.observe(now), scheduler.clock())),
                new ActorsTogether(reads.level(), actors))
            .periodNanos(table.periodNanos())
            .listener((decision, inForce) -> reads.decided())
            .listener(listener)
            .start();
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
