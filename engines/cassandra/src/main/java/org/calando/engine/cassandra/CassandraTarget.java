package org.calando.engine.cassandra;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.NodeTraffic;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.store.cassandra.CassandraRequests;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.CassandraTelemetry;
import org.calando.store.cassandra.CassandraTraffic;
import org.calando.store.cassandra.Replication;

/** A cluster of Cassandra. */
public interface CassandraTarget
    extends Target, TableTelemetry.Source, NodeTraffic.Source, ClientRequests.Source {
  /** How to connect. */
  CassandraStoreConfig store();

  @Override
  default <C> Optional<C> find(Class<C> capability) {
    return Target.super.find(capability).or(() -> store().find(capability));
  }

  @Override
  default TableTelemetry telemetry(
      TableTelemetry.Settings settings, LagModel model, Supplier<ReadChoice> inUse) {
    return CassandraTelemetry.start(store(), settings, model, inUse);
  }

  @Override
  default NodeTraffic traffic() {
    return CassandraTraffic.of(store());
  }

  @Override
  default ClientRequests requests() {
    return CassandraRequests.connect(store(), nodes().stream().map(Node::name).toList());
  }

  /** What the study's file says of every cluster alike; nodes and credentials are to be added. */
  static CassandraStoreConfig.Builder storeConfig(StoreSpec store, Replication replication) {
    return CassandraStoreConfig.builder()
        .keyspace(store.keyspace())
        .replication(replication)
        .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()));
  }
}
