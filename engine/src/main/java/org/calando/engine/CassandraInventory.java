package org.calando.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.KeyValueStore;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.Replication;
import org.calando.store.cassandra.TlsSettings;
import org.calando.studyfile.InventorySpec;
import org.calando.studyfile.StoreSpec;
import org.calando.studyfile.TlsSpec;

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
    spec().localDatacenter().ifPresent(builder::localDataCentre);
    spec().credentials().ifPresent(credentials -> builder.credentials(resolve(credentials)));
    spec().jmxCredentials().ifPresent(credentials -> builder.jmxCredentials(resolve(credentials)));
    spec().tls().ifPresent(tls -> builder.tls(resolve(tls)));
    boolean jmxEverywhere = inventory().nodes().stream().allMatch(node -> node.jmx().isPresent());
    for (InventorySpec.Node node : inventory().nodes()) {
      builder.contactPoint(node.address(), node.port());
      if (jmxEverywhere) {
        Endpoint jmx = Endpoint.parse(node.jmx().orElseThrow(), JMX_PORT);
        builder.jmxEndpoint(jmx.host(), jmx.port());
      }
    }
    return builder.build();
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return checked(
        CassandraStore.connect(store()),
        connected -> bounds.requireListed(connected.clusterNodes()));
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return new ClusterDoctor(this, table).examine();
  }

  private Replication replication() {
    if (!spec().replicasByDatacenter().isEmpty()) {
      return new Replication.NetworkTopology(spec().replicasByDatacenter());
    }
    return spec()
        .localDatacenter()
        .<Replication>map(
            name -> new Replication.NetworkTopology(Map.of(name, spec().replicationFactor())))
        .orElseGet(() -> new Replication.Simple(spec().replicationFactor()));
  }

  private TlsSettings resolve(TlsSpec given) {
    return new TlsSettings(
        given.ca().map(base::resolve),
        storeFile(given.trustStore(), given.trustStorePassword()),
        given.certificate().map(base::resolve),
        given.key().map(base::resolve),
        storeFile(given.keyStore(), given.keyStorePassword()),
        given.verifyHostname());
  }

  private Optional<TlsSettings.StoreFile> storeFile(
      Optional<String> file, Optional<String> password) {
    return file.map(
        name ->
            new TlsSettings.StoreFile(base.resolve(name), base.resolve(password.orElseThrow())));
  }

  private Credentials resolve(StoreSpec.Credentials given) {
    if (given.passwordFile().isPresent()) {
      return Credentials.withPasswordFile(given.user(), base.resolve(given.passwordFile().get()));
    }
    return Credentials.withPasswordVariable(
        given.user(), System.getenv(), given.passwordVariable().orElse(""));
  }
}
