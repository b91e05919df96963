package org.calando.core.store;

/**
 * How many replicas answer a read or acknowledge a write before it completes.
 *
 * <p>Immutable and thread safe.
 */
public enum ConsistencyLevel {
  ONE,
  TWO,
  THREE,
  QUORUM,
  ALL,
  LOCAL_ONE,
  LOCAL_QUORUM,
  EACH_QUORUM;

  /**
   * The number of replicas that this level involves.
   *
   * @param replicationFactor replicas of a key (of the local data centre for LOCAL levels), 1 or
   *     more
   * @return 1 .. replicationFactor; a level that asks for more than there are cannot be met, and
   *     its own number is returned so that the caller can see it
   */
  public int replicas(int replicationFactor) {
    if (replicationFactor < 1) {
      throw new IllegalArgumentException("replication factor " + replicationFactor + " < 1");
    }
    return switch (this) {
      case ONE, LOCAL_ONE -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, LOCAL_QUORUM, EACH_QUORUM -> replicationFactor / 2 + 1;
      case ALL -> replicationFactor;
    };
  }
}
