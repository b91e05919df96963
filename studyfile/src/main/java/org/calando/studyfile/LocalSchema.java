package org.calando.studyfile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.size;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.core.layout.WarmShare;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;
import org.calando.studyfile.LocalSpec.Compiler;
import org.calando.studyfile.LocalSpec.Ports;

/** What {@code store.local} may say. */
final class LocalSchema {
  static final int RF_DEFAULT = 3;
  private static final int MAX_NODES = 9;
  private static final ScalarType<Long> DELAY = duration(0, 10_000_000_000L);

  /**
   * Settings of cassandra.yaml without which a local cluster would not be ours to start and end.
   */
  private static final Set<String> OWN_SETTINGS =
      Set.of(
          "cluster_name",
          "num_tokens",
          "initial_token",
          "partitioner",
          "listen_address",
          "broadcast_address",
          "rpc_address",
          "broadcast_rpc_address",
          "storage_port",
          "native_transport_port",
          "seed_provider",
          "endpoint_snitch",
          "authenticator",
          "authorizer",
          "role_manager",
          "client_encryption_options",
          "data_file_directories",
          "commitlog_directory",
          "saved_caches_directory",
          "hints_directory",
          "cdc_raw_directory");

  static final Key<Integer> NODES =
      Key.of("nodes", integer(1, MAX_NODES), "Nodes to start, one process each.")
          .byDefault("3")
          .example("3");
  static final Key<Integer> RACKS =
      Key.of("racks", integer(1, MAX_NODES), "Racks; nodes are dealt to them in turn.")
          .byDefault("1")
          .example("3");
  static final Key<Integer> RF =
      Key.of("rf", integer(1, MAX_NODES), "Replication factor; at most the number of nodes.")
          .byDefault(String.valueOf(RF_DEFAULT))
          .example("3");
  static final Key<LinkDelay> LINK_DELAY =
      Key.of(
              "link-delay",
              linkDelay(MAX_NODES),
              "One-way delay of messages between nodes; a matrix has a row for each sender and a"
                  + " column for each receiver.")
          .byDefault("0ms")
          .example("5ms");
  static final Key<List<String>> TOKENS =
      Key.of(
              "tokens",
              list(
                  text(
                      "tokens",
                      "-?\\d{1,39}(\\s*,\\s*-?\\d{1,39})*",
                      "one token, or several separated by commas"),
                  1,
                  MAX_NODES),
              "Initial tokens, an entry for each node; without it the ring is split evenly.")
          .example("[-9223372036854775808, -3074457345618258603, 3074457345618258602]");
  static final Key<StoreLayout> LAYOUT =
      Key.of(
              "layout",
              LayoutType.ANY,
              "Token layout, in place of tokens: the share of nodes, the first ones, that own twice"
                  + " as much of the ring as the others; see docs/layout.md. Of HDFS the layout of"
                  + " blocks, rabbit without it; see docs/gears.md.")
          .example("half");
  static final Key<Long> HEAP =
      Key.of("heap", size(128L << 20, 32L << 30), "Maximum heap of each node.")
          .byDefault("256MB")
          .example("256MB");
  static final Key<Compiler> COMPILER =
      Key.of(
              "compiler",
              choice("a compiler", Names.inOrder("c1", Compiler.C1, "c2", Compiler.C2)),
              "How far the nodes' JVMs compile: c1 starts in half the CPU time and wins in short"
                  + " runs, c2 is what production clusters use.")
          .byDefault("c1")
          .example("c2");
  static final Key<String> LOOPBACK =
      Key.of(
              "loopback",
              text(
                  "the first half of a loopback address",
                  "127\\.(25[0-4]|2[0-4]\\d|1?\\d?\\d)",
                  "127.0 to 127.254"),
              "Nodes listen on this followed by .0.N, relays of link delays on .1.N.")
          .byDefault("\"127.0\"")
          .example("\"127.0\"");

  private static final Key<Integer> CQL =
      Key.of("cql", Types.port(), "Port for clients, the same on each node's address.")
          .byDefault("9042")
          .example("9042");
  private static final Key<Integer> STORAGE =
      Key.of("storage", Types.port(), "Port between nodes, the same on each node's address.")
          .byDefault("7000")
          .example("7000");
  private static final Key<Integer> JMX =
      Key.of(
              "jmx",
              Types.port(),
              "Node N takes this port plus N; 7199 by default, and 10199 + 10 X with the loopback"
                  + " 127.X, so that clusters with different loopbacks run side by side.")
          .example("7199");
  private static final ObjectType<Ports> PORTS_TYPE =
      ObjectType.named("ports", "Ports of a local cluster.")
          .keys(CQL, STORAGE, JMX)
          .check(LocalSchema::checkPorts)
          .build(ports -> new Ports(ports.get(CQL), ports.get(STORAGE), ports.find(JMX)));

