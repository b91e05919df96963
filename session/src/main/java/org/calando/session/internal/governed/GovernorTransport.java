package org.calando.session.internal.governed;

import java.util.concurrent.CompletionStage;

/** Brings reports to a governor, and its answers back. Thread safe. */
public interface GovernorTransport extends AutoCloseable {
  /**
   * Sends a report; does not block.
   *
   * @return the answer, within some seconds; fails if there is none
   */
  CompletionStage<String> exchange(String report);

  @Override
  void close();
}
