package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.engine.LocalSpec;
import org.calando.engine.YamlText;
import org.calando.local.process.Leftovers;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;

/** Local Redis clusters that outlive the command that starts them. */
public final class LocalRedisClusters {
  private LocalRedisClusters() {}

  /**
   * Starts a cluster that stays until it is stopped.
   *
   * @param local what it looks like
   * @param stateFolder where it keeps its state; empty or not there yet
   * @throws BadRequestException if there is one already, the or the machine lacks something
   */
  public static LocalRedis startAndLeave(LocalSpec local, Path stateFolder) {
    Leftovers.sweep();
    LocalRedis cluster =
        LocalRedis.start(RedisLocalTarget.config(local).stateFolder(stateFolder).build());
    try {
      cluster.keep();
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** The cluster as an inventory file for studies. */
  public static String inventory(LocalRedis cluster) {
    StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\nnodes:\n");
    for (LocalRedisNode node : cluster.nodes()) {
      yaml.append(
          "  - {name: %s, address: %s, port: %d, pid: %d}\n"
              .formatted(node.name(), node.address(), node.port(), node.pid()));
    }
    return yaml.toString();
  }

  /**
   * What a study's file says to use the cluster; holds paths, no secrets.
   *
   * @param inventory where the inventory has been written
   */
  public static String store(LocalRedis cluster, Path inventory) {
    StringBuilder yaml = new StringBuilder("store:\n  engine: redis\n");
    yaml.append("  inventory: ").append(YamlText.quote(inventory)).append('\n');
    cluster
        .passwordFile()
        .ifPresent(
            file -> yaml.append("  password-file: ").append(YamlText.quote(file)).append('\n'));
    int shards = cluster.config().shards();
    if (shards > 0) {
      yaml.append("  cluster: true\n  rf: ").append(cluster.nodes().size() / shards).append('\n');
    }
    cluster
        .caFile()
        .ifPresent(file -> yaml.append("  tls: {ca: ").append(YamlText.quote(file)).append("}\n"));
    if (!cluster.sentinels().isEmpty()) {
      yaml.append("  sentinels: [")
          .append(
              cluster.sentinels().stream()
                  .map(sentinel -> '"' + sentinel.address() + ":" + sentinel.port() + '"')
                  .collect(Collectors.joining(", ")))
          .append("]\n  master-name: ")
          .append(LocalRedisConfig.MASTER_NAME)
          .append('\n');
      cluster
          .passwordFile()
          .ifPresent(
              file ->
                  yaml.append("  sentinel-password-file: ")
                      .append(YamlText.quote(file))
                      .append('\n'));
    }
    return yaml.toString();
  }
}
