package org.calando.core.observe;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Decides the levels of reads for applications' sessions, which report what they read and wrote.
 * What is exchanged is text of the store's own. Implementations are thread safe.
 */
public interface SessionLevels extends AutoCloseable {
  /** A capability of clusters whose applications' sessions can be governed. */
  interface Source {
    /**
     * Begins; blocks until then. Nothing is measured before a session reports, but what one
     * measured that ended lately.
     *
     * @param folder where it is kept what is known of sessions, for one that begins later; made if
     *     it is not there
     * @throws org.calando.core.CalandoException if the cluster cannot be reached
     */
    SessionLevels sessions(String folder);
  }

  /**
   * Takes a session's report.
   *
   * @return the levels: when one of them changes, or after a second; never fails
   */
  CompletionStage<String> exchange(String report);

  /** How long the sessions' reads took since this began, all together. */
  LatencyCounts reads();

  /** What is amiss though levels are decided; empty if nothing is. */
  Optional<String> problem();

  /** Sessions that reported lately. */
  int sessions();

  /** Decides no more. Idempotent. */
  @Override
  void close();
}
