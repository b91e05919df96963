package org.calando.study.event;

import java.util.List;
import java.util.Optional;
import org.calando.core.time.Scheduler;
import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;
import org.calando.study.sim.SimulatedClusters;

/**
 * A simulated cluster as events change it. Nodes that are killed or stopped keep their power: what
 * ends is what serves. Those that are switched off do not: at once, or once they have stopped,
 * where somebody says what shifts cost. Belongs to the simulation's thread.
 */
public final class SimulatedControl implements ClusterControl {
  private static final long NO_PROCESS = 0;
  private static final long STOPPED = 0;

  private final SimCluster cluster;
  private final Scheduler scheduler;
  private final long[] stopsNanos;
  private final List<String> names;

  /** Changes a cluster at once, or when the scheduler says so. */
  public SimulatedControl(SimCluster cluster, Scheduler scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.stopsNanos = new long[cluster.config().topology().size()];
    this.names = cluster.config().topology().nodes().stream().map(Topology.Node::name).toList();
  }

  private int number(String node) {
    return names.indexOf(node);
  }

  @Override
  public void delayLinks(LinkDelay delay) {
    cluster.delayLinks(SimulatedClusters.delays(delay));
  }

  @Override
  public void kill(String node) {
    cluster.fail(number(node));
  }

  @Override
  public void stop(String node) {
    cluster.stop(number(node));
  }

  @Override
  public void start(String node) {
    cluster.recover(number(node));
  }

  @Override
  public void switchOff(String node) {
    int leaving = number(node);
    long now = cluster.simulation().nowNanos();
    Optional<ShiftCosts> costs = cluster.config().absences().shifts();
    if (costs.isEmpty()) {
      cluster.switchOff(leaving);
      return;
    }
    long off = now + costs.get().stopNanos();
    cluster.drain(leaving);
    stopsNanos[leaving] = off;
    scheduler.at(off, () -> stopped(leaving, off));
  }

  private void stopped(int node, long nanos) {
    if (stopsNanos[node] == nanos) {
      stopsNanos[node] = STOPPED;
      cluster.switchOff(node);
    }
  }

  /** {@inheritDoc} One that is stopping is off before. */
  @Override
  public void switchOn(String node) {
    int coming = number(node);
    if (stopsNanos[coming] != STOPPED) {
      stopped(coming, stopsNanos[coming]);
    }
    cluster.switchOn(coming);
  }

  @Override
  public boolean takesRequests(String node) {
    return cluster.isServing(number(node));
  }

  @Override
  public long pid(String node) {
    return NO_PROCESS;
  }
}
