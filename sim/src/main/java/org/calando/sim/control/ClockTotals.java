package org.calando.sim.control;

import java.util.List;
import org.calando.core.energy.CoreSeconds;

/**
 * What nodes' cores have spent since the account's begin. Immutable and thread safe.
 *
 * @param atNanos up to when
 * @param nodes each node's part, in their order
 * @param masterBusySeconds core time of nodes while they were masters
 * @param replicaBusySeconds core time of nodes while they were replicas, or silent
 * @param replicaSeconds how long nodes were that, all together
 * @param changes clocks that were set to another than before
 */
public record ClockTotals(
    long atNanos,
    List<Node> nodes,
    double masterBusySeconds,
    double replicaBusySeconds,
    double replicaSeconds,
    long changes) {
  public ClockTotals {
    nodes = List.copyOf(nodes);
  }

  /**
   * A node's part. Time for which it was switched off is none.
   *
   * @param time of its cores at their clocks
   * @param atFastest as much time with the same work, had the clock been the fastest throughout
   * @param busySeconds core time
   */
  public record Node(CoreSeconds time, CoreSeconds atFastest, double busySeconds) {
    private static final Node NONE = new Node(CoreSeconds.NONE, CoreSeconds.NONE, 0);

    private Node plus(Node other) {
      return new Node(
          time.plus(other.time), atFastest.plus(other.atFastest), busySeconds + other.busySeconds);
    }
  }

  /** All nodes together. */
  public Node all() {
    return nodes.stream().reduce(Node.NONE, Node::plus);
  }
}
