package org.calando.core.layout.gear;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A block and the nodes that hold it. Immutable.
 *
 * @param id of the block
 * @param bytes its length, 0 or more
 * @param nodes those that hold a replica, also those that are off
 * @param homes where it was meant to be when it was written, if somebody knows
 */
public record PlacedBlock(long id, long bytes, Set<Integer> nodes, Optional<List<Integer>> homes) {
  /** Copies the collections. */
  public PlacedBlock {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes);
    }
    nodes = Collections.unmodifiableSet(new TreeSet<>(nodes));
    homes = homes.map(List::copyOf);
  }
}
