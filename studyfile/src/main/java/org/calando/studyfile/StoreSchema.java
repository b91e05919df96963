package org.calando.studyfile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.file;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;
import org.calando.studyfile.StoreSpec.Credentials;

/** What {@code store} may say. */
final class StoreSchema {
  private static final String CASSANDRA = "cassandra";

  private static final Key<String> ENGINE =
      Key.of(
              "engine",
              choiceOrLater(
                  "an engine",
                  List.of(
                      CASSANDRA,
                      StoreSpec.REDIS,
                      StoreSpec.HDFS,
                      StoreSpec.HBASE,
                      StoreSpec.SIMULATED),
                  List.of("valkey")),
              "The store; redis is Valkey too, hdfs stores files, sim is a simulated cluster.")
          .mandatory()
          .example("cassandra");
  static final Key<LocalSpec> LOCAL =
      Key.of("local", LocalSchema.TYPE, "A cluster to start on this machine.")
          .example("{nodes: 3, racks: 3, rf: 3}");
  static final Key<InventorySpec> INVENTORY =
      Key.of(
              "inventory",
              scalarOrMapping(
                  file("an inventory file", InventorySchema.TYPE), InventorySchema.TYPE),
              "Your own cluster: a file that lists its nodes, or the list itself.")
          .example("cluster.yaml");
  private static final Key<SimPart> SIM =
      Key.of(
              "sim",
              SimSchema.TYPE,
              "A cluster to simulate, with engine sim; beside local it says how that cluster is"
                  + " simulated.")
          .example("{nodes: 39, rf: 5}");
  static final Key<Map<String, Integer>> RF =
      Key.of(
              "rf",
              ReplicationSchema.TYPE,
              "Replication factor of the keyspace on your own cluster, or one for each data centre:"
                  + " {dc1: 3, dc2: 2}; required with inventory.")
          .example("3");
  private static final Key<Boolean> CLUSTER =
      Key.of(
              "cluster",
              bool(),
              "Redis: the inventory is a Redis Cluster, where each master has a part of the keys;"
                  + " with rf, the number of nodes that a key is on, its master included.")
          .example("true");
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
  private static final Key<String> LOCAL_DC =
      Key.of(
              "local-dc",
              Types.NAME,
              "Data centre that requests go to; needed where the nodes are in several.")
          .example("dc1");
  static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "User of your own cluster; the password comes from a file or a variable.")
          .example("calando");
  static final Key<String> PASSWORD_FILE =
      Key.of(
              "password-file",
              TlsSchema.PATH,
              "File whose first line is the password; relative to the study file.")
          .example("secrets/cassandra");
  static final Key<String> PASSWORD_ENV =
      Key.of(
              "password-env",
              text("a variable", "[A-Za-z_][A-Za-z0-9_]{0,100}", "the name of a variable"),
              "Environment variable that holds the password.")
          .example("CASSANDRA_PASSWORD");
  static final Key<TlsSpec> TLS =
      Key.of(
              "tls",
              TlsSchema.TYPE,
              "Encrypts the connections to your own cluster; {} trusts what Java trusts.")
          .example("{ca: secrets/ca.pem}");
  private static final Key<String> JMX_USER =
      Key.of("jmx-user", USER.type(), "User of the nodes' JMX, where it asks for one.")
          .example("monitor");
  private static final Key<String> JMX_PASSWORD_FILE =
      Key.of("jmx-password-file", TlsSchema.PATH, "File whose first line is its password.")
          .example("secrets/jmx");
  private static final Key<Long> REQUEST_TIMEOUT =
      Key.of(
              "request-timeout",
              duration(1_000_000, 600_000_000_000L),
              "Time after which an operation's outcome is unknown.")
          .byDefault("10s")
          .example("5s");

  static final ObjectType<StoreSpec> TYPE =
      ObjectType.named(
              "the store",
              "The store that is studied: a local cluster, your own or a simulated one.")
          .keys(
              ENGINE,
              LOCAL,
              SIM,
              INVENTORY,
              CLUSTER,
              RedisSchema.SENTINELS,
              RedisSchema.MASTER_NAME,
              RedisSchema.SENTINEL_USER,
              RedisSchema.SENTINEL_PASSWORD_FILE,
              RF,
              KEYSPACE,
              LOCAL_DC,
              USER,
              PASSWORD_FILE,
              PASSWORD_ENV,
              TLS,
              JMX_USER,
              JMX_PASSWORD_FILE,
              REQUEST_TIMEOUT)
          .check(StoreSchema::check)
          .build(StoreSchema::build);

  private StoreSchema() {}

  /** Whether a study's file names HDFS, be the rest of its store right or wrong. */
  static boolean isHdfs(Values study) {
    return study.peek("store.engine", ENGINE.type()).filter(StoreSpec.HDFS::equals).isPresent();
  }

  private static void check(Values store) {
    if (store.find(ENGINE).equals(Optional.of(StoreSpec.SIMULATED))) {
      checkSimulated(store);
      return;
    }
    if (store.given(SIM)) {
      store.error(SIM, "holds only with the engine sim", "remove it, or write engine: sim");
    }
    store.requireExactlyOne(LOCAL, INVENTORY);
    forbidSentinels(store);
    if (store.find(ENGINE).equals(Optional.of(StoreSpec.HDFS))) {
      checkHdfs(store);
      return;
    }
    forbidHdfs(store);
    if (store.find(ENGINE).equals(Optional.of(StoreSpec.REDIS))) {
      checkRedis(store);
      return;
    }
    if (store.find(ENGINE).equals(Optional.of(StoreSpec.HBASE))) {
      HBaseSchema.checkStore(
          store,
          LOCAL,
          INVENTORY,
          RF,
          LOCAL_DC,
          USER,
          PASSWORD_FILE,
          PASSWORD_ENV,
          TLS,
          JMX_USER,
          JMX_PASSWORD_FILE);
      return;
    }
    store
        .find(LOCAL)
        .filter(local -> local.replicationFactor() > local.nodes())
        .ifPresent(
            local ->
                store.errorAt(
                    "local.rf",
                    local.replicationFactor() + " is more than the " + local.nodes() + " nodes",
                    "write at most " + local.nodes() + ", or more nodes"));
    store
        .find(LOCAL)
        .filter(local -> !local.redis().equals(RedisLocal.DEFAULT))
        .ifPresent(
            local ->
                store.error(
                    LOCAL,
                    "has settings that only a local Redis has",
                    "remove sentinels, shards, io-threads, binary, redis-port and redis-conf"));
    if (store.given(INVENTORY)) {
      checkInventory(store);
    } else if (store.given(LOCAL)) {
      if (store.given(RF)) {
        store.error(RF, "belongs to the local cluster here", "write it as store.local.rf");
      }
      store.forbid("holds only with an inventory", LOCAL_DC, USER, PASSWORD_FILE, PASSWORD_ENV);
      store.forbid("holds only with an inventory", TLS, JMX_USER, JMX_PASSWORD_FILE);
    }
  }

  private static void forbidHdfs(Values store) {
    store
        .find(LOCAL)
        .filter(local -> !local.hdfs().equals(HdfsLocal.DEFAULT))
        .ifPresent(
            local ->
                store.error(
                    LOCAL,
                    "has settings that only a local HDFS has",
                    "remove gears, layouts of blocks, primaries, replicas, offload, capacity and"
                        + " hdfs-conf"));
    if (store.peek("local.layout", LayoutType.ANY).flatMap(StoreLayout::blocks).isPresent()) {
      store.errorAt("local.layout", "holds only for a local HDFS", "write a share of warm nodes");
    }
  }

  /** An HDFS is started with the study: one of the user's own is shifted by the command gear. */
  private static void checkHdfs(Values store) {
    store.forbid("is not possible for hdfs yet", INVENTORY);
    store.forbid("is not supported by hdfs", RF, LOCAL_DC, USER, PASSWORD_FILE, PASSWORD_ENV);
    store.forbid("is not supported by hdfs", TLS, JMX_USER, JMX_PASSWORD_FILE);
    HdfsLocalSchema.check(store, store.find(LOCAL));
  }

  private static void forbidSentinels(Values store) {
    boolean redis = store.find(ENGINE).equals(Optional.of(StoreSpec.REDIS));
    if (!redis || store.given(LOCAL)) {
      store.forbid(
          redis
              ? "holds only with an inventory; of a local group write store.local.sentinels"
              : "holds only for redis",
          RedisSchema.SENTINELS,
          RedisSchema.MASTER_NAME,
          RedisSchema.SENTINEL_USER,
          RedisSchema.SENTINEL_PASSWORD_FILE);
      store.forbid(
          redis
              ? "holds only with an inventory; of a local group write store.local.shards"
              : "holds only for redis",
          CLUSTER);
    }
  }

  private static void checkRedis(Values store) {
    boolean cluster = store.find(CLUSTER).orElse(false);
    if (cluster) {
      store.require("write on how many nodes a key is, its master included", RF);
      store.forbid("is not supported by a Redis Cluster", RedisSchema.SENTINELS);
      if (store.find(RF).filter(rf -> !rf.containsKey(ReplicationSchema.EVERYWHERE)).isPresent()) {
        store.error(RF, "is by data centre, which redis does not know", "write one number");
      }
    } else {
      store.forbid("is not supported by redis: every node has all keys", RF);
    }
    store.forbid("is not supported by redis: every node has all keys", LOCAL_DC);
    store.forbid("is not supported by redis", JMX_USER, JMX_PASSWORD_FILE);
    store
        .find(LOCAL)
        .flatMap(LocalSpec::onlyForCassandra)
        .ifPresent(
            key -> store.errorAt("local." + key, "is not supported by a local Redis", "remove it"));
    if (store.given(LOCAL)) {
      store.forbid("holds only with an inventory", USER, PASSWORD_FILE, PASSWORD_ENV);
      store.forbid("holds only with an inventory; a local group has store.local.tls", TLS);
    } else {
      InventorySchema.checkPorts(store, INVENTORY, RedisSchema.PORT);
      RedisSchema.checkSentinels(store, INVENTORY);
      RedisSchema.checkPassword(store);
    }
  }

  private static void checkSimulated(Values store) {
    if (store.given(INVENTORY)) {
      store.error(
          INVENTORY, "is a real cluster, which engine sim has none of", "describe it under sim");
    }
    forbidSentinels(store);
    if (store.given(RF)) {
      store.error(RF, "belongs to the simulated cluster here", "write it as store.sim.rf");
    }
    store.forbid("holds only with an inventory", USER, PASSWORD_FILE, PASSWORD_ENV);
    store.forbid("holds only with an inventory", TLS, JMX_USER, JMX_PASSWORD_FILE);
    boolean right = !store.given(SIM) || store.find(SIM).isPresent();
    if (right && (!store.given(LOCAL) || store.find(LOCAL).isPresent())) {
      new SimChecks(store, simulated(store)).run(store.find(LOCAL_DC));
    }
  }

  private static SimSpec simulated(Values store) {
    return store.find(SIM).orElse(SimPart.NONE).orAs(store.find(LOCAL));
  }

  private static void checkInventory(Values store) {
    store.require("write the replication factor for the keyspace", RF);
    store
        .find(INVENTORY)
        .ifPresent(inventory -> ReplicationSchema.check(store, RF, LOCAL_DC, inventory));
    store.requireAtMostOne(PASSWORD_FILE, PASSWORD_ENV);
    boolean password = store.given(PASSWORD_FILE) || store.given(PASSWORD_ENV);
    if (store.given(USER) && !password) {
      store.error(USER, "has no password", "add password-file or password-env");
    } else if (password && !store.given(USER)) {
      store.require("write the user that the password belongs to", USER);
    }
    if (store.given(JMX_USER) != store.given(JMX_PASSWORD_FILE)) {
      store.require("write both jmx-user and jmx-password-file", JMX_USER, JMX_PASSWORD_FILE);
    }
  }

  private static StoreSpec build(Values store) {
    return store.get(ENGINE).equals(StoreSpec.SIMULATED) ? buildSimulated(store) : buildReal(store);
  }

  private static StoreSpec buildSimulated(Values store) {
    SimSpec sim = simulated(store);
    boolean several = sim.dataCentres().size() > 1;
    return new StoreSpec(
        StoreSpec.SIMULATED,
        Optional.empty(),
        Optional.of(sim),
        Optional.empty(),
        Optional.empty(),
        false,
        ReplicationSchema.total(sim.replicas()),
        several ? sim.replicas() : Map.of(),
        store.get(KEYSPACE),
        several ? store.find(LOCAL_DC) : Optional.of(sim.dataCentres().get(0).name()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        store.get(REQUEST_TIMEOUT));
  }

  /** On how many nodes of a local Redis a key is. */
  private static int copies(LocalSpec local) {
    int shards = local.redis().shards();
    return shards == 0 ? local.nodes() : local.nodes() / shards;
  }

  private static StoreSpec buildRedis(Values store) {
    Optional<LocalSpec> local = store.find(LOCAL);
    Optional<InventorySpec> inventory =
        store.find(INVENTORY).map(given -> given.orPort(RedisSchema.PORT));
    return new StoreSpec(
        StoreSpec.REDIS,
        local,
        Optional.empty(),
        inventory,
        RedisSchema.sentinels(store),
        store.find(CLUSTER).orElse(false),
        local
            .map(StoreSchema::copies)
            .or(() -> store.find(RF).map(ReplicationSchema::total))
            .orElseGet(() -> inventory.orElseThrow().nodes().size()),
        Map.of(),
        store.get(KEYSPACE),
        Optional.empty(),
        RedisSchema.credentials(store),
        store.find(TLS),
        Optional.empty(),
        store.get(REQUEST_TIMEOUT));
  }

  private static StoreSpec buildHdfs(Values store) {
    int replicas = store.find(LOCAL).map(local -> local.hdfs().replicas()).orElse(1);
    return buildPlain(store, StoreSpec.HDFS, replicas, Optional.empty());
  }

  /** A row is on one server. */
  private static StoreSpec buildHBase(Values store) {
    Optional<InventorySpec> inventory =
        store.find(INVENTORY).map(given -> given.orPort(HBaseClusterSchema.PORT));
    return buildPlain(store, StoreSpec.HBASE, 1, inventory);
  }

  /** A store without data centres, users and TLS. */
  private static StoreSpec buildPlain(
      Values store, String engine, int replicas, Optional<InventorySpec> inventory) {
    return new StoreSpec(
        engine,
        store.find(LOCAL),
        Optional.empty(),
        inventory,
        Optional.empty(),
        false,
        replicas,
        Map.of(),
        store.get(KEYSPACE),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        store.get(REQUEST_TIMEOUT));
  }

  private static StoreSpec buildReal(Values store) {
    if (store.get(ENGINE).equals(StoreSpec.REDIS)) {
      return buildRedis(store);
    }
    if (store.get(ENGINE).equals(StoreSpec.HDFS)) {
      return buildHdfs(store);
    }
    if (store.get(ENGINE).equals(StoreSpec.HBASE)) {
      return buildHBase(store);
    }
    Optional<LocalSpec> local = store.find(LOCAL);
    Optional<InventorySpec> inventory =
        store.find(INVENTORY).map(given -> given.orPort(StoreSpec.CASSANDRA_PORT));
    Map<String, Integer> rf =
        local
            .map(spec -> Map.of(ReplicationSchema.EVERYWHERE, spec.replicationFactor()))
            .orElseGet(() -> store.get(RF));
    NavigableSet<String> told =
        inventory.map(InventorySpec::datacenters).orElseGet(Collections::emptyNavigableSet);
    return new StoreSpec(
        store.get(ENGINE),
        local,
        Optional.empty(),
        inventory,
        Optional.empty(),
        false,
        ReplicationSchema.total(rf),
        rf.containsKey(ReplicationSchema.EVERYWHERE) ? Map.of() : rf,
        store.get(KEYSPACE),
        ReplicationSchema.local(store.find(LOCAL_DC), rf, told),
        store
            .find(USER)
            .map(
                user -> new Credentials(user, store.find(PASSWORD_FILE), store.find(PASSWORD_ENV))),
        store.find(TLS),
        store
            .find(JMX_USER)
            .map(user -> new Credentials(user, store.find(JMX_PASSWORD_FILE), Optional.empty())),
        store.get(REQUEST_TIMEOUT));
  }
}
