package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;

/** The nodes of a cluster by rack and data centre. Immutable and thread safe. */
public final class Topology {
  /**
   * A node.
   *
   * @param name unique in its cluster
   * @param rack name, unique in its data centre
   * @param dataCentre name
   */
  public record Node(String name, String rack, String dataCentre) {}

  /**
   * A rack of a data centre.
   *
   * @param rack name, unique in its data centre
   * @param dataCentre name
   */
  public record Rack(String rack, String dataCentre) {}

  private final List<Node> nodes;
  private final List<Rack> racks;
  private final List<String> dataCentres;
  private final int[] rackOf;
  private final int[] dataCentreOf;

  private Topology(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
    Map<Rack, Integer> rackNumbers = new LinkedHashMap<>();
    Map<String, Integer> centreNumbers = new LinkedHashMap<>();
    rackOf = new int[nodes.size()];
    dataCentreOf = new int[nodes.size()];
    for (int i = 0; i < rackOf.length; i++) {
      Node node = nodes.get(i);
      Rack rack = new Rack(node.rack(), node.dataCentre());
      rackNumbers.putIfAbsent(rack, rackNumbers.size());
      centreNumbers.putIfAbsent(node.dataCentre(), centreNumbers.size());
      rackOf[i] = rackNumbers.getOrDefault(rack, 0);
      dataCentreOf[i] = centreNumbers.getOrDefault(node.dataCentre(), 0);
    }
    racks = List.copyOf(rackNumbers.keySet());
    dataCentres = List.copyOf(centreNumbers.keySet());
  }

  /**
   * Any nodes; their numbers are their places in the list.
   *
   * @throws BadRequestException if there are none, or two have one name
   */
  public static Topology of(List<Node> nodes) {
    HashSet<String> names = new HashSet<>();
    for (Node node : nodes) {
      if (!names.add(node.name())) {
        throw new BadRequestException(
            "two nodes are called " + node.name(), "topology", "give each node a name of its own");
      }
    }
    if (nodes.isEmpty()) {
      throw new BadRequestException("a cluster without nodes", "topology", "name at least one");
    }
    return new Topology(nodes);
  }

  /**
   * Nodes n1, n2, ... of one data centre, dealt to racks r1, r2, ... by turns.
   *
   * @param nodes 1 or more
   * @param racks 1 or more
   */
  public static Topology racks(int nodes, int racks) {
    List<Node> dealt = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      dealt.add(new Node("n" + (i + 1), "r" + (i % Math.max(1, racks) + 1), "dc1"));
    }
    return of(dealt);
  }

  /** Every node. */
  public List<Node> nodes() {
    return nodes;
  }

  /** How many nodes there are. */
  public int size() {
    return nodes.size();
  }

  /** Every rack, in order of its first node. */
  public List<Rack> racks() {
    return racks;
  }

  /** Every data centre, in order of its first node. */
  public List<String> dataCentres() {
    return dataCentres;
  }

  /** The number of a node's rack. */
  public int rackOf(int node) {
    return rackOf[node];
  }

  /** The number of a node's data centre. */
  public int dataCentreOf(int node) {
    return dataCentreOf[node];
  }
}
