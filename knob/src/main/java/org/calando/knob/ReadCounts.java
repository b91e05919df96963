package org.calando.knob;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.store.ConsistencyLevel;

/** Reads of the measured window by level. Not thread safe. */
public final class ReadCounts {
  private Optional<Map<ConsistencyLevel, Long>> before = Optional.empty();
  private Optional<Map<ConsistencyLevel, Long>> after = Optional.empty();

  /** The measured window begins. */
  public void began(Map<ConsistencyLevel, Long> counts) {
    before = Optional.of(counts);
  }

  /** The measured window has ended. */
  public void ended(Map<ConsistencyLevel, Long> counts) {
    after = Optional.of(counts);
  }

  /**
   * Replicas that a read asked in the mean.
   *
   * @param replicas replicas of a key, N
   * @param second reads at ALL that were made only to compare with others: dual reads
   * @return empty if nothing was read
   */
  public OptionalDouble meanReplicas(int replicas, long second) {
    if (before.isEmpty() || after.isEmpty()) {
      return OptionalDouble.empty();
    }
    long reads = 0;
    long asked = 0;
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      long count = after.get().getOrDefault(level, 0L) - before.get().getOrDefault(level, 0L);
      long own = level == ConsistencyLevel.ALL ? Math.max(0, count - second) : count;
      reads += own;
      asked += own * level.replicas(replicas);
    }
    return reads == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) asked / reads);
  }
}
