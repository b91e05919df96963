package org.calando.study;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.KeyValueStore;
import org.calando.power.PowerSource;
import org.calando.power.powercap.PowercapSource;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.CassandraTraffic;
import org.calando.store.cassandra.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.Replication;
import org.calando.store.cassandra.TlsSettings;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.studyfile.InventorySpec;
import org.calando.studyfile.StoreSpec;
import org.calando.studyfile.TlsSpec;

/** A cluster of the user's own: never started, stopped or healed by us. */
final class InventoryTarget implements Target {
  private static final int JMX_PORT = 7199;
  private static final Pattern LOOPBACK =
      Pattern.compile("127(\\.\\d{1,3}){3}|localhost|::1|\\[::1]");

  private final StoreSpec store;
  private final InventorySpec inventory;
  private final NodeProfile profile;
  private final Path base;

  /**
   * A user's cluster.
   *
   * @param store how to use it
   * @param inventory its nodes
   * @param profile power profile of nodes that name none
   * @param base folder that a relative password file is relative to
   */
  InventoryTarget(StoreSpec store, InventorySpec inventory, NodeProfile profile, Path base) {
    this.store = store;
    this.inventory = inventory;
    this.profile = profile;
    this.base = base;
  }

  /** Whether every node is on this machine's loopback addresses; names are not looked up. */
  static boolean isOnThisMachine(InventorySpec inventory) {
    return inventory.nodes().stream().allMatch(InventoryTarget::isOnThisMachine);
  }

  /** Whether a node is. */
  static boolean isOnThisMachine(InventorySpec.Node node) {
    return LOOPBACK.matcher(node.address()).matches();
  }

  /**
   * Where the nodes are.
   *
   * @throws BadRequestException if the name of one is not known
   */
  static Set<InetAddress> addresses(InventorySpec inventory) {
    Set<InetAddress> addresses = new HashSet<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      try {
        addresses.addAll(List.of(InetAddress.getAllByName(node.address())));
      } catch (UnknownHostException e) {
        throw new BadRequestException(
            "there is no host " + node.address(), "node " + node.name(), "correct its address");
      }
    }
    return addresses;
  }

  @Override
  public List<Node> nodes() {
    return inventory.nodes().stream()
        .map(
            node ->
                new Node(
                    node.name(),
                    node.address(),
                    node.rack().orElse(""),
                    node.profile().flatMap(Profiles::byName).orElse(profile),
                    sources(node),
                    node.metrics(),
                    node.pid(),
                    Optional.empty(),
                    node.companions()))
        .toList();
  }

  @Override
  public List<String> notes() {
    return store.isHBase() ? hbase().note().stream().toList() : List.of();
  }

  /** What the inventory names; and this machine's counters, for a process on it. */
  private static List<PowerSource> sources(InventorySpec.Node node) {
    List<PowerSource> sources = new ArrayList<>(node.sources());
    boolean named = sources.stream().anyMatch(source -> source.kind().equals(PowercapSource.KIND));
    if (node.pid().isPresent() && !named) {
      sources.add(new PowercapSource(PowercapSource.SYSTEM));
    }
    return sources;
  }

  @Override
  public CassandraStoreConfig store() {
    CassandraStoreConfig.Builder builder = Target.storeConfig(store, replication());
    store.localDatacenter().ifPresent(builder::localDataCentre);
    store.credentials().ifPresent(credentials -> builder.credentials(resolve(credentials)));
    store.jmxCredentials().ifPresent(credentials -> builder.jmxCredentials(resolve(credentials)));
    store.tls().ifPresent(tls -> builder.tls(resolve(tls)));
    boolean jmxEverywhere = inventory.nodes().stream().allMatch(node -> node.jmx().isPresent());
    for (InventorySpec.Node node : inventory.nodes()) {
      builder.contactPoint(node.address(), node.port());
      if (jmxEverywhere) {
        Endpoint jmx = Endpoint.parse(node.jmx().orElseThrow(), JMX_PORT);
        builder.jmxEndpoint(jmx.host(), jmx.port());
      }
    }
    return builder.build();
  }

  @Override
  public Optional<CassandraTraffic> traffic() {
    return store.isRedis() || store.isHBase()
        ? Optional.empty()
        : Optional.of(CassandraTraffic.of(store()));
  }

  @Override
  public KeyValueStore connect() {
    if (store.isHBase()) {
      return hbase().connect();
    }
    return store.isRedis() ? redisStore() : CassandraStore.connect(store());
  }

  private HBaseAccess hbase() {
    return new HBaseAccess(store, inventory);
  }

  @Override
  public Optional<RedisStoreConfig> redis() {
    return store.isRedis() ? Optional.of(redisConfig()) : Optional.empty();
  }

  private RedisStore redisStore() {
    RedisStore connected = RedisStore.connect(redisConfig());
    try {
      requireAsTold(connected);
      return connected;
    } catch (RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  /** A Redis Cluster tells its nodes itself. */
  private void requireAsTold(RedisStore connected) {
    Set<String> listed = new HashSet<>();
    inventory.nodes().forEach(node -> listed.add(node.name()));
    Set<String> there = new TreeSet<>();
    connected.nodes().forEach(node -> there.add(node.name()));
    if (!there.equals(listed)) {
      throw new BadRequestException(
          "the nodes of the Redis Cluster are " + there + ", those listed " + new TreeSet<>(listed),
          "inventory",
          "list all nodes of it, and no others");
    }
    if (connected.replicationFactor() != store.replicationFactor()) {
      throw new BadRequestException(
          "is not the number of nodes that a key is on: that is " + connected.replicationFactor(),
          "store.rf",
          "write rf: " + connected.replicationFactor());
    }
  }

  private RedisStoreConfig redisConfig() {
    RedisStoreConfig.Builder builder =
        RedisStoreConfig.builder()
            .prefix(store.keyspace())
            .cluster(store.cluster())
            .requestTimeout(Duration.ofNanos(store.requestTimeoutNanos()));
    for (InventorySpec.Node node : inventory.nodes()) {
      builder.node(new RedisNode(node.name(), node.address(), node.port()));
    }
    RedisAccess access = new RedisAccess(base);
    store.credentials().map(access::credentials).ifPresent(builder::credentials);
    store.tls().map(access::tls).ifPresent(builder::tls);
    store.sentinels().ifPresent(given -> access.add(builder, given));
    return builder.build();
  }

  private Replication replication() {
    if (!store.replicasByDatacenter().isEmpty()) {
      return new Replication.NetworkTopology(store.replicasByDatacenter());
    }
    return store
        .localDatacenter()
        .<Replication>map(
            name -> new Replication.NetworkTopology(Map.of(name, store.replicationFactor())))
        .orElseGet(() -> new Replication.Simple(store.replicationFactor()));
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

  @Override
  public List<String> heal() {
    return List.of();
  }

  @Override
  public void onProcessEnd(Consumer<String> listener) {
    // Its processes are not ours to watch; requests that fail are counted as errors.
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Not ours to stop.
  }
}
