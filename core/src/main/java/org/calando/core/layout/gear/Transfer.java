package org.calando.core.layout.gear;

import java.util.OptionalInt;

/**
 * A replica that is to be sent. Immutable.
 *
 * @param id of the block
 * @param bytes its length
 * @param from the node whose replica goes when the copy is there; empty if none goes
 * @param source the node that sends it
 * @param to the node that gets it
 */
public record Transfer(long id, long bytes, OptionalInt from, int source, int to) {
  /** Whether a replica goes for it. */
  public boolean isMove() {
    return from.isPresent();
  }
}
