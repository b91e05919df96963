package org.calando.core.store;

import java.util.function.Consumer;
import org.calando.core.BadRequestException;

/**
 * What a session is to be like. A store refuses what it does not support. Immutable; the listener
 * must be thread safe.
 *
 * @param slots operations that may be under way at once, 1 or more
 * @param readFrom the nodes that reads of one node may ask
 * @param writes how writes are sent until that is changed
 * @param failedWrites called once for each deferred write that fails, on any thread, those that are
 *     left when the session closes included
 */
public record SessionRequest(
    int slots, ReadFrom readFrom, WriteBuffering writes, Consumer<FailedWrite> failedWrites) {
  /** Checks the slots. */
  public SessionRequest {
    if (slots < 1) {
      throw new IllegalArgumentException("slots " + slots + " < 1");
    }
  }

  /**
   * A session of strong writes, and of reads that any node may answer, which all stores support.
   */
  public static SessionRequest of(int slots) {
    return new SessionRequest(slots, ReadFrom.ANY, WriteBuffering.STRONG, write -> {});
  }

  /** The same with other nodes that reads of one node may ask. */
  public SessionRequest readFrom(ReadFrom from) {
    return new SessionRequest(slots, from, writes, failedWrites);
  }

  /** The same with writes that are sent otherwise at first. */
  public SessionRequest writes(WriteBuffering buffering) {
    return new SessionRequest(slots, readFrom, buffering, failedWrites);
  }

  /** The same with a listener of deferred writes that fail. */
  public SessionRequest failedWrites(Consumer<FailedWrite> listener) {
    return new SessionRequest(slots, readFrom, writes, listener);
  }

  /**
   * Refuses reads from certain nodes, for a store that does not support them.
   *
   * @param engine its name
   * @throws BadRequestException if the session is not to read from any node
   */
  public void requireReadsFromAny(String engine) {
    if (readFrom != ReadFrom.ANY) {
      throw new BadRequestException(
          engine + " does not support reads from the " + readFrom, "session", "read from any node");
    }
  }

  /**
   * Refuses deferred writes, for a store that does not support them.
   *
   * @param engine its name
   * @throws BadRequestException if writes are to be deferred
   */
  public void requireStrongWrites(String engine) {
    if (!writes.isStrong()) {
      throw new BadRequestException(
          engine + " does not support deferred writes", "session", "use strong writes");
    }
  }
}
