package org.calando.study;

import java.util.List;
import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;
import org.calando.study.sim.SimulatedClusters;

/**
 * A simulated cluster as events change it. Nodes that are killed or stopped keep their power: what
 * ends is what serves. Those that are switched off do not. Belongs to the simulation's thread.
 */
final class SimulatedControl implements ClusterControl {
  private static final long NO_PROCESS = 0;

  private final SimCluster cluster;
  private final List<String> names;

  SimulatedControl(SimCluster cluster) {
    this.cluster = cluster;
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
    cluster.switchOff(number(node));
  }

  @Override
  public void switchOn(String node) {
    cluster.switchOn(number(node));
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
