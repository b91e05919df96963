package org.calando.engine;

import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.file;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.rate;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.EngineSchema.Section;
import org.calando.engine.StoreSpec.Credentials;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/**
 * What {@code store} may say: keys that engines share, and those of single engines. What an engine
 * does not support is refused here, by its features and by who a key belongs to.
 */
public final class StoreSchema {
  private static final String NOT_LOCAL = "is valid only with an inventory";

  private static final Key<String> ENGINE =
      Key.of(
              "engine",
              choiceOrLater(
                  "an engine",
                  Engines.all().stream().map(Engine::id).toList(),
                  Engines.all().stream().flatMap(each -> each.later().stream()).toList()),
              "The store; "
                  + Engines.all().stream()
                      .filter(each -> !each.note().isEmpty())
                      .map(each -> each.id() + " " + each.note())
                      .collect(Collectors.joining(", "))
                  + ".")
          .mandatory()
          .example(Engines.all().get(0).id());
  public static final Key<LocalSpec> LOCAL =
      Key.of("local", LocalSchema.TYPE, "A cluster to start on this machine.")
          .example("{nodes: 3, racks: 3, rf: 3}");
  public static final Key<InventorySpec> INVENTORY =
      Key.of(
              "inventory",
              scalarOrMapping(
                  file("an inventory file", InventorySchema.TYPE), InventorySchema.TYPE),
              "Your own cluster: a file that lists its nodes, or the list itself.")
          .example("cluster.yaml");
  public static final Key<Map<String, Integer>> RF =
      Key.of(
              "rf",
              ReplicationSchema.TYPE,
              "Replication factor of the keyspace on your own cluster, or one for each data centre:"
                  + " {dc1: 3, dc2: 2}; required with inventory.")
          .example("3");
  private static final Key<String> KEYSPACE =
      Key.of(
              "keyspace",
              text(
                  "a keyspace",
                  "[a-z][a-z0-9_]{0,47}",
                  "a lower-case letter, then lower-case letters, digits and _ (at most 48)"),
              "Keyspace that Calando creates and marks as its own, or what its Redis keys begin"
                  + " with; one that exists without the mark is refused.")
          .byDefault("calando")
          .example("calando");
  public static final Key<String> LOCAL_DC =
      Key.of(
              "local-dc",
              Types.NAME,
              "Data centre that requests go to; needed where the nodes are in several.")
          .example("dc1");

