package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.jspecify.annotations.Nullable;

/** Chooses the coordinators of requests, or their keys' masters. Not thread safe. */
final class Coordinators {
  private static final int NONE = -1;

  private final CoordinatorChoice choice;
  private final @Nullable MasterReplica masterReplica;
  private final boolean[] seenUp;
  private final int[] coordinators;
  private final boolean[] coordinates;
  private final boolean[] behind;
  private final boolean[] held;
  private final RandomStream random;
  private int turn;
  private int next;

  /**
   * A choice.
   *
   * @param seenUp which nodes are believed to be up, kept by its owner
   */
  Coordinators(ClusterConfig config, boolean[] seenUp) {
    choice = config.coordinators();
    masterReplica = config.masterReplica();
    this.seenUp = seenUp;
    Topology topology = config.topology();
    int size = topology.size();
    coordinates = new boolean[size];
    behind = new boolean[size];
    held = new boolean[size];
    int[] all = new int[size];
    int count = 0;
    for (int node = 0; node < size; node++) {
      coordinates[node] =
          config.clients() == null
              || topology.nodes().get(node).dataCentre().equals(config.clients());
      if (coordinates[node]) {
        all[count++] = node;
      }
    }
    coordinators = Arrays.copyOf(all, count);
    random = new RandomStreams(config.seed()).of("replicas read");
  }

  /** The coordinator of a request for a key with these replicas; -1 if no node is up. */
  int of(boolean reads, int[] replicas) {
    if (masterReplica != null) {
      return reads ? readable(replicas, masterReplica.reads()) : master(replicas);
    }
    turn = turn == Integer.MAX_VALUE ? 0 : turn + 1;
    next = next + 1 >= coordinators.length ? 0 : next + 1;
    if (choice == CoordinatorChoice.TOKEN_AWARE) {
      int first = turn % replicas.length;
      for (int i = 0; i < replicas.length; i++) {
        int node = replicas[(first + i) % replicas.length];
        if (coordinates[node] && takesClients(node)) {
          return node;
        }
      }
    }
    int at = next;
    for (int i = 0; i < coordinators.length; i++) {
      int node = coordinators[at];
      if (takesClients(node)) {
        // Turns go on behind it: it does not take those of all nodes before it that are down.
        next = at;
        return node;
      }
      at = at + 1 == coordinators.length ? 0 : at + 1;
    }
    return NONE;
  }

  /**
   * A node that was taken for down may lack writes, or has got those that were kept for it.
   *
   * @return whether that is news
   */
  boolean setBehind(int node, boolean lacksWrites) {
    boolean changes = behind[node] != lacksWrites;
    behind[node] = lacksWrites;
    return changes;
  }

  /** Keeps clients from a node that is up, or lets them use it again. */
  void hold(int node, boolean isHeld) {
    held[node] = isHeld;
  }

  /** Whether clients are kept from a node. */
  boolean isHeld(int node) {
    return held[node];
  }

  private boolean takesClients(int node) {
    return seenUp[node] && !held[node];
  }

  /**
   * The first replica that takes clients and lacks no writes; if all that take them do, the first
   * of them.
   */
  int master(int[] replicas) {
    int master = NONE;
    for (int node : replicas) {
      if (takesClients(node)) {
        if (!behind[node]) {
          return node;
        }
        master = master == NONE ? node : master;
      }
    }
    return master;
  }

  private int readable(int[] replicas, MasterReplica.From from) {
    int master = master(replicas);
    int up = 0;
    for (int node : replicas) {
      up += takesClients(node) ? 1 : 0;
    }
    int without = from == MasterReplica.From.REPLICA && up > 1 ? 1 : 0;
    if (from == MasterReplica.From.MASTER || up <= 1) {
      return master;
    }
    int left = random.nextInt(up - without);
    for (int node : replicas) {
      if (takesClients(node) && (without == 0 || node != master) && left-- == 0) {
        return node;
      }
    }
    return master;
  }
}
