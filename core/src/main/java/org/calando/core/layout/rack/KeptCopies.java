package org.calando.core.layout.rack;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.calando.core.store.ConsistencyLevel;

/**
 * How many copies of each range stay on while racks are off. Immutable and thread safe.
 *
 * @param copies on nodes that stay, 1 or more; empty for what a quorum needs
 * @param survive nodes that may fail besides, 0 or more
 * @param least of each range, whatever a quorum needs; 0 for no more than that
 */
public record KeptCopies(OptionalInt copies, int survive, int least) {
  private static final int MOST_REPLICAS = 100;

  /** What reads and writes at QUORUM and LOCAL_QUORUM need, and nothing for failures. */
  public static final KeptCopies QUORUM = new KeptCopies(OptionalInt.empty(), 0, 0);

  /** Refuses what is no promise. */
  public KeptCopies {
    if (survive < 0 || least < 0 || (copies.isPresent() && copies.getAsInt() < 1)) {
      throw new IllegalArgumentException(copies + " copies, " + survive + " failures");
    }
  }

  /** Copies of a range that stay on, of so many; as many as there are at most, but for failures. */
  public int needed(int replicas) {
    int asked = copies.isPresent() ? Math.min(copies.getAsInt(), replicas) : replicas / 2 + 1;
    return Math.max(asked + survive, least);
  }

  /** Whether what keeps these copies keeps the others, of ranges with up to so many replicas. */
  public boolean covers(KeptCopies others) {
    return IntStream.rangeClosed(1, MOST_REPLICAS)
        .allMatch(all -> needed(all) >= others.needed(all));
  }

  /** With no least number. */
  public KeptCopies(OptionalInt copies, int survive) {
    this(copies, survive, 0);
  }

  /**
   * What quorums and the clients' levels need, and what clients were promised: that reads go on
   * with so many nodes failed, and so many copies. At ALL none may be off.
   *
   * @param reads level of the clients' reads
   * @param writes level of their writes; empty if it is not known
   * @param survive nodes that may fail; empty if nothing is promised of that
   * @param copies live ones; 0 if nothing is promised of them
   */
  public static KeptCopies promised(
      ConsistencyLevel reads, Optional<ConsistencyLevel> writes, OptionalInt survive, int copies) {
    int failures = survive.orElse(0);
    int written = writes.map(level -> least(level, 0)).orElse(0);
    return new KeptCopies(
        OptionalInt.empty(),
        isQuorum(reads) ? failures : 0,
        Math.max(copies, Math.max(least(reads, failures), written)));
  }

  /** Of all copies, or of those of each data centre that loses one. */
  private static boolean isQuorum(ConsistencyLevel level) {
    return level == ConsistencyLevel.QUORUM
        || level == ConsistencyLevel.LOCAL_QUORUM
        || level == ConsistencyLevel.EACH_QUORUM;
  }

  /** Copies beyond a quorum's; 0 for a quorum. */
  private static int least(ConsistencyLevel level, int failures) {
    if (isQuorum(level)) {
      return 0;
    }
    return level == ConsistencyLevel.ALL ? Integer.MAX_VALUE : level.replicas(1) + failures;
  }
}
