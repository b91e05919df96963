package org.calando.core.policy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;

/**
 * The level of reads that are never stale, for the level of writes in use: R + W > N. Immutable and
 * thread safe.
 *
 * @param level the level
 * @param replicas as a number of replicas for {@link ReadChoice}, 1 .. N + 1, with N those of the
 *     local data centre for LOCAL levels. N + 1 where not even reading all of the local replicas
 *     would do, because writes are not sure of any of them.
 */
public record SafeLevel(ConsistencyLevel level, int replicas) {
  /** Of two levels that ask as many replicas, the one that says what is meant. */
  private static final List<ConsistencyLevel> PREFERRED =
      List.of(
          ConsistencyLevel.LOCAL_ONE,
          ConsistencyLevel.ONE,
          ConsistencyLevel.LOCAL_QUORUM,
          ConsistencyLevel.QUORUM,
          ConsistencyLevel.EACH_QUORUM,
          ConsistencyLevel.ALL,
          ConsistencyLevel.TWO,
          ConsistencyLevel.THREE);

  public SafeLevel {
    if (replicas < 1) {
      throw new IllegalArgumentException(replicas + " replicas");
    }
  }

  /**
   * The weakest: of the levels that are sure to meet every acknowledged write, the one that asks
   * the fewest replicas. Reads at ALL always are, so there is one.
   *
   * @param placement the table's replicas
   * @param write level of the table's writes
   * @param local whether LOCAL levels may be used; where none of them holds the level is another
   * @throws BadRequestException if there are too few replicas for the writes
   */
  public static SafeLevel weakest(
      ReplicaPlacement placement, ConsistencyLevel write, boolean local) {
    requireMet(placement, write);
    ConsistencyLevel level =
        PREFERRED.stream()
            .filter(read -> local || !isLocal(read))
            .filter(read -> placement.involved(read) <= placement.among(read))
            .filter(read -> placement.isStrong(read, write))
            .min(
                Comparator.<ConsistencyLevel>comparingInt(placement::involved)
                    .thenComparingInt(PREFERRED::indexOf))
            .orElseThrow();
    return of(placement, level, write, local);
  }

  private static SafeLevel of(
      ReplicaPlacement placement, ConsistencyLevel level, ConsistencyLevel write, boolean local) {
    int among = placement.among(local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
    ReadLevels levels = new ReadLevels(among, local);
    int fewest = local == isLocal(level) ? placement.involved(level) : 1;
    int replicas =
        Stream.iterate(fewest, read -> read <= among, read -> read + 1)
            .filter(read -> placement.isStrong(levels.level(read), write))
            .findFirst()
            .map(levels::asked)
            .orElse(among + 1);
    return new SafeLevel(level, replicas);
  }

  private static boolean isLocal(ConsistencyLevel level) {
    return level == ConsistencyLevel.LOCAL_ONE || level == ConsistencyLevel.LOCAL_QUORUM;
  }

  private static void requireMet(ReplicaPlacement placement, ConsistencyLevel level) {
    if (placement.involved(level) > placement.among(level)) {
      throw new BadRequestException(
          "%s cannot be met by %d replicas".formatted(level, placement.among(level)),
          "writes",
          "use a weaker level, or replicate to more nodes");
    }
  }
}
