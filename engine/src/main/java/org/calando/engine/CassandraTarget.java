package org.calando.engine;

import java.time.Duration;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Replication;
import org.calando.studyfile.StoreSpec;

/** A cluster of Cassandra. */
public interface CassandraTarget extends Target {
  /** How to connect. */
  CassandraStoreConfig store();

  /** What the study's file says of every cluster alike; nodes and credentials are to be added. */
  static CassandraStoreConfig.Builder storeConfig(StoreSpec store, Replication replication) {
    return CassandraStoreConfig.builder()
        .keyspace(store.keyspace())
        .replication(replication)
        .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()));
  }
}
