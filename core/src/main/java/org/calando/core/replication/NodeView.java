package org.calando.core.replication;

import java.util.OptionalLong;

/**
 * All that is known of one node. Immutable and thread safe.
 *
 * @param word what it said last
 * @param mayBeMaster whether it says to be the master, was chosen to be, or does not answer; only
 *     its own word that it is a replica makes this false
 * @param promised whether it was chosen to be the master and has not said so yet
 * @param servesReads whether clients read from it, as far as was counted; false for a node that was
 *     not asked
 * @param lagBytes bytes of the replication stream that it has yet to apply, 0 or more; empty for a
 *     master, and where the offsets are not known
 * @param lagNanos age of the oldest byte that it has yet to apply, 0 or more, as exactly as the
 *     master's offset is polled; a lower bound where it is older than all that is remembered, 256
 *     polls; empty as above, and where it is older than all that is known yet
 */
public record NodeView(
    NodeRole word,
    boolean mayBeMaster,
    boolean promised,
    boolean servesReads,
    OptionalLong lagBytes,
    OptionalLong lagNanos) {

  /** The node's name. */
  public String node() {
    return word.node();
  }

  /** What it says to be. */
  public Role role() {
    return word.role();
  }

  /**
   * How late it may be by now: what it said of its lag has got as old as its word. Empty where its
   * lag is not known.
   *
   * @param nowNanos on the clock of who asked
   */
  public OptionalLong lateNanos(long nowNanos) {
    return lagNanos.isPresent()
        ? OptionalLong.of(lagNanos.getAsLong() + nowNanos - word.atNanos())
        : OptionalLong.empty();
  }
}
