package org.calando.engine.redis;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.text;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.Engines;
import org.calando.engine.InventorySchema;
import org.calando.engine.InventorySpec;
import org.calando.engine.LocalSchema;
import org.calando.engine.Replicas;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.engine.TlsSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;
import org.calando.store.redis.RedisNode;

/** What files may say of Redis, in studies and elsewhere. */
final class RedisSchema implements EngineSchema {
  private static final int PORT = 6379;

  /** What the files that come with Redis call it; no default, as it holds only with Sentinels. */
  private static final String USUAL_NAME = "mymaster";

  private static final int SENTINEL_PORT = 26_379;
  private static final int MOST_SENTINELS = 25;

  private static final String HOST = "[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\]";
  private static final Pattern ADDRESS = Pattern.compile("(" + HOST + ")(?::(\\d{1,5}))?");

  private static final ScalarType<RedisNode> SENTINEL =
      new ScalarType<>(
          "an address",
          "HOST:PORT, or HOST for port " + SENTINEL_PORT,
          scalar -> sentinel(scalar.text()),
          RedisNode::address,
          Map.of("type", "string", "pattern", "^(" + HOST + ")(:\\d{1,5})?$"));

  private static final Key<List<RedisNode>> SENTINELS =
      Key.of(
              "sentinels",
              list(SENTINEL, 1, MOST_SENTINELS),
              "Redis: Sentinels of your own group; its nodes are in the inventory too, and"
                  + " must be those that the Sentinels know.")
          .example("[10.0.0.7:26379, 10.0.0.8:26379, 10.0.0.9:26379]");
  private static final Key<String> MASTER_NAME =
      Key.of(
              "master-name",
              text("a name", "[A-Za-z0-9._-]{1,100}", "letters, digits, . _ - (at most 100)"),
              "Redis: the name under which the Sentinels know the master; mymaster without it.")
          .example("mymaster");
  private static final Key<String> SENTINEL_USER =
      Key.of(
              "sentinel-user",
              text("a user", "[^\\p{Cntrl}]{1,100}", ""),
              "Redis: ACL user of the Sentinels themselves; without it their default user.")
          .example("calando");
  private static final Key<String> SENTINEL_PASSWORD_FILE =
      Key.of(
              "sentinel-password-file",
              TlsSchema.PATH,
              "Redis: file whose first line is the Sentinels' own password, where they ask for"
                  + " one.")
          .example("secrets/sentinel");

  private static final Key<Boolean> CLUSTER =
      Key.of(
              "cluster",
              bool(),
              "Redis: the inventory is a Redis Cluster, where each master has a part of the keys;"
                  + " with rf, the number of nodes that a key is on, its master included.")
          .example("true");

  @Override
  public List<Keys> keys(Section section) {
    return switch (section) {
      case STORE ->
          List.of(
              Keys.at(40, CLUSTER, SENTINELS, MASTER_NAME, SENTINEL_USER, SENTINEL_PASSWORD_FILE));
      case LOCAL -> List.of(RedisLocalSchema.KEYS);
      case INVENTORY -> List.of();
    };
  }

  @Override
  public Optional<Key<StoreSpec>> servers() {
    return Optional.of(Group.KEY);
  }

  /** Made when it is asked for: it has keys of the store's, which is made of engines' schemas. */
  private static final class Group {
    static final Key<StoreSpec> KEY =
        Key.of(
                RedisEngine.ID,
                ObjectType.named(
                        "a Redis group", "A Redis or Valkey master of yours, and its replicas.")
                    .keys(StoreSchema.INVENTORY)
                    .keys(SENTINELS, MASTER_NAME, SENTINEL_USER, SENTINEL_PASSWORD_FILE)
                    .keys(StoreSchema.USER, StoreSchema.PASSWORD_FILE, StoreSchema.PASSWORD_ENV)
                    .keys(StoreSchema.TLS)
                    .check(RedisSchema::checkGroup)
                    .build(RedisSchema::group),
                "The servers; all of them on this machine.")
            .example("{inventory: cluster.yaml}");
  }

  private static void checkGroup(Values group) {
    group.require("list the nodes: a file, or {nodes: [...]} itself", StoreSchema.INVENTORY);
    InventorySchema.checkPorts(group, StoreSchema.INVENTORY, PORT);
    checkSentinels(group);
    StoreSchema.checkPassword(group);
  }

  private static StoreSpec group(Values group) {
    return StoreSpec.of(Engines.of(RedisEngine.ID), group.get(StoreSchema.INVENTORY).orPort(PORT))
        .with(
            new RedisSettings(sentinels(group), false),
            StoreSchema.credentials(group),
            group.find(StoreSchema.TLS));
  }

  @Override
  public OptionalInt port() {
    return OptionalInt.of(PORT);
  }

