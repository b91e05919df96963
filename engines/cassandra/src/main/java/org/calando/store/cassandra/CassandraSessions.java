package org.calando.store.cassandra;

import java.nio.file.Path;
import org.calando.core.observe.SessionLevels;
import org.calando.session.governed.SessionGovernor;
import org.calando.store.cassandra.internal.Connector;

/** Governs the sessions of a cluster's applications. Stateless. */
public final class CassandraSessions {
  private CassandraSessions() {}

  /**
   * Connects when a session reports, or one has lately, once for each keyspace.
   *
   * @param folder where it is kept what is known of them
   */
  public static SessionLevels of(CassandraStoreConfig config, Path folder) {
    return SessionGovernor.of(keyspace -> Connector.connect(config, keyspace), folder);
  }
}
