package org.calando.studyfile;

import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.WarmShare;
import org.calando.core.store.ReplicaPlacement;

/**
 * The store that is studied; exactly one of {@code local}, {@code sim} and {@code inventory} is
 * present.
 *
 * <p>Immutable and thread safe.
 *
 * @param engine {@code cassandra}, {@link #REDIS}, {@link #HDFS}, {@link #HBASE} or {@link
 *     #SIMULATED}
 * @param local the cluster to start on this machine
 * @param sim the cluster to simulate
 * @param inventory the user's own cluster
 * @param sentinels who tells the master of the user's own Redis, beside its inventory
 * @param cluster whether it is a Redis Cluster, where each master has a part of the keys
 * @param replicationFactor replicas of a key, over data centres, their sum
 * @param replicasByDatacenter replicas in each data centre, where the user tells; else empty
 * @param keyspace keyspace, or beginning of Redis keys, that is marked as Calando's own
 * @param localDatacenter the data centre that requests go to, where it is known; one of {@code
 *     replicasByDatacenter} if there are any
 * @param credentials user and password, where the cluster asks for them
 * @param tls how connections are encrypted; empty for plain ones
 * @param jmxCredentials user and password of the nodes' JMX
 * @param requestTimeoutNanos time after which an operation has no outcome
 */
public record StoreSpec(
    String engine,
    Optional<LocalSpec> local,
    Optional<SimSpec> sim,
    Optional<InventorySpec> inventory,
    Optional<SentinelSpec> sentinels,
    boolean cluster,
    int replicationFactor,
    Map<String, Integer> replicasByDatacenter,
    String keyspace,
    Optional<String> localDatacenter,
    Optional<Credentials> credentials,
    Optional<TlsSpec> tls,
    Optional<Credentials> jmxCredentials,
    long requestTimeoutNanos) {
  /** The engine that is a simulation. */
  public static final String SIMULATED = "sim";

  /** Where Cassandra listens unless it is told otherwise. */
  static final int CASSANDRA_PORT = 9042;

  /** The engine that has one master and replicas. */
  public static final String REDIS = "redis";

  /** The engine that stores files. */
  public static final String HDFS = "hdfs";

  /** The engine whose writes may be deferred. */
  public static final String HBASE = "hbase";

  /**
   * A store as far as its inventory alone tells, with defaults for the rest: an HBase if it has a
   * section for one, else a Cassandra.
   */
  public static StoreSpec ofInventory(InventorySpec inventory) {
    return new StoreSpec(
        inventory.hbase().isPresent() ? HBASE : "cassandra",
        Optional.empty(),
        Optional.empty(),
        Optional.of(inventory),
        Optional.empty(),
        false,
        1,
        Map.of(),
        "calando",
        inventory.datacenters().stream().findFirst(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        10_000_000_000L);
  }

  /** Where the replicas of a key are. */
  public ReplicaPlacement placement() {
    return replicasByDatacenter.isEmpty()
        ? ReplicaPlacement.single(replicationFactor)
        : new ReplicaPlacement(replicasByDatacenter, localDatacenter.orElseThrow());
  }

  /** Whether it is a Redis or Valkey master with its replicas. */
  public boolean isRedis() {
    return engine.equals(REDIS);
  }

  /** Whether it is an HDFS, which stores files. */
  public boolean isHdfs() {
    return engine.equals(HDFS);
  }

  /** Whether it is an HBase. */
  public boolean isHBase() {
    return engine.equals(HBASE);
  }

  /** Whether the cluster is simulated. */
  public boolean isSimulated() {
    return sim.isPresent();
  }

  /**
   * The layout of blocks of a local HDFS, or the token layout of another cluster, if it has any.
   */
  public Optional<StoreLayout> storeLayout() {
    return isHdfs()
        ? local.map(cluster -> new StoreLayout.Blocks(cluster.hdfs().layout()))
        : layout().map(StoreLayout.Tokens::new);
  }

  /** The token layout that the file gives a local or a simulated cluster, if it does. */
  public Optional<WarmShare> layout() {
    return local.flatMap(LocalSpec::layout).or(() -> sim.flatMap(SimSpec::layout));
  }

  /** Number of nodes. */
  public int nodes() {
    return local
        .map(LocalSpec::nodes)
        .or(() -> sim.map(SimSpec::nodes))
        .orElseGet(() -> inventory.map(cluster -> cluster.nodes().size()).orElse(0));
  }

  /**
   * A user and where the password is; exactly one of file and variable is present.
   *
   * @param user the user's name; empty for Redis' default user
   * @param passwordFile file whose first line is the password, as given; relative to the study file
   * @param passwordVariable environment variable that holds it
   */
  public record Credentials(
      String user, Optional<String> passwordFile, Optional<String> passwordVariable) {}
}
