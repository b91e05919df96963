package org.calando.knob.level;

import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReplicaPlacement;

/**
 * The consistency levels of a configuration.
 *
 * <p>Immutable and thread safe.
 *
 * @param read level of reads and scans, or the policy that decides it
 * @param write level of writes
 */
record LevelPair(ReadLevel read, ConsistencyLevel write) {
  /** Both at one level. */
  static LevelPair both(ConsistencyLevel level) {
    return of(level, level);
  }

  /** A level for reads and one for writes. */
  static LevelPair of(ConsistencyLevel read, ConsistencyLevel write) {
    return new LevelPair(new ReadLevel.Fixed(read), write);
  }

  /** The level of all reads; empty if a policy decides. */
  Optional<ConsistencyLevel> fixedRead() {
    if (read instanceof ReadLevel.From) {
      return Optional.of(ConsistencyLevel.ONE);
    }
    return read instanceof ReadLevel.Fixed fixed ? Optional.of(fixed.level()) : Optional.empty();
  }

  /**
   * Replicas of a key that have to answer at the stronger of them, at least. A policy may come to
   * the weakest for reads.
   */
  int replicas(ReplicaPlacement placement) {
    int reads = fixedRead().map(placement::involved).orElse(0);
    return Math.max(reads, placement.involved(write));
  }

  /** Replicas that a read asks; empty if a policy decides. */
  Optional<Integer> asked(ReplicaPlacement placement) {
    return fixedRead().map(level -> level.replicas(placement.among(write)));
  }

  /** The nodes that reads of one node ask, in a store with one master; any if nothing is said. */
  ReadFrom readFrom() {
    return read instanceof ReadLevel.From one ? one.from() : ReadFrom.ANY;
  }

  /** The policy that decides the level of reads; empty if it is fixed. */
  Optional<PolicySpec> policy() {
    return read instanceof ReadLevel.Adaptive adaptive
        ? Optional.of(adaptive.policy())
        : Optional.empty();
  }

  /** What results call them: {@code QUORUM}, or {@code ONE/QUORUM} for read and write. */
  String label() {
    return read.equals(new ReadLevel.Fixed(write)) ? write.name() : read.label() + "/" + write;
  }
}
