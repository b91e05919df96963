package org.calando.store.cassandra.internal;

import org.calando.core.FailedWorkException;

/** Waits between two questions. Stateless. */
final class Pause {
  private Pause() {}

  /**
   * Blocks for a time.
   *
   * @throws FailedWorkException if the thread is interrupted meanwhile; it stays so
   */
  static void ofMillis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
    }
  }
}
