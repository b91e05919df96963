package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.NodeTraffic;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.core.observe.SessionLevels;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.GovernorClaim;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.store.cassandra.CassandraGovernor;
import org.calando.store.cassandra.CassandraRequests;
import org.calando.store.cassandra.CassandraSessions;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.CassandraTelemetry;
import org.calando.store.cassandra.CassandraTraffic;
import org.calando.store.cassandra.OffNodes;
import org.calando.store.cassandra.Replication;
import org.calando.store.cassandra.promise.CassandraPromises;

/** A cluster of Cassandra. */
public interface CassandraTarget
    extends Target,
        TableTelemetry.Source,
        NodeTraffic.Source,
        ClientRequests.Source,
        PromiseFigures.Source,
        SessionLevels.Source,
        GovernorClaim.Source {
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
    return CassandraRequests.connect(store(), offNodes());
  }

  @Override
  default PromiseFigures.Means means(Promised promise, ClientUse clients) {
    return CassandraPromises.means(promise, clients);
  }

  @Override
  default PromiseFigures figures(ClientUse clients) {
    return CassandraPromises.connect(store(), clients, offNodes());
  }

  private OffNodes offNodes() {
    return OffNodes.of(
        store(),
        nodes().stream().map(Node::name).toList(),
        () -> new OffNodes.Away(off(), comingBack()));
  }

  /** Names of nodes of {@link #off} that were ordered back, and are not known to have all yet. */
  default Set<String> comingBack() {
    return Set.of();
  }

  @Override
  default SessionLevels sessions(String folder) {
    return CassandraSessions.of(store(), Path.of(folder));
  }

  @Override
  default GovernorClaim claim() {
    return CassandraGovernor.claim(store());
  }

  @Override
  default Optional<String> holder() {
    return CassandraGovernor.holder(store());
  }

  /** What the study's file says of every cluster alike; nodes and credentials are to be added. */
  static CassandraStoreConfig.Builder storeConfig(StoreSpec store, Replication replication) {
    return CassandraStoreConfig.builder()
        .keyspace(store.keyspace())
        .replication(replication)
        .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()));
  }
}
