package org.calando.core.store;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/*
 * A level asks for a number of replicas anywhere, in the local data centre, or in each. Say a write
 * is sure of w(d) replicas in data centre d and of W in all, a read of r(d) and R. Somebody who
 * wants the read to miss the write may place all the rest: he succeeds unless w(d) + r(d) > n(d) in
 * some data centre, or, as no replica may be in both, max(W, sum w) + max(R, sum r) > N. With one
 * data centre both are the textbook's R + W > N.
 */
/**
 * How many replicas of a key each data centre holds, and from which of them requests come.
 *
 * <p>Immutable and thread safe.
 *
 * @param byDataCentre replicas by name of the data centre, each 1 or more; not empty
 * @param local the data centre that coordinates every request; one of the names
 */
public record ReplicaPlacement(Map<String, Integer> byDataCentre, String local) {
  public ReplicaPlacement {
    byDataCentre = Collections.unmodifiableMap(new TreeMap<>(byDataCentre));
    if (byDataCentre.isEmpty() || byDataCentre.values().stream().anyMatch(n -> n < 1)) {
      throw new IllegalArgumentException("replicas by data centre " + byDataCentre);
    }
    if (!byDataCentre.containsKey(local)) {
      throw new IllegalArgumentException(local + " is not one of " + byDataCentre.keySet());
    }
  }

  /**
   * All replicas in one data centre, whatever its name.
   *
   * @param replicationFactor 1 or more
   */
  public static ReplicaPlacement single(int replicationFactor) {
    return new ReplicaPlacement(Map.of("", replicationFactor), "");
  }

  /** Replicas of a key in all data centres. */
  public int total() {
    return byDataCentre.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Replicas among which the level chooses: those of the local data centre, or all. */
  public int among(ConsistencyLevel level) {
    return switch (level) {
      case LOCAL_ONE, LOCAL_QUORUM -> in(local);
      default -> total();
    };
  }

  /** Replicas that the level waits for; more than {@link #among} if it cannot be met. */
  public int involved(ConsistencyLevel level) {
    return level == ConsistencyLevel.EACH_QUORUM
        ? byDataCentre.keySet().stream().mapToInt(name -> sureIn(name, level)).sum()
        : level.replicas(among(level));
  }

  /** Whether reads at {@code read} see every write acknowledged at {@code write}. */
  public boolean isStrong(ConsistencyLevel read, ConsistencyLevel write) {
    boolean meetInOne =
        byDataCentre.keySet().stream()
            .anyMatch(name -> sureIn(name, read) + sureIn(name, write) > in(name));
    return meetInOne || involved(read) + involved(write) > total();
  }

  private int sureIn(String dataCentre, ConsistencyLevel level) {
    return switch (level) {
      case LOCAL_ONE, LOCAL_QUORUM -> dataCentre.equals(local) ? level.replicas(in(dataCentre)) : 0;
      case EACH_QUORUM -> level.replicas(in(dataCentre));
      case ALL -> in(dataCentre);
      default -> 0;
    };
  }

  private int in(String dataCentre) {
    return byDataCentre.getOrDefault(dataCentre, 0);
  }
}
