package org.calando.load;

import org.calando.core.store.ConsistencyLevel;

/**
 * The consistency levels of one operation, an immutable snapshot.
 *
 * @param read level of reads and scans
 * @param write level of updates and inserts
 */
public record Levels(ConsistencyLevel read, ConsistencyLevel write) {
  /** The same level for reads and writes. */
  public static Levels both(ConsistencyLevel level) {
    return new Levels(level, level);
  }
}
