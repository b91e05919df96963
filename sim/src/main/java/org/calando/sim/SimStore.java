package org.calando.sim;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.control.ClockedNodes;
import org.calando.control.LevelledReads;
import org.calando.control.ShiftedNodes;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimBuffers;
import org.calando.sim.control.SimClocks;
import org.calando.sim.control.SimGears;
import org.calando.sim.control.SimJoint;
import org.calando.sim.control.SimLevels;
import org.calando.sim.kernel.Simulation;

/**
 * A simulated cluster as a store. It holds one table at a time, and is nobody else's.
 *
 * <p>Where other stores block, it runs the simulation, on the caller's thread: its time goes on.
 * Not thread safe: the store, its sessions and all that is scheduled belong to the one thread that
 * runs the simulation.
 */
public final class SimStore implements KeyValueStore {
  /** The engine and the version of what it models. */
  public static final String ENGINE = "simulator 1";

  private final SimCluster cluster;
  private final SimBuffers buffers;
  private final ShiftedNodes gears;
  private final ClockedNodes clocks;
  private final LevelledReads levels;
  private final LevelledReads.Joint joint;
  private boolean prepared;

  /** The store that a cluster is, whose writes cost the same in a buffer. */
  public SimStore(SimCluster cluster) {
    this(cluster, 1, 1);
  }

  /**
   * The same.
   *
   * @param bufferCost what a coordinator's work for a write of a buffer costs, as a share of that
   *     for a write by itself, where buffers are set while it goes; 0 .. 1
   * @param cpuShare CPU time of nodes for a time that their cores are busy, 0 .. 1
   */
  public SimStore(SimCluster cluster, double bufferCost, double cpuShare) {
    this.cluster = cluster;
    this.buffers = new SimBuffers(cluster, bufferCost);
    this.gears =
        (scheduler, settings, model, policy, listener) ->
            new SimGears(cluster, scheduler, settings, model, policy, listener);
    this.clocks =
        (scheduler, settings, policy, listener) ->
            new SimClocks(cluster, cpuShare, scheduler, settings, policy, listener);
    this.levels =
        (scheduler, settings, policy, listeners) ->
            new SimLevels(cluster, scheduler, settings, policy, listeners);
    this.joint =
        (scheduler, settings, controller, latency, listener) ->
            new SimJoint(cluster, scheduler, settings, controller, latency, listener);
  }

  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return Stream.of(buffers, gears, clocks, levels, joint)
        .filter(capability::isInstance)
        .map(capability::cast)
        .findFirst()
        .or(() -> KeyValueStore.super.find(capability));
  }

  @Override
  public void prepare(TableSpec table) {
    cluster.truncate();
    prepared = true;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Writes are deferred as the cluster is set, for all sessions alike.
   */
  @Override
  public Session open(SessionRequest request) {
    request.requireReadsFromAny(ENGINE);
    request.requireStrongWrites(ENGINE);
    return new SimSession(cluster, request.slots());
  }

  /**
   * {@inheritDoc}
   *
   * <p>The deadline is one of simulated time.
   */
  @Override
  public void settle(Duration deadline) {
    Simulation simulation = cluster.simulation();
    long endNanos = simulation.nowNanos() + deadline.toNanos();
    cluster.flush();
    simulation.runWhile(() -> !cluster.isSettled() && simulation.nowNanos() < endNanos);
    if (!cluster.isSettled()) {
      throw new FailedWorkException(
          "%d messages are under way and %d hints wait after %d s of simulated time"
              .formatted(
                  cluster.counts().messagesUnderWay(),
                  cluster.counts().hintsWaiting(),
                  deadline.toSeconds()),
          "simulated cluster",
          "allow more time, or put less load on it");
    }
  }

  @Override
  public void requireHeld() {
    if (!prepared) {
      throw new IllegalStateException("no table was prepared");
    }
  }

  @Override
  public String engine() {
    return ENGINE;
  }

  @Override
  public void close() {}
}
