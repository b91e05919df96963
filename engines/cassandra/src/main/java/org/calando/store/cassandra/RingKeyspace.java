package org.calando.store.cassandra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Placement;

/**
 * A keyspace and how it is replicated. Immutable and thread safe.
 *
 * @param name as the cluster spells it
 * @param replication its option, with the class's short name
 */
public record RingKeyspace(String name, Map<String, String> replication) {
  private static final String SIMPLE = "SimpleStrategy";
  private static final String TOPOLOGY = "NetworkTopologyStrategy";

  /** Cassandra's own ask for more replicas than a small cluster has nodes. */
  private static final String OWN = "system_";

  /** Copies the map. */
  public RingKeyspace {
    replication = Map.copyOf(replication);
  }

  /** Whether it is the same on all nodes, or each node's own: moves stream nothing of it. */
  public boolean isFixed() {
    String strategy = strategy();
    return strategy.equals("LocalStrategy") || strategy.equals("EverywhereStrategy");
  }

  /**
   * Where its replicas are.
   *
   * @param nodes all nodes, of one data centre
   * @return empty if the data centre holds none
   * @throws BadRequestException if that cannot be told, or there are more replicas than nodes
   */
  public Optional<Placement> placement(List<RingNode> nodes) {
    int replicas = replicas(nodes.get(0).dataCentre());
    if (replicas == 0) {
      return Optional.empty();
    }
    if (replicas > nodes.size() && !name.startsWith(OWN)) {
      throw new BadRequestException(
          "%d replicas, and the cluster has %d nodes".formatted(replicas, nodes.size()),
          "keyspace " + name,
          "add nodes, or lower its replication factor, before nodes are moved");
    }
    int held = Math.min(replicas, nodes.size());
    return Optional.of(
        strategy().equals(SIMPLE)
            ? Placement.simple(nodes.size(), held)
            : Placement.racks(held, racks(nodes)));
  }

  private String strategy() {
    return replication.getOrDefault("class", "");
  }

  private int replicas(String dataCentre) {
    String option =
        switch (strategy()) {
          case SIMPLE -> replication.getOrDefault("replication_factor", "");
          case TOPOLOGY -> replication.getOrDefault(dataCentre, "0");
          default ->
              throw new BadRequestException(
                  "it is replicated by " + strategy() + ", whose replicas cannot be computed",
                  "keyspace " + name,
                  "use SimpleStrategy or NetworkTopologyStrategy, or nodetool move without Calando");
        };
    try {
      return Integer.parseInt(option);
    } catch (NumberFormatException e) {
      // Transient replicas, as 3/1.
      throw new BadRequestException(
          "its replicas cannot be computed: " + new TreeMap<>(replication),
          "keyspace " + name,
          "use whole numbers of full replicas, or nodetool move without Calando");
    }
  }

  private static int[] racks(List<RingNode> nodes) {
    List<String> names = nodes.stream().map(RingNode::rack).distinct().toList();
    return nodes.stream().mapToInt(node -> names.indexOf(node.rack())).toArray();
  }
}
