package org.calando.study.config;

import org.calando.core.store.ConsistencyLevel;

/**
 * The consistency levels of a configuration.
 *
 * <p>Immutable and thread safe.
 *
 * @param read level of reads and scans
 * @param write level of writes
 */
public record LevelPair(ConsistencyLevel read, ConsistencyLevel write) {

  /** Both at one level. */
  public static LevelPair both(ConsistencyLevel level) {
    return new LevelPair(level, level);
  }

  /** The pair in results: {@code QUORUM}, or {@code ONE/QUORUM} for read and write. */
  public String label() {
    return read == write ? read.name() : read + "/" + write;
  }
}
