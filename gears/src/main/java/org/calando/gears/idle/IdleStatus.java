package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.calando.control.JournalEntry;
import org.calando.core.FailedWorkException;
import org.calando.gears.DurablePlans;
import org.calando.gears.Member;
import org.calando.gears.NodeMeans;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hbase.RegionServers;
import org.calando.store.hbase.RegionServers.Region;
import org.jspecify.annotations.Nullable;

/**
 * How the servers of an HBase are: read from HBase, HDFS, the switches and the file that tells who
 * sleeps. Immutable.
 *
 * @param nodes all of them
 * @param near share of all regions' bytes that are on the DataNode beside their server, 0 to 1
 * @param balancer whether HBase's balancer is on
 * @param balancerOwed whether it is off, and was on before a plan that was given up
 * @param unfinished the plan that was begun and not ended
 */
public record IdleStatus(
    List<Node> nodes,
    double near,
    boolean balancer,
    boolean balancerOwed,
    Optional<JournalEntry> unfinished) {
  /** Copies the list. */
  public IdleStatus {
    nodes = List.copyOf(nodes);
  }

  /**
   * A node.
   *
   * @param node which
   * @param asleep whether it is to sleep
   * @param live whether the master holds its RegionServer for live
   * @param serverPower as its switch says
   * @param dataNode as the NameNode sees it
   * @param dataNodePower as its switch says
   * @param drained whether its server is marked as draining: it gets no regions
   * @param leftDrained whether a plan that was given up left that mark
   * @param regions on its server
   * @param away regions that were on its server before it went to sleep
   * @param near share of its regions' bytes that are on its DataNode, 0 to 1; empty if not live
   * @param hbaseNear the same as HBase has it, by hosts; empty if not live, or not told yet
   */
  public record Node(
      IdleNode node,
      boolean asleep,
      boolean live,
      PowerSwitch.State serverPower,
      Member dataNode,
      PowerSwitch.State dataNodePower,
      boolean drained,
      boolean leftDrained,
      int regions,
      int away,
      OptionalDouble near,
      OptionalDouble hbaseNear) {
    /** Whether all of it is as it is to be. */
    public boolean isRight() {
      return asleep
          ? !live
              && serverPower != PowerSwitch.State.ON
              && dataNodePower != PowerSwitch.State.ON
              && !dataNode.serves()
          : live && dataNode.serves() && !leftDrained;
    }
  }

  /** Whether all nodes and the balancer are as they are to be, and no plan waits. */
  public boolean isSettled() {
    return unfinished.isEmpty() && !balancerOwed && nodes.stream().allMatch(Node::isRight);
  }

  /** Looks. */
  public static IdleStatus of(IdleMeans means) {
    RegionServers regions = means.regions();
    Map<String, List<Region>> places = Mover.places(regions);
    Nearness nearness = Nearness.of(means, LocalBytes.of(means), places);
    Map<String, Double> told = told(regions);
    IdleState state = IdleFile.read(means.path());
    Map<String, Integer> away = new HashMap<>();
    state.asleep().forEach(sleeper -> away.put(sleeper.node(), sleeper.homes().size()));
    Set<String> drained = regions.drained();
    List<Node> nodes = new ArrayList<>();
    for (IdleNode node : means.nodes()) {
      List<Region> held = places.get(node.server());
      nodes.add(
          new Node(
              node,
              away.containsKey(node.name()),
              held != null,
              power(means.servers(), node.server()),
              member(means, node),
              power(means.dataNodes(), node.dataNode()),
              drained.contains(node.server()),
              drained.contains(node.server())
                  && state.left().node(node.name()).filter(left -> !left.drained()).isPresent(),
              held == null ? 0 : held.size(),
              away.getOrDefault(node.name(), 0),
              some(nearness.byNode().get(node.name())),
              some(told.get(node.server()))));
    }
    boolean balancer = regions.balancer();
    return new IdleStatus(
        nodes,
        nearness.all(),
        balancer,
        !balancer && state.left().balancer(),
        DurablePlans.unfinished(means.path()));
  }

  private static OptionalDouble some(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The mean of regions' localities as servers told them, by server. */
  private static Map<String, Double> told(RegionServers regions) {
    Map<String, double[]> sums = new HashMap<>();
    for (RegionServers.Report report : regions.reports()) {
      for (RegionServers.Load load : report.loads()) {
        double[] sum = sums.computeIfAbsent(report.server(), server -> new double[2]);
        sum[0] += load.locality();
        sum[1]++;
      }
    }
    Map<String, Double> means = new HashMap<>();
    sums.forEach((server, sum) -> means.put(server, sum[0] / sum[1]));
    return means;
  }

  private static Member member(IdleMeans means, IdleNode node) {
    return means.dataNodes().members(Set.of(node.dataNode())).stream()
        .min(Comparator.comparingInt(Member::number))
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "the NameNode does not know " + node.dataNode(),
                    "node " + node.name(),
                    "correct the DataNode's address"));
  }

  private static PowerSwitch.State power(NodeMeans means, String name) {
    if (!means.switches().containsKey(name)) {
      return PowerSwitch.State.UNKNOWN;
    }
    try {
      return means.stateOf(name);
    } catch (FailedWorkException e) {
      return PowerSwitch.State.UNKNOWN;
    }
  }
}
