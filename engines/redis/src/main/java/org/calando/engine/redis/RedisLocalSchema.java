package org.calando.engine.redis;

import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.text;

import java.util.Map;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.LocalSchema;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** What {@code store.local} may say of a Redis alone. */
final class RedisLocalSchema {
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
              integer(0, LocalSchema.MAX_NODES),
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

  static final Keys KEYS =
      Keys.at(50, SENTINELS, SHARDS, IO_THREADS, BINARY, REDIS_PORT, REDIS_CONF);

  private RedisLocalSchema() {}

  static void check(Values local) {
    int shards = local.find(SHARDS).orElse(0);
    if (shards == 0) {
      return;
    }
    if (local.find(LocalSchema.NODES).filter(nodes -> nodes % shards != 0).isPresent()) {
      local.error(SHARDS, "does not divide the nodes", "write nodes: " + 2 * shards);
    }
    if (local.find(SENTINELS).orElse(0) > 0) {
      local.error(SENTINELS, "given beside shards", "a Redis Cluster has no Sentinels");
    }
    if (local.find(LocalSchema.TLS).orElse(false)) {
      local.error(LocalSchema.TLS, "is not possible with shards yet", "remove it");
    }
  }

  static RedisLocal build(Values local) {
    return new RedisLocal(
        local.get(SENTINELS),
        local.get(SHARDS),
        local.get(IO_THREADS),
        local.get(BINARY),
        local.get(REDIS_PORT),
        local.get(REDIS_CONF));
  }
}
