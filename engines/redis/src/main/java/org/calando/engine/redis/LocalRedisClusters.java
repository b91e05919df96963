package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.engine.Engines;
import org.calando.engine.LocalSchema;
import org.calando.engine.LocalSpec;
import org.calando.kept.ClusterStatus;
import org.calando.kept.ClusterStatus.Server;
import org.calando.kept.KeptCluster;
import org.calando.kept.LocalEngine;
import org.calando.kept.YamlText;
import org.calando.local.LocalCluster;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;

/** Local Redis clusters that outlive the command that starts them. Stateless and thread safe. */
public final class LocalRedisClusters implements LocalEngine {
  LocalRedisClusters() {}

  @Override
  public Plan plan(List<String> settings) {
    LocalSpec local = LocalSchema.read(Engines.of(RedisEngine.ID), settings);
    return new Plan(
        local.nodes() + " " + RedisEngine.ID + " nodes",
        folder ->
            new Kept(
                LocalCluster.leave(
                    () ->
                        LocalRedis.start(
                            RedisLocalTarget.config(local).stateFolder(folder).build()),
                    cluster -> {}),
                folder));
  }

  @Override
  public KeptCluster attach(Path folder) {
    return new Kept(LocalRedis.attach(folder), folder);
  }

  private record Kept(LocalRedis cluster, Path folder) implements KeptCluster {
    @Override
    public ClusterStatus status() {
      ClusterStatus status = new ClusterStatus(RedisEngine.ID, "node ", "role   ");
      Path inventory = folder.resolve(INVENTORY);
      Path store = folder.resolve(STORE);
      status.put("inventory", inventory).put("store", store);
      cluster.passwordFile().ifPresent(file -> status.put("password_file", file));
      cluster.caFile().ifPresent(file -> status.put("ca", file));
      List<String> down = new ArrayList<>();
      for (LocalRedis.NodeStatus each : cluster.status()) {
        LocalRedisNode node = each.node();
        boolean up = each.up() && each.linkUp();
        status.node(
            new Server(
                node.name(),
                node.address(),
                node.port(),
                node.pid(),
                each.running(),
                Server.state(each.running(), up),
                each.started()),
            role(each));
        if (!up) {
          down.add(node.name());
        }
      }
      return status
          .line("Inventory: " + inventory)
          .file("For a study's file", store, LocalRedisClusters.store(cluster, inventory))
          .up(down.isEmpty())
          .lacking(down, status.again());
    }

    private static String role(LocalRedis.NodeStatus status) {
      return switch (status.role()) {
        case "master" -> "master";
        case "slave" -> "replica";
        default -> "-";
      };
    }

    @Override
    public Map<String, String> files() {
      return Map.of(
          INVENTORY,
          inventory(cluster),
          STORE,
          LocalRedisClusters.store(cluster, folder.resolve(INVENTORY)));
    }

    @Override
    public void shutdown() {
      cluster.shutdown();
    }
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

  private static String store(LocalRedis cluster, Path inventory) {
    YamlText yaml = new YamlText(RedisEngine.ID, inventory);
    Optional<String> password = cluster.passwordFile().map(YamlText::quote);
    password.ifPresent(file -> yaml.line("password-file", file));
    int shards = cluster.config().shards();
    if (shards > 0) {
      yaml.line("cluster", true).line("rf", cluster.nodes().size() / shards);
    }
    cluster.caFile().ifPresent(file -> yaml.line("tls", "{ca: " + YamlText.quote(file) + "}"));
    if (!cluster.sentinels().isEmpty()) {
      yaml.line(
              "sentinels",
              cluster.sentinels().stream()
                  .map(sentinel -> '"' + sentinel.address() + ":" + sentinel.port() + '"')
                  .toList())
          .line("master-name", LocalRedisConfig.MASTER_NAME);
      password.ifPresent(file -> yaml.line("sentinel-password-file", file));
    }
    return yaml.toString();
  }
}
