package org.calando.core.layout.rack;

import java.util.OptionalInt;

/**
 * How many copies of each range stay on while racks are off. Immutable and thread safe.
 *
 * @param copies on nodes that stay, 1 or more; empty for what a quorum needs
 * @param survive nodes that may fail besides, 0 or more
 */
public record KeptCopies(OptionalInt copies, int survive) {
  /** What reads and writes at QUORUM and LOCAL_QUORUM need, and nothing for failures. */
  public static final KeptCopies QUORUM = new KeptCopies(OptionalInt.empty(), 0);

  /** Refuses what is no promise. */
  public KeptCopies {
    if (survive < 0 || (copies.isPresent() && copies.getAsInt() < 1)) {
      throw new IllegalArgumentException(copies + " copies, " + survive + " failures");
    }
  }

  /** Copies of a range that stay on, of so many; as many as there are at most, but for failures. */
  public int needed(int replicas) {
    int asked = copies.isPresent() ? Math.min(copies.getAsInt(), replicas) : replicas / 2 + 1;
    return asked + survive;
  }
}
