package org.calando.store.hdfs;

import java.util.Map;

/**
 * Where all replicas of a block are, those on nodes in maintenance included. Immutable.
 *
 * @param path the file, absolute
 * @param blockId the block's number
 * @param bytes its length
 * @param replicas state of each by the node's name, {@code ADDRESS:PORT}
 */
public record BlockPlaces(String path, long blockId, long bytes, Map<String, State> replicas) {
  /** Copies the map. */
  public BlockPlaces {
    replicas = Map.copyOf(replicas);
  }

  /** What the NameNode holds of a replica. */
  public enum State {
    /** Can be read. */
    LIVE,
    /** On a node in maintenance, or on the way there: counts, and is named to no reader. */
    MAINTENANCE,
    /** To be deleted. */
    EXCESS,
    /** Its node was silent for a while, or has not told anew what it holds. */
    STALE,
    /** Not what was written. */
    CORRUPT,
    /** On a node that is decommissioned or being so. */
    DECOMMISSIONED
  }
}
