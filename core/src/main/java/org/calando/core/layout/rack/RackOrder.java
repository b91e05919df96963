package org.calando.core.layout.rack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The racks of a cluster in the order in which they go off. Immutable and thread safe.
 *
 * <p>In the highest gear all racks are on, in each lower gear one more is off: the last of them by
 * name first, of the racks without which every range keeps its copies, and each data centre a rack.
 */
public final class RackOrder {
  private final List<RackNode> nodes;
  private final List<String> racks;

  private RackOrder(List<RackNode> nodes, List<String> racks) {
    this.nodes = List.copyOf(nodes);
    this.racks = List.copyOf(racks);
  }

  /**
   * The order of a cluster's racks, as far as they may be off together.
   *
   * @param nodes all nodes
   * @param keyspaces whose ranges keep their copies
   * @param keeps how many
   */
  public static RackOrder of(
      List<RackNode> nodes, List<KeyspaceReplicas> keyspaces, KeptCopies keeps) {
    List<String> order = new ArrayList<>();
    for (String rack : new TreeSet<>(places(nodes)).descendingSet()) {
      Set<String> off = new TreeSet<>(order);
      off.add(rack);
      if (leavesEachCentreARack(nodes, off) && shortfall(nodes, keyspaces, keeps, off).isEmpty()) {
        order.add(rack);
      }
    }
    return new RackOrder(nodes, order);
  }

  /** Also of a cluster that holds nothing yet: somebody has to take what comes. */
  private static boolean leavesEachCentreARack(List<RackNode> nodes, Set<String> off) {
    Set<String> centres = new TreeSet<>();
    nodes.forEach(node -> centres.add(node.dataCentre()));
    nodes.stream()
        .filter(node -> !off.contains(node.place()))
        .forEach(node -> centres.remove(node.dataCentre()));
    return centres.isEmpty();
  }

  /**
   * The order while racks are off: those that are, which came on again one after the other.
   *
   * @param nodes all nodes
   * @param off places of the racks that are off
   */
  public static RackOrder withOff(List<RackNode> nodes, SortedSet<String> off) {
    return new RackOrder(nodes, List.copyOf(new TreeSet<>(off).descendingSet()));
  }

  private static Set<String> places(List<RackNode> nodes) {
    return nodes.stream().map(RackNode::place).collect(Collectors.toSet());
  }

  /**
   * A range that would keep too few copies without some racks; empty if none does.
   *
   * <p>A data centre keeps what its own levels need of its own copies, and all together what levels
   * of the whole cluster need. Ranges that lose no copy are not looked at.
   */
  public static Optional<Shortfall> shortfall(
      List<RackNode> nodes, List<KeyspaceReplicas> keyspaces, KeptCopies keeps, Set<String> racks) {
    Set<String> off = named(nodes, node -> racks.contains(node.place()));
    List<Set<String>> parts = new ArrayList<>();
    parts.add(named(nodes, node -> true));
    nodes.stream()
        .map(RackNode::dataCentre)
        .distinct()
        .forEach(centre -> parts.add(named(nodes, node -> node.dataCentre().equals(centre))));
    return keyspaces.stream()
        .flatMap(
            keyspace ->
                keyspace.ranges().stream()
                    .flatMap(
                        range ->
                            parts.stream()
                                .flatMap(part -> of(keyspace, range, part, off, keeps).stream())))
        .findFirst();
  }

  private static Optional<Shortfall> of(
      KeyspaceReplicas keyspace,
      Set<String> range,
      Set<String> part,
      Set<String> off,
      KeptCopies keeps) {
    SortedSet<String> replicas = new TreeSet<>(range);
    replicas.retainAll(part);
    int left = (int) replicas.stream().filter(node -> !off.contains(node)).count();
    int needed = keeps.needed(replicas.size());
    return left == replicas.size() || left >= needed
        ? Optional.empty()
        : Optional.of(new Shortfall(keyspace.keyspace(), replicas, left, needed));
  }

  private static Set<String> named(List<RackNode> nodes, Predicate<RackNode> which) {
    return nodes.stream()
        .filter(which)
        .map(RackNode::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Number of nodes. */
  public int nodes() {
    return nodes.size();
  }

  /** Names of all nodes, in their order. */
  public List<String> names() {
    return nodes.stream().map(RackNode::name).toList();
  }

  /** The gear in which all racks are on; 1 if none may be off. */
  public int highest() {
    return racks.size() + 1;
  }

  /** The racks that are off in a gear, from 1 to {@link #highest}. */
  public SortedSet<String> offIn(int gear) {
    return new TreeSet<>(racks.subList(0, highest() - gear));
  }

  /** The gear in which just these racks are off; empty if there is none. */
  public Optional<Integer> gearOf(Set<String> off) {
    int gear = highest() - off.size();
    return gear >= 1 && offIn(gear).equals(off) ? Optional.of(gear) : Optional.empty();
  }

  /** Names of the nodes of some racks, in their order. */
  public List<String> nodesOf(Set<String> some) {
    return nodes.stream().filter(node -> some.contains(node.place())).map(RackNode::name).toList();
  }
}
