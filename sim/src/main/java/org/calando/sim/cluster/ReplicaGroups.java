package org.calando.sim.cluster;

import org.calando.core.BadRequestException;

/**
 * Nodes in groups that hold the same keys, as a Redis master and its replicas do: an equal part of
 * all keys each, and the first node of a group owns its keys. Immutable and thread safe.
 */
public final class ReplicaGroups implements Placement {
  private final int[][] groups;

  /**
   * Groups of neighbouring nodes.
   *
   * @param nodes a multiple of the replication factor
   * @param replicationFactor nodes of a group, 1 or more
   * @throws BadRequestException if the nodes do not make whole groups
   */
  public ReplicaGroups(int nodes, int replicationFactor) {
    if (replicationFactor < 1 || nodes < 1 || nodes % replicationFactor != 0) {
      throw new BadRequestException(
          "%d nodes are no groups of %d".formatted(nodes, replicationFactor),
          "replica groups",
          "choose a multiple of the replication factor");
    }
    groups = new int[nodes / replicationFactor][replicationFactor];
    for (int node = 0; node < nodes; node++) {
      groups[node / replicationFactor][node % replicationFactor] = node;
    }
  }

  @Override
  public int[] replicas(long token) {
    // The token as a fraction of all of them, in as many equal parts as there are groups.
    return groups[(int) StrictMath.multiplyHigh(token >>> 1, 2L * groups.length)];
  }

  @Override
  public int replicationFactor() {
    return groups[0].length;
  }

  /** The group of a node. */
  public int groupOf(int node) {
    return node / replicationFactor();
  }

  /** The nodes of a group, in order; not to be changed. */
  public int[] nodes(int group) {
    return groups[group];
  }
}
