package org.calando.study.config;

import java.util.Optional;

/**
 * The store that is studied; exactly one of {@code local} and {@code inventory} is present.
 *
 * <p>Immutable and thread safe.
 *
 * @param engine {@code cassandra}
 * @param local the cluster to start on this machine
 * @param inventory the user's own cluster
 * @param replicationFactor replicas of a key, of the local or of the user's cluster
 * @param keyspace keyspace that is created and marked as Calando's own
 * @param localDatacenter the data centre that requests go to, where the user names it
 * @param credentials user and password, where the cluster asks for them
 * @param requestTimeoutNanos time after which an operation has no outcome
 */
public record StoreSpec(
    String engine,
    Optional<LocalSpec> local,
    Optional<InventorySpec> inventory,
    int replicationFactor,
    String keyspace,
    Optional<String> localDatacenter,
    Optional<Credentials> credentials,
    long requestTimeoutNanos) {

  /** Number of nodes. */
  public int nodes() {
    return local
        .map(LocalSpec::nodes)
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
