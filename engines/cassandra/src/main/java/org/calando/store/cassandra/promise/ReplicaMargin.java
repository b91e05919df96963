package org.calando.store.cassandra.promise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.store.ConsistencyLevel;

/**
 * Replicas of some data and how many of them may fail. Immutable.
 *
 * @param replicas of it
 */
record ReplicaMargin(List<Replica> replicas) {
  /** Whether a replica lives. */
  enum Life {
    LIVES,
    UNKNOWN,
    AWAY
  }

  /** A replica. */
  record Replica(String dataCentre, Life life) {}

  /** From how many to how many. */
  record Range(int low, int high) {
    /** The range of the least of two numbers. */
    Range least(Range other) {
      return new Range(Math.min(low, other.low), Math.min(high, other.high));
    }
  }

  /** Copies the list. */
  ReplicaMargin {
    replicas = List.copyOf(replicas);
  }

  /** Replicas that live. */
  Range live() {
    return live(replicas);
  }

  private static Range live(List<Replica> of) {
    int lives = count(of, Life.LIVES);
    return new Range(lives, lives + count(of, Life.UNKNOWN));
  }

  private static int count(List<Replica> of, Life life) {
    return (int) of.stream().filter(each -> each.life() == life).count();
  }

  /**
   * Replicas that may fail besides, whichever they are, so that a read at a level is still
   * answered; below 0 if it is not now.
   */
  Range margin(ConsistencyLevel level) {
    boolean byDataCentre =
        switch (level) {
          case LOCAL_ONE, LOCAL_QUORUM, EACH_QUORUM -> true;
          default -> false;
        };
    if (!byDataCentre) {
      return margin(level, replicas);
    }
    Map<String, List<Replica>> each = new HashMap<>();
    for (Replica replica : replicas) {
      each.computeIfAbsent(replica.dataCentre(), name -> new ArrayList<>()).add(replica);
    }
    return each.values().stream()
        .map(of -> margin(level, of))
        .reduce(Range::least)
        .orElse(new Range(0, 0));
  }

  private static Range margin(ConsistencyLevel level, List<Replica> of) {
    Range live = live(of);
    int needed = level.replicas(of.size());
    return new Range(live.low() - needed, live.high() - needed);
  }
}