  static final Key<Ports> PORTS =
      Key.of("ports", PORTS_TYPE, "Ports, where the usual ones are taken.")
          .byDefault("{}")
          .example("{cql: 19042}");
  static final Key<Boolean> AUTH =
      Key.of(
              "auth",
              bool(),
              "Clients must log in: Calando with a role of its own and a random password; the"
                  + " built-in superuser gets another one.")
          .byDefault("false")
          .example("true");
  static final Key<Boolean> TLS =
      Key.of(
              "tls",
              bool(),
              "Clients must use TLS, with certificates of a CA that is made for the cluster.")
          .byDefault("false")
          .example("true");
  static final Key<Map<String, Object>> CASSANDRA_YAML =
      Key.of(
              "cassandra-yaml",
              freeMap(),
              "Settings put into each node's cassandra.yaml over Calando's own; names, addresses,"
                  + " ports, tokens and folders are not among them.")
          .byDefault("{}")
          .example("{concurrent_reads: 16}");

  private static final Key<Integer> SENTINELS =
      Key.of(
              "sentinels",
              integer(0, 7),
              "Redis: Sentinels that promote a replica when the master is gone; none, or an odd"
                  + " number.")
          .byDefault("0")
          .example("3");
  private static final Key<Integer> SHARDS =
      Key.of(
              "shards",
              integer(0, MAX_NODES),
              "Redis: masters of a Redis Cluster, of which the nodes are a multiple; 0 is one"
                  + " master without Redis Cluster.")
          .byDefault("0")
          .example("3");
  private static final Key<Integer> IO_THREADS =
      Key.of("io-threads", integer(1, 64), "Redis: threads that read requests and write answers.")
          .byDefault("1")
          .example("1");
  private static final Key<String> BINARY =
      Key.of(
              "binary",
              text("a program", "[^\\p{Cntrl}]{1,500}", ""),
              "Redis: the server's program, a path or a name to be found in PATH; a"
                  + " valkey-server does as well.")
          .byDefault("redis-server")
          .example("/opt/valkey/bin/valkey-server");
  private static final Key<Integer> REDIS_PORT =
      Key.of(
              "redis-port",
              integer(0, 65_000),
              "Redis: port of the first node, the others follow; 0 takes any that are free.")
          .byDefault("0")
          .example("7001");
  private static final Key<Map<String, Object>> REDIS_CONF =
      Key.of(
              "redis-conf",
              freeMap(),
              "Redis: settings put into each node's redis.conf; ports, addresses, passwords and"
                  + " folders are not among them.")
          .byDefault("{}")
          .example("{maxmemory: 512mb}");

  static final ObjectType<LocalSpec> TYPE =
      ObjectType.named(
              "a local cluster",
              "A real cluster that is started on this machine for the study and stopped after it.")
          .keys(
              NODES,
              RACKS,
              RF,
              LINK_DELAY,
              TOKENS,
              LAYOUT,
              HEAP,
              COMPILER,
              LOOPBACK,
              PORTS,
              AUTH,
              TLS,
              CASSANDRA_YAML,
              SENTINELS,
              SHARDS,
              IO_THREADS,
              BINARY,
              REDIS_PORT,
              REDIS_CONF,
              HBaseSchema.SITE)
          .keys(HdfsLocalSchema.KEYS)
          .check(LocalSchema::check)
          .build(LocalSchema::build);

  private LocalSchema() {}

  /** A delay of all links, or a matrix for at most so many nodes. */
  static Type<LinkDelay> linkDelay(int most) {
    Type<List<List<Long>>> matrix = list(list(DELAY, 1, most), 1, most);
    return scalarOrList(mapped(DELAY, LinkDelay::uniform), mapped(matrix, LinkDelay::new));
  }

  private static void check(Values local) {
    local.requireAtMostOne(TOKENS, LAYOUT);
    checkShards(local);
    local.find(NODES).ifPresent(nodes -> checkAgainstNodes(local, nodes));
    for (String setting : local.find(CASSANDRA_YAML).orElse(Map.of()).keySet()) {
      if (OWN_SETTINGS.contains(setting)) {
        local.errorAt(
            CASSANDRA_YAML.name() + "." + setting, "is set by Calando itself", "remove it");
      }
    }
  }