  @Override
  public void checkLocal(Values local) {
    RedisLocalSchema.check(local);
  }

  @Override
  public void checkStore(Values store) {
    if (store.given(StoreSchema.LOCAL)) {
      if (store.changes("local", LocalSchema.RF)) {
        store.errorAt("local.rf", "is not supported by a local Redis", localCopies());
      }
      store.forbid(
          "is valid only with an inventory; of a local group write store.local.sentinels",
          SENTINELS,
          MASTER_NAME,
          SENTINEL_USER,
          SENTINEL_PASSWORD_FILE);
      store.forbid(
          "is valid only with an inventory; of a local group write store.local.shards", CLUSTER);
    } else {
      checkSentinels(store);
    }
    if (store.find(CLUSTER).orElse(false)) {
      store.require("write on how many nodes a key is, its master included", StoreSchema.RF);
      store.forbid("is not supported by a Redis Cluster", SENTINELS);
      if (store
          .find(StoreSchema.RF)
          .filter(rf -> !rf.containsKey(ReplicationSchema.EVERYWHERE))
          .isPresent()) {
        store.error(
            StoreSchema.RF, "is by data centre, which redis does not know", "write one number");
      }
    } else if (!store.given(StoreSchema.LOCAL)) {
      store.forbid("is not supported by redis: every node has all keys", StoreSchema.RF);
    }
  }

  @Override
  public Optional<EngineSettings> local(Values local) {
    return Optional.of(RedisLocalSchema.build(local));
  }

  @Override
  public Optional<EngineSettings> store(Values store) {
    return Optional.of(new RedisSettings(sentinels(store), store.find(CLUSTER).orElse(false)));
  }

  @Override
  public String localCopies() {
    return "write store.local.nodes: each has all keys; with shards, those of a shard have its"
        + " keys";
  }

  @Override
  public Replicas replicas(Values store) {
    return Replicas.of(
        store
            .find(StoreSchema.LOCAL)
            .map(local -> local.get(RedisLocal.class).copies(local.nodes()))
            .or(() -> store.find(StoreSchema.RF).map(ReplicationSchema::total))
            .orElseGet(() -> store.get(StoreSchema.INVENTORY).nodes().size()));
  }

  private static RedisNode sentinel(String text) throws Refusal {
    Matcher parts = ADDRESS.matcher(text);
    int port = SENTINEL_PORT;
    if (parts.matches() && parts.group(2) != null) {
      port = Integer.parseInt(parts.group(2));
    }
    if (!parts.matches() || port < 1 || port > 65_535) {
      throw new Refusal("is not an address", "write HOST:PORT, such as 10.0.0.7:26379");
    }
    return new RedisNode(text, parts.group(1).replaceAll("[\\[\\]]", ""), port);
  }

  /** Checks what is said of Sentinels beside a group's own nodes. */
  private static void checkSentinels(Values values) {
    if (!values.given(SENTINELS)) {
      values.forbid(
          "is valid only with sentinels", MASTER_NAME, SENTINEL_USER, SENTINEL_PASSWORD_FILE);
    }
    if (values.given(SENTINEL_USER) && !values.given(SENTINEL_PASSWORD_FILE)) {
      values.error(SENTINEL_USER, "has no password", "add sentinel-password-file");
    }
    Set<String> nodes = new HashSet<>();
    values
        .find(StoreSchema.INVENTORY)
        .map(given -> given.orPort(PORT))
        .ifPresent(given -> given.nodes().forEach(node -> nodes.add(address(node))));
    Set<String> seen = new HashSet<>();
    List<RedisNode> sentinels = values.find(SENTINELS).orElse(List.of());
    for (int i = 0; i < sentinels.size(); i++) {
      String path = SENTINELS.name() + "[" + i + "]";
      String address = sentinels.get(i).address();
      if (nodes.contains(address)) {
        values.errorAt(
            path, address + " is a node of the inventory", "give the Sentinel's own port");
      } else if (!seen.add(address)) {
        values.errorAt(path, address + " is listed already", "list each Sentinel once");
      }
    }
  }

  private static String address(InventorySpec.Node node) {
    return node.address() + ":" + node.port();
  }

  /** Who tells the master, if the file names them. */
  private static Optional<SentinelSpec> sentinels(Values values) {
    return values
        .find(SENTINELS)
        .map(
            these ->
                new SentinelSpec(
                    these,
                    values.find(MASTER_NAME).orElse(USUAL_NAME),
                    values
                        .find(SENTINEL_PASSWORD_FILE)
                        .map(
                            file ->
                                new StoreSpec.Credentials(
                                    values.find(SENTINEL_USER).orElse(""),
                                    Optional.of(file),
                                    Optional.empty()))));
  }
}
