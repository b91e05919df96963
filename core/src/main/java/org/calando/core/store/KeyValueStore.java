package org.calando.core.store;

import java.time.Duration;

/**
 * A replicated key-value store on which Calando owns one table. Calando creates, truncates and
 * drops only tables that it created and marked as its own.
 *
 * <p>Methods block, and throw {@link org.calando.core.CalandoException} with what, where and
 * remedy. Not thread safe, except that sessions may be used while the store is.
 */
public interface KeyValueStore extends Capable, AutoCloseable {
  /**
   * Makes the table exist and be empty.
   *
   * @throws org.calando.core.BadRequestException if a table of that name exists that Calando did
   *     not create
   */
  void prepare(TableSpec table);

  /**
   * Opens a session on the prepared table.
   *
   * @throws org.calando.core.BadRequestException if the store does not support what is requested
   * @throws IllegalStateException if none was prepared
   */
  Session open(SessionRequest request);

  /** Opens one of strong writes, and of reads that any node may answer. */
  default Session open(int slots) {
    return open(SessionRequest.of(slots));
  }

  /**
   * Waits until the store has no work left over from earlier operations (compactions, hints).
   *
   * @param deadline how long to wait at most
   * @throws org.calando.core.FailedWorkException if work is left at the deadline
   */
  void settle(Duration deadline);

  /**
   * Makes sure that the table was this store's alone since it was last prepared.
   *
   * @throws org.calando.core.FailedWorkException if somebody else used it, or may have
   * @throws IllegalStateException if none was prepared
   */
  void requireHeld();

  /** Engine name and version, for provenance, such as {@code cassandra 5.0.5}. */
  String engine();

  @Override
  void close();
}
