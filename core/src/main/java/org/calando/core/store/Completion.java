package org.calando.core.store;

/** Told, once and on any thread, how an operation started on a {@link Session} ended. */
@FunctionalInterface
public interface Completion {
  /**
   * Takes the end of an operation.
   *
   * @param slot the slot given when the operation began; it is free again
   * @param outcome how the operation ended
   * @param version for a read that found a record, the version read; otherwise {@link
   *     Session#NO_VERSION}
   */
  void complete(int slot, Outcome outcome, long version);
}
