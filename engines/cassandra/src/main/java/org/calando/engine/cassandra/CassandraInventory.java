package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSpec;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterNode;
import org.calando.store.cassandra.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.Replication;

/** A Cassandra cluster of the user's own. */
final class CassandraInventory extends InventoryTarget implements CassandraTarget {
  private static final int JMX_PORT = 7199;

  private final Path base;

  /**
   * A user's cluster.
   *
   * @param base folder that relative paths of passwords, keys and certificates are relative to
   */
  CassandraInventory(StoreSpec store, NodeProfile profile, Path base) {
    super(store, profile);
    this.base = base;
  }

  @Override
  public CassandraStoreConfig store() {
    CassandraStoreConfig.Builder builder = CassandraTarget.storeConfig(spec(), replication());
    spec().replicas().localDatacenter().ifPresent(builder::localDataCentre);
    spec().credentials().ifPresent(credentials -> builder.credentials(resolve(credentials)));
    spec()
        .find(CassandraSettings.class)
        .ifPresent(own -> builder.jmxCredentials(resolve(own.jmx())));
    spec().tls().ifPresent(tls -> builder.tls(tls.below(base)));
    boolean jmxEverywhere =
        inventory().nodes().stream().allMatch(node -> node.jmxAddress().isPresent());
    for (InventorySpec.Node node : inventory().nodes()) {
      builder.contactPoint(node.address(), node.port());
      if (jmxEverywhere) {
        Endpoint jmx = Endpoint.parse(node.jmxAddress().orElseThrow(), JMX_PORT);
        builder.jmxEndpoint(jmx.host(), jmx.port());
      }
    }
    latencies().forEach(builder::latencies);
    return builder.build();
  }

  /** Of the agents; none unless each node has one that reads its JMX. */
  List<AgentLatencies> latencies() {
    List<AgentLatencies> known =
        inventory().nodes().stream()
            .flatMap(node -> node.jmx().stream())
            .flatMap(jmx -> jmx.agent().map(agent -> new AgentLatencies(agent, jmx.at())).stream())
            .toList();
    return known.size() == inventory().nodes().size() ? known : List.of();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return checked(
        CassandraStore.connect(store()),
        connected -> bounds.requireListed(found(connected.clusterNodes())));
  }

  /** As the bounds of load take what the driver has found. */
  static List<LoadBounds.Found> found(List<ClusterNode> nodes) {
    return nodes.stream()
        .map(node -> new LoadBounds.Found(node.address(), node.ownAddress(), node.dataCentre()))
        .toList();
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return new ClusterDoctor(this, table).examine();
  }

  private Replication replication() {
    if (!spec().replicas().byDatacenter().isEmpty()) {
      return new Replication.NetworkTopology(spec().replicas().byDatacenter());
    }
    return spec()
        .replicas()
        .localDatacenter()
        .<Replication>map(
            name -> new Replication.NetworkTopology(Map.of(name, spec().replicationFactor())))
        .orElseGet(() -> new Replication.Simple(spec().replicationFactor()));
  }

  private Credentials resolve(StoreSpec.Credentials given) {
    if (given.passwordFile().isPresent()) {
      return Credentials.withPasswordFile(given.user(), base.resolve(given.passwordFile().get()));
    }
    return Credentials.withPasswordVariable(
        given.user(), System.getenv(), given.passwordVariable().orElse(""));
  }
}
