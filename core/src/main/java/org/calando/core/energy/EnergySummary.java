package org.calando.core.energy;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Energy of a cluster in one window, as the sum of its nodes.
 *
 * @param nodes every node's account
 * @param grossJoules all energy of the time covered
 * @param idleJoules energy that the idle nodes would have used; NaN if a baseline is unknown
 * @param netJoules energy above idle; NaN if a baseline is unknown
 * @param watts spread of the nodes' mean powers; its mean is that of one node, not of the cluster
 * @param cpuPercent spread of the nodes' CPU percent
 * @param coverage smallest share of the window that any node's readings cover, 0 to 1
 */
public record EnergySummary(
    List<NodeEnergy> nodes,
    double grossJoules,
    double idleJoules,
    double netJoules,
    Spread watts,
    Spread cpuPercent,
    double coverage) {

  /** Copies the list. */
  public EnergySummary {
    nodes = List.copyOf(nodes);
  }

  /** The summary of the nodes' accounts. */
  public static EnergySummary of(List<NodeEnergy> nodes) {
    return new EnergySummary(
        nodes,
        sum(nodes, NodeEnergy::grossJoules),
        sum(nodes, NodeEnergy::idleJoules),
        sum(nodes, NodeEnergy::netJoules),
        Spread.of(nodes.stream().mapToDouble(NodeEnergy::meanWatts).toArray()),
        Spread.of(nodes.stream().mapToDouble(NodeEnergy::cpuPercent).toArray()),
        nodes.stream().mapToDouble(NodeEnergy::coverage).min().orElse(Double.NaN));
  }

  /** CPU time of all nodes; NaN if one is unknown. */
  public double cpuSeconds() {
    return sum(nodes, NodeEnergy::cpuSeconds);
  }

  private static double sum(List<NodeEnergy> nodes, ToDoubleFunction<NodeEnergy> figure) {
    double sum = 0;
    for (NodeEnergy node : nodes) {
      sum += figure.applyAsDouble(node);
    }
    return sum;
  }
}
