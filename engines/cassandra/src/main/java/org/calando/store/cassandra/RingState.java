package org.calando.store.cassandra;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.layout.MoveForecast;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.Placement;

/**
 * A cluster's ring: its nodes, their tokens and data, and how the data is replicated. Immutable and
 * thread safe.
 *
 * @param cluster its name
 * @param partitioner how keys become tokens
 * @param nodes all of them, in the order of the inventory
 * @param keyspaces those that nodes share
 * @param exactSizes whether sizes are exact; else they are those of {@code
 *     system_views.disk_usage}, whole mebibytes for each table
 */
public record RingState(
    String cluster,
    Partitioner partitioner,
    List<RingNode> nodes,
    List<RingKeyspace> keyspaces,
    boolean exactSizes) {
  /** The most nodes that are moved one after the other; more are better laid out anew. */
  public static final int MAX_NODES = 200;

  /** Copies the lists. */
  public RingState {
    nodes = List.copyOf(nodes);
    keyspaces = List.copyOf(keyspaces);
  }

  /**
   * Which cluster it is: its name and a number of its nodes' host ids, for many clusters have the
   * same name.
   */
  public String target() {
    List<String> ids = nodes.stream().map(RingNode::hostId).sorted().toList();
    return cluster + "-" + Integer.toHexString(ids.hashCode());
  }

  /** The nodes' tokens by host id, one each; see {@link #requireMovable}. */
  public Map<String, BigInteger> tokens() {
    Map<String, BigInteger> tokens = new TreeMap<>();
    nodes.forEach(node -> tokens.put(node.hostId(), node.tokens().get(0)));
    return tokens;
  }

  /**
   * Refuses clusters whose nodes cannot be moved into a layout.
   *
   * @throws BadRequestException if a node has several tokens, there are several data centres, too
   *     many nodes, or more replicas than nodes
   */
  public void requireMovable() {
    for (RingNode node : nodes) {
      if (node.tokens().size() != 1) {
        throw new BadRequestException(
            "it has %d tokens, and Cassandra moves only nodes with one (num_tokens: 1)"
                .formatted(node.tokens().size()),
            "node " + node.name(),
            "add a data centre whose nodes have num_tokens: 1 and the tokens of ./calando layout"
                + " tokens, rebuild it from this one, and then retire this one");
      }
    }
    List<String> centres = nodes.stream().map(RingNode::dataCentre).distinct().sorted().toList();
    if (centres.size() > 1) {
      throw new BadRequestException(
          "it has the data centres "
              + String.join(", ", centres)
              + ", and a layout is that of one ring",
          "cluster " + cluster,
          "use ./calando layout move --dry-run --tokens for each, and nodetool move");
    }
    if (nodes.size() > MAX_NODES) {
      throw new BadRequestException(
          "%d nodes are too many to be moved one after the other".formatted(nodes.size()),
          "cluster " + cluster,
          "add a data centre in the layout, which also streams less; at most " + MAX_NODES);
    }
    var unused = parts();
  }

  /** The data by keyspace, with one replica of each key; that of no replica here is left out. */
  public List<MoveForecast.Part> parts() {
    List<MoveForecast.Part> parts = new ArrayList<>();
    for (RingKeyspace keyspace : keyspaces) {
      Optional<Placement> placement = keyspace.placement(nodes);
      placement.ifPresent(
          replicas ->
              parts.add(
                  new MoveForecast.Part(
                      replicas, bytes(keyspace.name()) / replicas.replicationFactor())));
    }
    return parts;
  }

  /** What all nodes together have of a keyspace on disk. */
  public long bytes(String keyspace) {
    return nodes.stream()
        .mapToLong(node -> node.bytesByKeyspace().getOrDefault(keyspace, 0L))
        .sum();
  }
}
