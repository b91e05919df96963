package org.calando.core.observe;

import java.util.concurrent.CompletionStage;

/**
 * Decides the levels of reads for applications' sessions, which report what they read and wrote.
 * What is exchanged is text of the store's own. Implementations are thread safe.
 */
public interface SessionLevels extends AutoCloseable {
  /** A capability of clusters whose applications' sessions can be governed. */
  interface Source {
    /**
     * Connects; blocks until then. Nothing is measured before a session reports.
     *
     * @throws org.calando.core.CalandoException if the cluster cannot be reached
     */
    SessionLevels sessions();
  }

  /**
   * Takes a session's report.
   *
   * @return the levels: when one of them changes, or after a second; never fails
   */
  CompletionStage<String> exchange(String report);

  /** How long the sessions' reads took since this began, all together. */
  LatencyCounts reads();

  /** Sessions that reported lately. */
  int sessions();

  /** Decides no more. Idempotent. */
  @Override
  void close();
}
