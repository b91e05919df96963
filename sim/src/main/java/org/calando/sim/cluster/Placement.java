package org.calando.sim.cluster;

/** Which nodes hold a key. Implementations are immutable. */
public interface Placement {
  /**
   * The replicas of a key.
   *
   * @param token the key's place on the ring, any value
   * @return numbers of nodes, each once, the first the key's owner; always the same array for a
   *     token, and not to be changed
   */
  int[] replicas(long token);

  /** Replicas of each key, 1 .. 31. */
  int replicationFactor();
}
