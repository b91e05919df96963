package org.calando.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.core.store.ReplicaPlacement;

/**
 * The store that is studied. Immutable and thread safe.
 *
 * @param engine id of its engine
 * @param local the cluster to start on this machine
 * @param inventory the user's own cluster; it has neither of both if it is simulated
 * @param settings what only its engine has, see {@link #find}
 * @param replicas where the replicas of a key are
 * @param keyspace keyspace, or beginning of keys, that is marked as Calando's own
 * @param credentials user and password, where the cluster asks for them
 * @param tls how connections are encrypted; empty for plain ones
 * @param requestTimeoutNanos time after which an operation has no outcome
 */
public record StoreSpec(
    String engine,
    Optional<LocalSpec> local,
    Optional<InventorySpec> inventory,
    List<EngineSettings> settings,
    Replicas replicas,
    String keyspace,
    Optional<Credentials> credentials,
    Optional<TlsSpec> tls,
    long requestTimeoutNanos) {
  /** Copies the list. */
  public StoreSpec {
    settings = List.copyOf(settings);
  }

  /** A store as far as its inventory alone tells, with defaults for the rest. */
  public static StoreSpec ofInventory(InventorySpec inventory) {
    return of(Engines.of(inventory), inventory);
  }

  /** The store of an engine as far as its inventory alone tells, with defaults for the rest. */
  public static StoreSpec of(Engine engine, InventorySpec inventory) {
    return new StoreSpec(
        engine.id(),
        Optional.empty(),
        Optional.of(inventory),
        List.of(),
        new Replicas(1, Map.of(), inventory.datacenters().stream().findFirst()),
        "calando",
        Optional.empty(),
        Optional.empty(),
        10_000_000_000L);
  }

  /** The same with what its engine needs to be reached. */
  public StoreSpec with(
      EngineSettings own, Optional<Credentials> user, Optional<TlsSpec> encryption) {
    return new StoreSpec(
        engine,
        local,
        inventory,
        List.of(own),
        replicas,
        keyspace,
        user,
        encryption,
        requestTimeoutNanos);
  }

  /** The same with what else is known of it. */
  public StoreSpec and(EngineSettings further) {
    List<EngineSettings> all = new ArrayList<>(settings);
    all.add(further);
    return new StoreSpec(
        engine, local, inventory, all, replicas, keyspace, credentials, tls, requestTimeoutNanos);
  }

  /** Its engine. */
  public Engine kind() {
    return Engines.of(engine);
  }

  /** Whether its engine supports something. */
  public boolean supports(Feature feature) {
    return kind().supports(feature);
  }

  /** Whether the cluster is simulated. */
  public boolean isSimulated() {
    return supports(Feature.SIMULATED);
  }

  /** What only its engine has, by the type that the engine has for it. */
  public <S> Optional<S> find(Class<S> type) {
    return EngineSettings.find(settings, type);
  }

  /** Where the replicas of a key are. */
  public ReplicaPlacement placement() {
    return replicas.byDatacenter().isEmpty()
        ? ReplicaPlacement.single(replicas.factor())
        : new ReplicaPlacement(replicas.byDatacenter(), replicas.localDatacenter().orElseThrow());
  }

  /** Replicas of a key, over data centres, their sum. */
  public int replicationFactor() {
    return replicas.factor();
  }

  /** The layout of blocks or of tokens that the file gives the cluster, if it does. */
  public Optional<StoreLayout> storeLayout() {
    return local
        .flatMap(LocalSpec::storeLayout)
        .or(() -> settings.stream().flatMap(each -> each.layout().stream()).findFirst());
  }

  /** Number of nodes. */
  public int nodes() {
    OptionalInt described =
        settings.stream().flatMapToInt(each -> each.nodes().stream()).findFirst();
    return described.orElseGet(
        () ->
            local
                .map(LocalSpec::nodes)
                .or(() -> inventory.map(cluster -> cluster.nodes().size()))
                .orElse(0));
  }

  /**
   * A user and where the password is; exactly one of file and variable is present.
   *
   * @param user the user's name; empty for an engine's default user
   * @param passwordFile file whose first line is the password, as given; relative to the study file
   * @param passwordVariable environment variable that holds it
   */
  public record Credentials(
      String user, Optional<String> passwordFile, Optional<String> passwordVariable) {
    /**
     * Reads the password.
     *
     * @param base the study file's folder
     * @throws BadRequestException if it is not there
     */
    public org.calando.http.Credentials read(Path base) {
      return passwordFile
          .map(file -> org.calando.http.Credentials.withPasswordFile(user, base.resolve(file)))
          .orElseGet(
              () ->
                  org.calando.http.Credentials.withPasswordVariable(
                      user, System.getenv(), passwordVariable.orElse("")));
    }
  }
}
