package org.calando.local.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.local.ServersPreflight;
import org.calando.local.process.Memory;

/** What is checked and chosen before the first server of a cluster is started. */
final class RedisPreflight {
  /** Resident memory of an empty server with its output buffers; data comes on top. */
  private static final long SERVER_BYTES = 24L << 20;

  private RedisPreflight() {}

  /** Refuses what cannot work; nothing is changed. */
  static void check(LocalRedisConfig config) {
    var unused = binary(config);
    Memory.require(
        (config.nodes() + config.sentinels()) * SERVER_BYTES,
        Memory.availableBytes(),
        "take fewer nodes, or end other programs");
    ServersPreflight.requireFree(
        config,
        portCount(config),
        LocalRedis.ENGINE,
        "--set store.local.redis-port=N (of ./calando local start: --set redis-port=N)");
  }

  /** The server's program. */
  static Path binary(LocalRedisConfig config) {
    String name = config.binary();
    if (name.contains("/")) {
      Path path = Path.of(name).toAbsolutePath();
      if (Files.isRegularFile(path) && Files.isExecutable(path)) {
        return path;
      }
      throw new BadRequestException(
          "is no program", name, "name a redis-server or valkey-server by its path");
    }
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(":", -1)) {
      Path program = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isRegularFile(program) && Files.isExecutable(program)) {
        return program.toAbsolutePath();
      }
    }
    throw new BadRequestException(
        name + " is not installed",
        "PATH",
        "apt-get install redis-server (its service need not run), or name a binary by its path");
  }

  /** Ports of the nodes, then of the Sentinels or of the nodes' cluster bus. */
  static List<Integer> ports(LocalRedisConfig config) {
    return ServersPreflight.ports(config, portCount(config));
  }

  private static int portCount(LocalRedisConfig config) {
    int buses = config.shards() > 0 ? config.nodes() : 0;
    return config.nodes() + config.sentinels() + buses;
  }
}
