package org.calando.sim.cluster;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.calando.core.BadRequestException;

/*
 * A node with token t owns the keys after the token before it, up to and with t; the first token
 * owns what lies beyond the last. Both strategies walk the ring clockwise from the owner:
 *
 *   SimpleStrategy           takes the next nodes, whatever their racks
 *   NetworkTopologyStrategy  takes for each data centre its next nodes, but of a rack that has one
 *                            already only as many as must share a rack, since there are fewer
 *                            racks than replicas (which is Cassandra's rule since version 4)
 */
/**
 * A ring of tokens and the replicas of each of its ranges, worked out once. Immutable and thread
 * safe.
 */
public final class TokenRing implements Placement {
  private static final int MOST_REPLICAS = 31;
  private static final String WHERE = "ring";

  private final long[] tokens;
  private final int[] owners;
  private final int[][] replicas;
  private final int replicationFactor;

  /** For each value of a token's first bits the first range that can hold it. */
  private final int[] guide;

  private final int guideShift;

  private TokenRing(long[] tokens, int[] owners, int[][] replicas, int replicationFactor) {
    this.tokens = tokens;
    this.owners = owners;
    this.replicas = replicas;
    this.replicationFactor = replicationFactor;
    int bits = 2 + Integer.SIZE - Integer.numberOfLeadingZeros(tokens.length);
    guideShift = Long.SIZE - bits;
    guide = new int[1 << bits];
    int range = 0;
    for (int prefix = 0; prefix < guide.length; prefix++) {
      long least = ((long) prefix << guideShift) ^ Long.MIN_VALUE;
      while (range < tokens.length && tokens[range] < least) {
        range++;
      }
      guide[prefix] = range;
    }
  }

  /**
   * One token a node, evenly spaced, and the next nodes as replicas.
   *
   * @param nodes 1 or more
   * @param replicationFactor 1 .. nodes
   */
  public static TokenRing even(int nodes, int replicationFactor) {
    return simple(evenTokens(nodes), replicationFactor);
  }

  /** One token a node, evenly spaced over all longs, the lowest first. */
  public static long[][] evenTokens(int nodes) {
    long[][] tokens = new long[nodes][1];
    for (int i = 0; i < nodes; i++) {
      tokens[i][0] = Long.MIN_VALUE + Long.divideUnsigned(-1L, nodes) * i;
    }
    return tokens;
  }

  /**
   * SimpleStrategy.
   *
   * @param tokensByNode the tokens of each node, at least one each, all different
   * @param replicationFactor 1 .. nodes
   * @throws BadRequestException if tokens repeat or are missing, or replicas cannot be placed
   */
  public static TokenRing simple(long[][] tokensByNode, int replicationFactor) {
    requireReplicas(replicationFactor, tokensByNode.length, "nodes");
    TokenRing bare = ring(tokensByNode, replicationFactor);
    for (int i = 0; i < bare.tokens.length; i++) {
      Set<Integer> chosen = new LinkedHashSet<>();
      for (int j = 0; chosen.size() < replicationFactor; j++) {
        chosen.add(bare.owners[(i + j) % bare.owners.length]);
      }
      bare.replicas[i] = chosen.stream().mapToInt(Integer::intValue).toArray();
    }
    return bare;
  }

  /**
   * NetworkTopologyStrategy.
   *
   * @param tokensByNode the tokens of each node, at least one each, all different
   * @param topology of the same nodes
   * @param replicasByDataCentre replicas by name of the data centre
   * @throws BadRequestException if tokens repeat or are missing, or replicas cannot be placed
   */
  public static TokenRing networkTopology(
      long[][] tokensByNode, Topology topology, Map<String, Integer> replicasByDataCentre) {
    if (tokensByNode.length != topology.size()) {
      throw new BadRequestException(
          "tokens of %d nodes for %d".formatted(tokensByNode.length, topology.size()), WHERE, "");
    }
    List<String> centres = topology.dataCentres();
    int total = 0;
    for (Map.Entry<String, Integer> wanted : replicasByDataCentre.entrySet()) {
      int centre = centres.indexOf(wanted.getKey());
      long nodes =
          topology.nodes().stream().filter(n -> n.dataCentre().equals(wanted.getKey())).count();
      if (centre < 0) {
        throw new BadRequestException(
            "there is no data centre " + wanted.getKey(), WHERE, "name one of " + centres);
      }
      requireReplicas(wanted.getValue(), (int) nodes, "nodes in " + wanted.getKey());
      total += wanted.getValue();
    }
    requireReplicas(total, topology.size(), "nodes");
    TokenRing bare = ring(tokensByNode, total);
    for (int i = 0; i < bare.tokens.length; i++) {
      bare.replicas[i] = walk(bare.owners, i, topology, replicasByDataCentre, total);
    }
    return bare;
  }

  @Override
  public int[] replicas(long token) {
    int range = guide[(int) ((token ^ Long.MIN_VALUE) >>> guideShift)];
    while (range < tokens.length && tokens[range] < token) {
      range++;
    }
    return replicas[range == tokens.length ? 0 : range];
  }

  @Override
  public int replicationFactor() {
    return replicationFactor;
  }

  private static int[] walk(
      int[] owners, int from, Topology topology, Map<String, Integer> wanted, int total) {
    int centres = topology.dataCentres().size();
    int[] left = new int[centres];
    int[] repeats = new int[centres];
    for (int centre = 0; centre < centres; centre++) {
      String name = topology.dataCentres().get(centre);
      left[centre] = wanted.getOrDefault(name, 0);
      long racks = topology.racks().stream().filter(r -> r.dataCentre().equals(name)).count();
      repeats[centre] = left[centre] - (int) racks;
    }
    Set<Integer> racksUsed = new HashSet<>();
    Set<Integer> chosen = new LinkedHashSet<>();
    for (int j = 0; j < owners.length && chosen.size() < total; j++) {
      int node = owners[(from + j) % owners.length];
      int centre = topology.dataCentreOf(node);
      if (left[centre] == 0 || chosen.contains(node)) {
        continue;
      }
      if (racksUsed.add(topology.rackOf(node)) || repeats[centre]-- > 0) {
        chosen.add(node);
        left[centre]--;
      }
    }
    return chosen.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The sorted ring without replicas. */
  private static TokenRing ring(long[][] tokensByNode, int replicationFactor) {
    TreeMap<Long, Integer> sorted = new TreeMap<>();
    for (int node = 0; node < tokensByNode.length; node++) {
      if (tokensByNode[node].length == 0) {
        throw new BadRequestException("node %d has no token".formatted(node), WHERE, "");
      }
      for (long token : tokensByNode[node]) {
        Integer other = sorted.put(token, node);
        if (other != null) {
          throw new BadRequestException(
              "nodes %d and %d have the token %d".formatted(other, node, token), WHERE, "");
        }
      }
    }
    long[] tokens = sorted.keySet().stream().mapToLong(Long::longValue).toArray();
    int[] owners = sorted.values().stream().mapToInt(Integer::intValue).toArray();
    return new TokenRing(tokens, owners, new int[tokens.length][], replicationFactor);
  }

  private static void requireReplicas(int wanted, int nodes, String of) {
    if (wanted < 1 || wanted > nodes || wanted > MOST_REPLICAS) {
      throw new BadRequestException(
          "%d replicas on %d %s".formatted(wanted, nodes, of),
          WHERE,
          "ask for 1 to " + Math.min(nodes, MOST_REPLICAS));
    }
  }
}
