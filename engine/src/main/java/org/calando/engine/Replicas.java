package org.calando.engine;

import java.util.Map;
import java.util.Optional;

/**
 * Where the replicas of a key are. Immutable and thread safe.
 *
 * @param factor replicas of a key, over data centres, their sum
 * @param byDatacenter replicas in each data centre, where the user tells; else empty
 * @param localDatacenter the data centre that requests go to, where it is known; one of {@code
 *     byDatacenter} if there are any
 */
public record Replicas(
    int factor, Map<String, Integer> byDatacenter, Optional<String> localDatacenter) {
  /** Copies the mapping. */
  public Replicas {
    byDatacenter = Map.copyOf(byDatacenter);
  }

  /** So many, of which nobody tells where they are. */
  public static Replicas of(int factor) {
    return new Replicas(factor, Map.of(), Optional.empty());
  }
}
