package org.calando.session.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Path;
import java.util.function.Function;
import org.calando.core.observe.SessionLevels;
import org.calando.session.internal.governed.GovernedSessions;

/** Governs the sessions of applications. Stateless. */
public final class SessionGovernor {
  private SessionGovernor() {}

  /**
   * Decides the levels of reads for the sessions of applications ({@link
   * org.calando.session.AdaptiveSessionBuilder#governedBy}) as one of them would for itself, from
   * what all of them report. Connects to nothing before a session reports, but to what a governor
   * knew that ended lately.
   *
   * @param connect connects to the cluster, with the schema of a keyspace; blocks
   * @param folder where it is kept what is known; made if it is not there
   */
  public static SessionLevels of(Function<String, CqlSession> connect, Path folder) {
    return GovernedSessions.start(connect, folder, System::nanoTime);
  }
}