  private static void checkShards(Values local) {
    int shards = local.find(SHARDS).orElse(0);
    if (shards == 0) {
      return;
    }
    if (local.find(NODES).filter(nodes -> nodes % shards != 0).isPresent()) {
      local.error(SHARDS, "does not divide the nodes", "write nodes: " + 2 * shards);
    }
    if (local.find(SENTINELS).orElse(0) > 0) {
      local.error(SENTINELS, "given beside shards", "a Redis Cluster has no Sentinels");
    }
    if (local.find(TLS).orElse(false)) {
      local.error(TLS, "is not possible with shards yet", "remove it");
    }
  }

  private static void checkAgainstNodes(Values local, int nodes) {
    atMostNodes(local, RACKS, nodes);
    // The default is as good as not written: a study's own text has it, and fewer nodes will do
    // where every node has all keys, or none has more than one copy.
    if (local.given(RF) && local.find(RF).orElse(RF_DEFAULT) != RF_DEFAULT) {
      atMostNodes(local, RF, nodes);
    }
    local
        .find(LAYOUT)
        .flatMap(StoreLayout::tokens)
        .ifPresent(layout -> checkLayout(local, LAYOUT.name(), layout, nodes));
    int tokens = local.find(TOKENS).map(List::size).orElse(nodes);
    if (tokens != nodes) {
      local.errorAt(
          "tokens", "has tokens of " + tokens + " nodes, not " + nodes, "write one for each node");
    }
    local
        .find(LINK_DELAY)
        .filter(delay -> local.given(LINK_DELAY) && !isFor(delay, nodes))
        .ifPresent(delay -> refuseDelay(local, "link-delay", nodes));
  }

  /** Reports a layout at a path that so many nodes cannot have. */
  static void checkLayout(Values values, String path, WarmShare layout, int nodes) {
    if (!layout.fits(nodes)) {
      values.errorAt(
          path,
          layout.share() + " of " + nodes + " nodes is not one node",
          "write even, or at least 1/" + 2 * nodes);
    }
  }

  /** Reports a delay at a path that {@link #isFor} another number of nodes. */
  static void refuseDelay(Values values, String path, int nodes) {
    values.errorAt(
        path,
        "is not a matrix of " + nodes + " x " + nodes + " delays",
        "write a row and a column for each of the " + nodes + " nodes");
  }

  /** Whether it is a single delay, or a matrix for that many nodes. */
  static boolean isFor(LinkDelay delay, int nodes) {
    List<List<Long>> rows = delay.matrix();
    boolean single = rows.size() == 1 && rows.get(0).size() == 1;
    return single || (rows.size() == nodes && rows.stream().allMatch(row -> row.size() == nodes));
  }

  private static void atMostNodes(Values local, Key<Integer> key, int nodes) {
    local
        .find(key)
        .filter(value -> value > nodes)
        .ifPresent(
            value ->
                local.errorAt(
                    key.name(),
                    value + " is more than the " + nodes + " nodes",
                    "write at most " + nodes + ", or more nodes"));
  }

  private static void checkPorts(Values ports) {
    // Without one it follows the loopback, whose addresses are not those of JMX.
    int jmx = ports.find(JMX).orElse(0);
    for (Key<Integer> key : List.of(CQL, STORAGE)) {
      int port = ports.find(key).orElse(-1);
      if (port > jmx && port <= jmx + MAX_NODES) {
        ports.error(key, port + " is one of the JMX ports " + jmx + " + N", "choose another");
      }
    }
    if (ports.find(CQL).equals(ports.find(STORAGE))) {
      ports.error(STORAGE, "is the same as cql", "choose another");
    }
    if (jmx + MAX_NODES > 65_535) {
      ports.error(JMX, "leaves no room for " + MAX_NODES + " nodes", "write at most 65526");
    }
  }

  private static LocalSpec build(Values local) {
    return new LocalSpec(
        local.get(NODES),
        local.get(RACKS),
        local.get(RF),
        local.get(LINK_DELAY),
        local.find(TOKENS).orElse(List.of()),
        local.find(LAYOUT).flatMap(StoreLayout::tokens),
        local.get(HEAP),
        local.get(COMPILER),
        local.get(LOOPBACK),
        local.get(PORTS),
        local.get(AUTH),
        local.get(TLS),
        local.get(CASSANDRA_YAML),
        new RedisLocal(
            local.get(SENTINELS),
            local.get(SHARDS),
            local.get(IO_THREADS),
            local.get(BINARY),
            local.get(REDIS_PORT),
            local.get(REDIS_CONF)),
        HdfsLocalSchema.build(local, local.find(LAYOUT)),
        new HBaseLocal(local.get(HBaseSchema.SITE)));
  }
}
