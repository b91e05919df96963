package org.calando.engine;

import java.util.Optional;

/**
 * What policies of gears take a cluster of the user's own for. Immutable and thread safe.
 *
 * @param capacity of a node, within what clients were promised
 * @param least nodes that are always on, where the cluster has no groups of its own; 1 or more
 * @param bandwidth bytes a second in all of bringing data home; empty for as fast as it goes
 */
public record GearSettings(Capacity capacity, int least, Optional<Long> bandwidth) {
  /**
   * What a node serves. Immutable.
   *
   * @param perSecond above 0
   * @param ofBytes whether bytes are counted, or else operations
   */
  public record Capacity(double perSecond, boolean ofBytes) {}
}
