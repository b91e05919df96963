package org.calando.store.cassandra;

import org.calando.core.observe.SessionLevels;
import org.calando.session.governed.SessionGovernor;
import org.calando.store.cassandra.internal.Connector;

/** Governs the sessions of a cluster's applications. Stateless. */
public final class CassandraSessions {
  private CassandraSessions() {}

  /** Connects when a session reports, once for each keyspace. */
  public static SessionLevels of(CassandraStoreConfig config) {
    return SessionGovernor.of(keyspace -> Connector.connect(config, keyspace));
  }
}
