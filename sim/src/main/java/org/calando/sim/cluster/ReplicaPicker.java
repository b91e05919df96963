package org.calando.sim.cluster;

import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;

/** Chooses the replicas that coordinators ask or wait for. Not thread safe. */
final class ReplicaPicker {
  private static final double WEIGHT_OF_LAST = 0.2;

  private final Topology topology;
  private final ReplicaChoice choice;
  private final boolean fromMaster;
  private final boolean[] seenUp;
  private final RandomStream[] random;
  private final RandomStream lateRandom;
  private final double[] scores;
  private final int[] order;
  private final int centres;

  /**
   * A picker.
   *
   * @param seenUp which nodes are believed to be up, kept by its owner
   */
  ReplicaPicker(ClusterConfig config, boolean[] seenUp) {
    topology = config.topology();
    choice = config.replicas();
    fromMaster = config.masterReplica() != null;
    this.seenUp = seenUp;
    int size = topology.size();
    centres = topology.dataCentres().size();
    RandomStreams streams = new RandomStreams(config.seed());
    random = new RandomStream[size];
    for (int node = 0; node < size; node++) {
      random[node] = streams.of("choice of replicas", node);
    }
    lateRandom = streams.of("late replicas");
    order = new int[config.placement().replicationFactor()];
    scores =
        choice == ReplicaChoice.FASTEST
            ? new double[topology.racks().size() * size]
            : new double[0];
  }

  /** The replicas, as bits, that can count for a level at a coordinator. */
  int counting(ConsistencyLevel level, int coordinator, int[] replicas) {
    int all = (1 << replicas.length) - 1;
    return level == ConsistencyLevel.LOCAL_ONE || level == ConsistencyLevel.LOCAL_QUORUM
        ? inCentre(topology.dataCentreOf(coordinator), replicas)
        : all;
  }

  /** How many of the counting replicas a level needs; for EACH_QUORUM the sum of quorums. */
  int needed(ConsistencyLevel level, int counting, int[] replicas) {
    if (level != ConsistencyLevel.EACH_QUORUM) {
      int among = Integer.bitCount(counting);
      return among == 0 ? 1 : level.replicas(among);
    }
    int sum = 0;
    for (int centre = 0; centre < centres; centre++) {
      int here = Integer.bitCount(inCentre(centre, replicas));
      sum += here == 0 ? 0 : here / 2 + 1;
    }
    return sum;
  }

  /** Whether a set of replicas has a quorum of each data centre. */
  boolean hasEachQuorum(int set, int[] replicas) {
    for (int centre = 0; centre < centres; centre++) {
      int here = inCentre(centre, replicas);
      if (here != 0 && Integer.bitCount(set & here) < Integer.bitCount(here) / 2 + 1) {
        return false;
      }
    }
    return true;
  }

  /** The replicas, as bits, that are believed to be up. */
  int up(int[] replicas) {
    int up = 0;
    for (int place = 0; place < replicas.length; place++) {
      if (seenUp[replicas[place]]) {
        up |= 1 << place;
      }
    }
    return up;
  }

  /**
   * Chooses replicas to read from.
   *
   * @param from those that may be chosen, as bits; at least as many as needed
   * @param need how many
   * @param each whether a quorum of each data centre is needed
   * @return the places chosen, the first {@code need} of the array
   */
  int[] pick(int from, int need, boolean each, int coordinator, int[] replicas) {
    int count = 0;
    for (int place = 0; place < replicas.length; place++) {
      if ((from & 1 << place) != 0) {
        order[count++] = place;
      }
    }
    switch (choice) {
      case FIRST -> {}
      case RANDOM -> {
        for (int i = 0; i < Math.min(each ? count : need, count - 1); i++) {
          swap(i, i + random[coordinator].nextInt(count - i));
        }
      }
      case FASTEST, NEAREST -> sortByScore(count, coordinator, replicas);
    }
    if (fromMaster) {
      coordinatorFirst(count, coordinator, replicas);
    }
    if (each) {
      quorumsFirst(count, replicas);
    }
    return order;
  }

  /**
   * The replicas at random, as bits, that a lagging write reaches at once: those that its level
   * waits for.
   *
   * @param from those that may be chosen, as bits; enough for the level
   * @param need how many
   * @param each whether a quorum of each data centre is needed
   */
  int prompt(int from, int need, boolean each, int[] replicas) {
    if (!each) {
      return anyOf(from, need);
    }
    int set = 0;
    for (int centre = 0; centre < centres; centre++) {
      int here = inCentre(centre, replicas);
      set |= here == 0 ? 0 : anyOf(from & here, Integer.bitCount(here) / 2 + 1);
    }
    return set;
  }

  private int anyOf(int from, int need) {
    int left = need;
    int set = 0;
    int count = Integer.bitCount(from);
    for (int place = 0; from >>> place != 0; place++) {
      if ((from & 1 << place) != 0 && lateRandom.nextInt(count--) < left) {
        set |= 1 << place;
        left--;
      }
    }
    return set;
  }

  /** A replica replied after a time to a coordinator. */
  void replied(int coordinator, int node, long nanos) {
    if (scores.length > 0) {
      int index = topology.rackOf(coordinator) * topology.size() + node;
      scores[index] += WEIGHT_OF_LAST * (nanos - scores[index]);
    }
  }

  private int inCentre(int centre, int[] replicas) {
    int set = 0;
    for (int place = 0; place < replicas.length; place++) {
      if (topology.dataCentreOf(replicas[place]) == centre) {
        set |= 1 << place;
      }
    }
    return set;
  }

  private void sortByScore(int count, int coordinator, int[] replicas) {
    for (int i = 1; i < count; i++) {
      for (int j = i;
          j > 0 && score(j, coordinator, replicas) < score(j - 1, coordinator, replicas);
          j--) {
        swap(j, j - 1);
      }
    }
  }

  private double score(int index, int coordinator, int[] replicas) {
    int node = replicas[order[index]];
    if (choice == ReplicaChoice.NEAREST) {
      return distance(node, coordinator);
    }
    return node == coordinator ? -1 : scores[topology.rackOf(coordinator) * topology.size() + node];
  }

  private int distance(int node, int coordinator) {
    if (node == coordinator) {
      return 0;
    }
    if (topology.rackOf(node) == topology.rackOf(coordinator)) {
      return 1;
    }
    return topology.dataCentreOf(node) == topology.dataCentreOf(coordinator) ? 2 : 3;
  }

  private void coordinatorFirst(int count, int coordinator, int[] replicas) {
    for (int i = 1; i < count; i++) {
      if (replicas[order[i]] == coordinator) {
        swap(0, i);
      }
    }
  }

  /** Moves a quorum of each data centre to the front, in the order there is. */
  private void quorumsFirst(int count, int[] replicas) {
    int front = 0;
    for (int centre = 0; centre < centres; centre++) {
      int quorum = Integer.bitCount(inCentre(centre, replicas)) / 2 + 1;
      for (int i = front; i < count && quorum > 0; i++) {
        if (topology.dataCentreOf(replicas[order[i]]) == centre) {
          for (int j = i; j > front; j--) {
            swap(j, j - 1);
          }
          front++;
          quorum--;
        }
      }
    }
  }

  private void swap(int i, int j) {
    int place = order[i];
    order[i] = order[j];
    order[j] = place;
  }
}
