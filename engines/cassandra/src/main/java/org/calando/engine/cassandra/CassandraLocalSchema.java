package org.calando.engine.cassandra;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.LocalSchema;
import org.calando.engine.cassandra.CassandraLocal.Compiler;
import org.calando.engine.cassandra.CassandraLocal.Ports;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What {@code store.local} may say of a Cassandra alone. */
final class CassandraLocalSchema {
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

  private static final Key<Compiler> COMPILER =
      Key.of(
              "compiler",
              choice("a compiler", Names.inOrder("c1", Compiler.C1, "c2", Compiler.C2)),
              "How far the nodes' JVMs compile: c1 starts in half the CPU time and wins in short"
                  + " runs, c2 is what production clusters use.")
          .byDefault("c1")
          .example("c2");
  private static final Key<String> LOOPBACK =
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
          .check(CassandraLocalSchema::checkPorts)
          .build(ports -> new Ports(ports.get(CQL), ports.get(STORAGE), ports.find(JMX)));

  private static final Key<Ports> PORTS =
      Key.of("ports", PORTS_TYPE, "Ports, where the usual ones are taken.")
          .byDefault("{}")
          .example("{cql: 19042}");
  private static final Key<Map<String, Object>> CASSANDRA_YAML =
      Key.of(
              "cassandra-yaml",
              freeMap(),
              "Settings put into each node's cassandra.yaml over Calando's own; names, addresses,"
                  + " ports, tokens and folders are not among them.")
          .byDefault("{}")
          .example("{concurrent_reads: 16}");
  static final List<Keys> KEYS =
      List.of(Keys.at(20, COMPILER, LOOPBACK, PORTS), Keys.at(40, CASSANDRA_YAML));

  private CassandraLocalSchema() {}

  static void check(Values local) {
    for (String setting : local.find(CASSANDRA_YAML).orElse(Map.of()).keySet()) {
      if (OWN_SETTINGS.contains(setting)) {
        local.errorAt(
            CASSANDRA_YAML.name() + "." + setting, "is set by Calando itself", "remove it");
      }
    }
  }

  private static void checkPorts(Values ports) {
    // Without one it follows the loopback, whose addresses are not those of JMX.
    int jmx = ports.find(JMX).orElse(0);
    for (Key<Integer> key : List.of(CQL, STORAGE)) {
      int port = ports.find(key).orElse(-1);
      if (port > jmx && port <= jmx + LocalSchema.MAX_NODES) {
        ports.error(key, port + " is one of the JMX ports " + jmx + " + N", "choose another");
      }
    }
    if (ports.find(CQL).equals(ports.find(STORAGE))) {
      ports.error(STORAGE, "is the same as cql", "choose another");
    }
    if (jmx + LocalSchema.MAX_NODES > 65_535) {
      ports.error(
          JMX, "leaves no room for " + LocalSchema.MAX_NODES + " nodes", "write at most 65526");
    }
  }

  static CassandraLocal build(Values local) {
    return new CassandraLocal(
        local.get(COMPILER), local.get(LOOPBACK), local.get(PORTS), local.get(CASSANDRA_YAML));
  }
}