  public static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "User of your own cluster; the password comes from a file or a variable.")
          .example("calando");
  public static final Key<String> PASSWORD_FILE =
      Key.of(
              "password-file",
              TlsSchema.PATH,
              "File whose first line is the password; relative to the study file.")
          .example("secrets/cassandra");
  public static final Key<String> PASSWORD_ENV =
      Key.of(
              "password-env",
              text("a variable", "[A-Za-z_][A-Za-z0-9_]{0,100}", "the name of a variable"),
              "Environment variable that holds the password.")
          .example("CASSANDRA_PASSWORD");
  public static final Key<TlsSpec> TLS =
      Key.of(
              "tls",
              TlsSchema.TYPE,
              "Encrypts the connections to your own cluster; {} trusts what Java trusts.")
          .example("{ca: secrets/ca.pem}");

  private static final double MOST_PER_SECOND = 1e9;
  private static final int MOST_NODES = 1000;
  private static final Key<Double> CAPACITY =
      Key.of(
              "capacity",
              rate(MOST_PER_SECOND),
              "Reads and writes that a node serves in a second within what clients were promised.")
          .mandatory()
          .example("2000/s");

  /** How many nodes are always on. */
  public static final Key<Integer> LEAST =
      Key.of(
              "least",
              integer(1, MOST_NODES),
              "HBase: servers that are always awake, those of gear 1.")
          .example("2");

  /** Of the engines that have it among their keys. */
  public static final Key<GearSettings> GEARS =
      Key.of(
              "gears",
              ObjectType.named("gears of a store", "What policies of gears take the cluster for.")
                  .keys(CAPACITY, LEAST)
                  .build(
                      gears ->
                          new GearSettings(
                              new GearSettings.Capacity(gears.get(CAPACITY), false),
                              gears.find(LEAST).orElse(1),
                              Optional.empty())),
              "Cassandra and HBase: what policies in matrix.gear take the cluster for; they need"
                  + " it.")
          .example("{capacity: 2000/s}");

  private static final Key<Long> REQUEST_TIMEOUT =
      Key.of(
              "request-timeout",
              duration(1_000_000, 600_000_000_000L),
              "Time after which an operation's outcome is unknown.")
          .byDefault("10s")
          .example("5s");

  /** The store as studies write it. */
  public static final ObjectType<StoreSpec> TYPE = type(Feature.INVENTORY);

  /** A cluster that is governed, which need not be one that studies are on. */
  public static final ObjectType<StoreSpec> GOVERNED = type(Feature.GOVERNED);

  private StoreSchema() {}

  /** By what an engine has to support for a cluster of the user's own. */
  private static ObjectType<StoreSpec> type(Feature own) {
    return ObjectType.named(
            "the store", "The store that is studied: a local cluster, your own or a simulated one.")
        .keys(
            Engines.keys(
                Section.STORE,
                Keys.at(10, ENGINE, LOCAL),
                Keys.at(30, INVENTORY),
                Keys.at(50, RF, KEYSPACE, LOCAL_DC, USER, PASSWORD_FILE, PASSWORD_ENV, TLS),
                Keys.at(70, REQUEST_TIMEOUT)))
        .check(store -> check(store, own))
        .build(StoreSchema::build);
  }

  /** The engine that a study's file names, be the rest of its store right or wrong. */
  public static Optional<Engine> engine(Values study) {
    return study.peek("store.engine", ENGINE.type()).map(Engines::of);
  }

  private static void check(Values store, Feature own) {
    Optional<Engine> named = store.find(ENGINE).map(Engines::of);
    if (named.isEmpty()) {
      store.requireExactlyOne(LOCAL, INVENTORY);
      return;
    }
    Engine engine = named.get();
    checkCluster(store, engine, own);
    refuseOthers(store, engine);
    refuse(store, engine, Feature.DATA_CENTRES, LOCAL_DC);
    refuse(store, engine, Feature.REPLICATION_FACTOR, RF);
    refuse(store, engine, Feature.USERS, USER, PASSWORD_FILE, PASSWORD_ENV);
    refuse(store, engine, Feature.TLS, TLS);
    if (engine.supports(Feature.USERS) && store.given(INVENTORY)) {
      checkPassword(store);
    }
    engine.schema().port().ifPresent(port -> InventorySchema.checkPorts(store, INVENTORY, port));
    engine.schema().checkStore(store);
  }

  /** How the cluster comes to be: a simulated one is described by its engine's own keys. */
  private static void checkCluster(Values store, Engine engine, Feature own) {
    if (!engine.supports(own)) {
      store.forbid("is not supported by " + engine.id(), INVENTORY);
    }
    if (engine.supports(Feature.SIMULATED)) {
      return;
    }
    if (!engine.supports(Feature.LOCAL)) {
      store.forbid("is not supported by " + engine.id(), LOCAL);
    }
    store.requireExactlyOne(LOCAL, INVENTORY);
    if (store.given(LOCAL)) {
      if (engine.supports(Feature.REPLICATION_FACTOR) && store.given(RF)) {
        store.error(RF, "belongs to the local cluster here", engine.schema().localCopies());
      }
      forbidLocal(store, engine, Feature.DATA_CENTRES, LOCAL_DC);
      forbidLocal(store, engine, Feature.USERS, USER, PASSWORD_FILE, PASSWORD_ENV);
      forbidLocal(store, engine, Feature.TLS, TLS);
      LocalSchema.refuseUnsupported(store, LOCAL.name(), engine);
    }
  }

  private static void forbidLocal(Values store, Engine engine, Feature feature, Key<?>... keys) {
    if (engine.supports(feature)) {
      store.forbid(NOT_LOCAL, keys);
    }
  }

  private static void refuse(Values store, Engine engine, Feature feature, Key<?>... keys) {
    if (!engine.supports(feature)) {
      store.forbid("is not supported by " + engine.id(), keys);
    }
  }

  /** Keys that belong to other engines. */
  private static void refuseOthers(Values store, Engine engine) {
    Set<Key<?>> known = new HashSet<>(Engines.keys(engine, Section.STORE));
    for (Engine other : Engines.all()) {
      if (!other.id().equals(engine.id())) {
        for (Keys keys : other.schema().keys(Section.STORE)) {
          for (Key<?> key : keys.keys()) {
            if (store.given(key) && !engine.schema().takes(store, key) && known.add(key)) {
              store.error(
                  key,
                  "is not supported by " + engine.id(),
                  "remove it, or write engine: " + other.id());
            }
          }
        }
      }
    }
  }

  /** Checks user and password of the nodes. */
  public static void checkPassword(Values values) {
    values.requireAtMostOne(PASSWORD_FILE, PASSWORD_ENV);
    if (values.given(USER) && !hasPassword(values)) {
      values.error(USER, "has no password", "add password-file or password-env");
    }
  }

  private static boolean hasPassword(Values values) {
    return values.given(PASSWORD_FILE) || values.given(PASSWORD_ENV);
  }

  /** User and password of the nodes, if the file has any; the password alone is of no user. */
  public static Optional<Credentials> credentials(Values values) {
    return hasPassword(values)
        ? Optional.of(
            new Credentials(
                values.find(USER).orElse(""),
                values.find(PASSWORD_FILE),
                values.find(PASSWORD_ENV)))
        : Optional.empty();
  }

  private static StoreSpec build(Values store) {
    Engine engine = Engines.of(store.get(ENGINE));
    EngineSchema schema = engine.schema();
    Optional<InventorySpec> inventory = store.find(INVENTORY);
    List<EngineSettings> settings = new ArrayList<>();
    schema.store(store).ifPresent(settings::add);
    return new StoreSpec(
        engine.id(),
        engine.supports(Feature.SIMULATED)
            ? Optional.empty()
            : store.find(LOCAL).map(local -> local.of(engine)),
        schema.port().isPresent()
            ? inventory.map(given -> given.orPort(schema.port().getAsInt()))
            : inventory,
        settings,
        schema.replicas(store),
        store.get(KEYSPACE),
        credentials(store),
        store.find(TLS),
        store.get(REQUEST_TIMEOUT));
  }
}
