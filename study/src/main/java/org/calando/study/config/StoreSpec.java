package org.calando.study.config;

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
 * @param engine {@code cassandra} or {@link #SIMULATED}
 * @param local the cluster to start on this machine
 * @param sim the cluster to simulate
 * @param inventory the user's own cluster
 * @param replicationFactor replicas of a key, over data centres, their sum
 * @param replicasByDatacenter replicas in each data centre, where the user tells; else empty
 * @param keyspace keyspace that is created and marked as Calando's own
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

  /** A store as far as its inventory alone tells, with defaults for the rest. */
  public static StoreSpec ofInventory(InventorySpec inventory) {
    return new StoreSpec(
        "cassandra",
        Optional.empty(),
        Optional.empty(),
        Optional.of(inventory),
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

  /** Whether the cluster is simulated. */
  public boolean isSimulated() {
    return sim.isPresent();
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
   * @param user the user's name
   * @param passwordFile file whose first line is the password, as given; relative to the study file
   * @param passwordVariable environment variable that holds it
   */
  public record Credentials(
      String user, Optional<String> passwordFile, Optional<String> passwordVariable) {}
}
