package org.calando.session;

import java.util.Optional;
import org.calando.core.staleness.KeyPopularity;

/**
 * Learns how requests spread over a table's keys from the session's own operations. Called for each
 * of them from the application's threads: thread safe, and quick.
 */
public interface KeyObserver {
  /**
   * Sees an operation.
   *
   * @param hashOfKey of the whole partition key; the same key has the same hash
   * @param write whether it is a write
   */
  void observed(long hashOfKey, boolean write);

  /**
   * Ends a window of time and tells what it saw; called by one thread, every few seconds.
   *
   * @return empty if it cannot tell yet
   */
  Optional<KeyPopularity> renew();
}
