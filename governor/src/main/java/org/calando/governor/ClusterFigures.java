package org.calando.governor;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.power.MeterInfo;

/**
 * What a cluster has drawn and what its clients have asked of it. Immutable and thread safe.
 *
 * @param meter what the joules are; empty if nothing tells them
 * @param whyNoMeter why nothing tells them; empty if something does
 * @param accounted seconds of the periods of which every node's joules and requests are known
 * @param unknown seconds of the others
 * @param joules of the accounted periods; 0 without one, as of no time
 * @param requests of clients in the accounted periods; likewise
 * @param lastPerKop joules per thousand requests in the last period; empty if that is not
 *     accounted, or had no request
 * @param nodes the nodes, in the cluster's order
 * @param saving what its knobs save; empty if none of them has a model
 */
public record ClusterFigures(
    Optional<MeterInfo> meter,
    String whyNoMeter,
    double accounted,
    double unknown,
    double joules,
    long requests,
    OptionalDouble lastPerKop,
    List<Node> nodes,
    Optional<Saving> saving) {
  /**
   * What a node has drawn and answered. Immutable.
   *
   * @param name its name
   * @param watts in the last second; empty if they are not known
   * @param joules of all seconds in which they are known; empty if they never were
   * @param unknownSeconds without joules
   * @param readsPerSecond in the last period; empty if they are not known
   * @param writesPerSecond in the last period; empty if they are not known
   * @param reads that it has answered, as far as they are known; empty if they never were
   * @param writes likewise
   * @param place where it is, and whether it serves
   */
  public record Node(
      String name,
      OptionalDouble watts,
      OptionalDouble joules,
      double unknownSeconds,
      OptionalDouble readsPerSecond,
      OptionalDouble writesPerSecond,
      OptionalLong reads,
      OptionalLong writes,
      NodePlace place) {}

  /** Copies the list. */
  public ClusterFigures {
    nodes = List.copyOf(nodes);
  }

  /** Joules per thousand requests over all that is accounted; empty without requests. */
  public OptionalDouble perKop() {
    return requests == 0 ? OptionalDouble.empty() : OptionalDouble.of(1000 * joules / requests);
  }

  /** Power of all nodes in the last second; empty unless that of each is known. */
  public OptionalDouble watts() {
    return nodes.isEmpty() || nodes.stream().anyMatch(node -> node.watts().isEmpty())
        ? OptionalDouble.empty()
        : OptionalDouble.of(nodes.stream().mapToDouble(node -> node.watts().orElseThrow()).sum());
  }
}
