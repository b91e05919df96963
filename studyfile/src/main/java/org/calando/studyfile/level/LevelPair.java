package org.calando.studyfile.level;

import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReplicaPlacement;
import org.calando.knob.LevelNeeds;

/**
 * The consistency levels of a configuration.
 *
 * <p>Immutable and thread safe.
 *
 * @param read level of reads and scans, or the policy that decides it
 * @param write level of writes
 */
public record LevelPair(ReadLevel read, ConsistencyLevel write) implements LevelNeeds {
  /** Of a store of files, whose writes are on all replicas. */
  public static final LevelPair NONE = new LevelPair(new ReadLevel.None(), ConsistencyLevel.ALL);

  /** Both at one level. */
  public static LevelPair both(ConsistencyLevel level) {
    return of(level, level);
  }

  /** A level for reads and one for writes. */
  public static LevelPair of(ConsistencyLevel read, ConsistencyLevel write) {
    return new LevelPair(new ReadLevel.Fixed(read), write);
  }

  /** The level of all reads; empty if a policy decides. */
  public Optional<ConsistencyLevel> fixedRead() {
    if (read instanceof ReadLevel.From) {
      return Optional.of(ConsistencyLevel.ONE);
    }
    return read instanceof ReadLevel.Fixed fixed ? Optional.of(fixed.level()) : Optional.empty();
  }

  /** {@inheritDoc} A policy may come to the weakest for reads. */
  @Override
  public int replicas(ReplicaPlacement placement) {
    int reads = fixedRead().map(placement::involved).orElse(0);
    return Math.max(reads, placement.involved(write));
  }

  /** The nodes that reads of one node ask, in a store with one master; any if nothing is said. */
  public ReadFrom readFrom() {
    return read instanceof ReadLevel.From one ? one.from() : ReadFrom.ANY;
  }

  /** The policy that decides the level of reads; empty if it is fixed. */
  public Optional<PolicySpec> policy() {
    return read instanceof ReadLevel.Adaptive adaptive
        ? Optional.of(adaptive.policy())
        : Optional.empty();
  }

  /** {@inheritDoc} {@code QUORUM}, or {@code ONE/QUORUM} for read and write. */
  @Override
  public String label() {
    if (read instanceof ReadLevel.None) {
      return "";
    }
    return read.equals(new ReadLevel.Fixed(write)) ? write.name() : read.label() + "/" + write;
  }
}
