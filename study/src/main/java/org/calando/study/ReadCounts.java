package org.calando.study;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.store.ConsistencyLevel;

/** Reads of the measured window by level. Not thread safe. */
final class ReadCounts {
  private Optional<Map<ConsistencyLevel, Long>> before = Optional.empty();
  private Optional<Map<ConsistencyLevel, Long>> after = Optional.empty();

  void began(Map<ConsistencyLevel, Long> counts) {
    before = Optional.of(counts);
  }

  void ended(Map<ConsistencyLevel, Long> counts) {
    after = Optional.of(counts);
  }

  /**
   * Replicas that a read asked in the mean.
   *
   * @param replicas replicas of a key, N
   * @param second reads at ALL that were made only to compare with others: dual reads
   * @return empty if nothing was read
   */
  OptionalDouble meanReplicas(int replicas, long second) {
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
