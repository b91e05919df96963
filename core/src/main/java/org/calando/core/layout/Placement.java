package org.calando.core.layout;

import java.util.Arrays;
import java.util.BitSet;
import org.calando.core.BadRequestException;

/** Which nodes hold the replicas of a range of the ring, in one data centre. */
public sealed interface Placement {
  /** Replicas of each range. */
  int replicationFactor();

  /**
   * The nodes that hold a range.
   *
   * @param position of the range's owner on the ring, 0 to N - 1
   * @return numbers of {@link #replicationFactor} nodes, the owner's first
   */
  int[] replicas(TokenRing ring, int position);

  /**
   * SimpleStrategy: the owner and the nodes that follow it on the ring.
   *
   * @param nodes of the ring
   * @throws BadRequestException if there are not 1 to {@code nodes} replicas
   */
  static Placement simple(int nodes, int replicationFactor) {
    check(nodes, replicationFactor);
    return new Simple(replicationFactor);
  }

  /**
   * NetworkTopologyStrategy in one data centre: along the ring, the nodes of racks that have no
   * replica yet, and as many more of any rack as there are fewer racks than replicas.
   *
   * @param racks rack of node 1, 2 and so on, counted from 0
   * @throws BadRequestException if there are not 1 to N replicas
   */
  static Placement racks(int replicationFactor, int... racks) {
    check(racks.length, replicationFactor);
    return new Racks(replicationFactor, racks.clone());
  }

  private static void check(int nodes, int replicationFactor) {
    if (replicationFactor < 1 || replicationFactor > nodes) {
      throw new BadRequestException(
          nodes + " nodes cannot hold " + replicationFactor + " replicas",
          "rf",
          "write 1 to " + nodes);
    }
  }

  /** See {@link #simple}. */
  record Simple(int replicationFactor) implements Placement {
    @Override
    public int[] replicas(TokenRing ring, int position) {
      int[] replicas = new int[replicationFactor];
      Arrays.setAll(replicas, i -> ring.node(position + i));
      return replicas;
    }
  }

  /** See {@link #racks}. */
  final class Racks implements Placement {
    private final int replicationFactor;
    private final int[] racks;
    private final int repeats;

    private Racks(int replicationFactor, int[] racks) {
      this.replicationFactor = replicationFactor;
      this.racks = racks;
      int different = (int) Arrays.stream(racks).distinct().count();
      this.repeats = Math.max(0, replicationFactor - different);
    }

    @Override
    public int replicationFactor() {
      return replicationFactor;
    }

    @Override
    public int[] replicas(TokenRing ring, int position) {
      int[] replicas = new int[replicationFactor];
      BitSet taken = new BitSet();
      int repeatsLeft = repeats;
      int found = 0;
      for (int i = position; found < replicationFactor; i++) {
        int rack = racks[ring.node(i) - 1];
        if (taken.get(rack) && repeatsLeft-- <= 0) {
          continue;
        }
        taken.set(rack);
        replicas[found++] = ring.node(i);
      }
      return replicas;
    }
  }
}
