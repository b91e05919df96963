package org.calando.engine;

import java.util.Optional;
import org.calando.core.layout.rack.KeptCopies;

/**
 * What policies of gears take a cluster of the user's own for. Immutable and thread safe.
 *
 * @param capacity of a node, within what clients were promised
 * @param least nodes that are always on, where the cluster has no groups of its own; 1 or more
 * @param bandwidth bytes a second in all of bringing data home; empty for as fast as it goes
 * @param keeps copies that stay on in each gear, of clusters that count them
 */
public record GearSettings(
    Capacity capacity, int least, Optional<Long> bandwidth, KeptCopies keeps) {
  /** With what quorums need. */
  public GearSettings(Capacity capacity, int least, Optional<Long> bandwidth) {
    this(capacity, least, bandwidth, KeptCopies.QUORUM);
  }

  /** The same with other copies. */
  public GearSettings keeping(KeptCopies others) {
    return new GearSettings(capacity, least, bandwidth, others);
  }

  /**
   * What a node serves. Immutable.
   *
   * @param perSecond above 0
   * @param ofBytes whether bytes are counted, or else operations
   */
  public record Capacity(double perSecond, boolean ofBytes) {}
}
