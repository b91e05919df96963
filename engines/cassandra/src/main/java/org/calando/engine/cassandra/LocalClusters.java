package org.calando.engine.cassandra;

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
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.FreshCluster;

/** Local clusters that outlive the command that starts them. Stateless and thread safe. */
public final class LocalClusters implements LocalEngine {
  LocalClusters() {}

  @Override
  public Plan plan(List<String> settings) {
    LocalSpec local = LocalSchema.read(Engines.of(CassandraEngine.ID), withReplicas(settings));
    return new Plan(
        local.nodes() + " " + CassandraEngine.ID + " nodes",
        folder ->
            new Kept(
                LocalCluster.leave(
                    () ->
                        LocalCassandra.start(
                            CassandraLocalTarget.config(local).stateFolder(folder).build()),
                    LocalAccess::secure),
                folder));
  }

  @Override
  public KeptCluster attach(Path folder) {
    return new Kept(LocalCassandra.attach(folder), folder);
  }

  /** With as many replicas as a cluster of fewer than three nodes can have, where none is told. */
  private static List<String> withReplicas(List<String> settings) {
    boolean told = settings.stream().anyMatch(setting -> setting.startsWith("rf="));
    Optional<String> few =
        settings.stream().filter(setting -> setting.matches("nodes=[12]")).reduce((a, b) -> b);
    List<String> all = new ArrayList<>(settings);
    few.filter(nodes -> !told).ifPresent(nodes -> all.add(nodes.replace("nodes", "rf")));
    return all;
  }

  private record Kept(LocalCassandra cluster, Path folder) implements KeptCluster {
    @Override
    public ClusterStatus status() {
      ClusterStatus status = new ClusterStatus(CassandraEngine.ID, "node ", "rack   ");
      Path inventory = folder.resolve(INVENTORY);
      Path store = folder.resolve(STORE);
      status.put("inventory", inventory).put("store", store);
      cluster.passwordFile().ifPresent(file -> status.put("password_file", file));
      cluster.caFile().ifPresent(file -> status.put("ca", file));
      List<String> down = new ArrayList<>();
      for (LocalCassandra.NodeStatus each : cluster.status()) {
        LocalNode node = each.node();
        status.node(
            new Server(
                node.name(),
                node.address(),
                node.cqlPort(),
                node.pid(),
                each.running(),
                Server.state(each.running(), each.up()),
                each.started()),
            node.rack());
        if (!each.up()) {
          down.add(node.name());
        }
      }
      return status
          .line("Inventory: " + inventory)
          .file("For a study's file", store, LocalClusters.store(cluster, inventory))
          .up(down.isEmpty())
          .lacking(down, status.again());
    }

    @Override
    public Map<String, String> files() {
      return Map.of(
          INVENTORY,
          inventory(cluster),
          STORE,
          LocalClusters.store(cluster, folder.resolve(INVENTORY)));
    }

    @Override
    public void shutdown() {
      cluster.shutdown();
    }
  }

  /** Has the inventory for studies name the processes that run now. */
  static void note(LocalCassandra cluster) {
    KeptCluster.noteAgain(cluster.folder(), inventory(cluster));
  }

  /** The cluster as an inventory file for studies. */
  public static String inventory(LocalCassandra cluster) {
    StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\n");
    boolean oneCentre = cluster.config().dataCentres().stream().distinct().count() == 1;
    if (oneCentre) {
      yaml.append("datacenter: ").append(cluster.config().dataCentres().get(0)).append('\n');
    }
    yaml.append("nodes:\n");
    for (LocalNode node : cluster.nodes()) {
      yaml.append(
          "  - {name: %s, address: %s, port: %d, %srack: %s, pid: %d, jmx: \"127.0.0.1:%d\"}\n"
              .formatted(
                  node.name(),
                  node.address(),
                  node.cqlPort(),
                  oneCentre ? "" : "datacenter: " + node.dataCentre() + ", ",
                  node.rack(),
                  node.pid(),
                  node.jmxPort()));
    }
    return yaml.toString();
  }

  private static String store(LocalCassandra cluster, Path inventory) {
    YamlText yaml = new YamlText(CassandraEngine.ID, inventory);
    yaml.line("rf", cluster.config().replicationFactor());
    cluster
        .passwordFile()
        .map(YamlText::quote)
        .ifPresent(file -> yaml.line("user", FreshCluster.USER).line("password-file", file));
    cluster.caFile().ifPresent(ca -> yaml.line("tls", "{ca: " + YamlText.quote(ca) + "}"));
    return yaml.toString();
  }
}
