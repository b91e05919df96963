package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.calando.engine.hbase.LocalHBaseClusters;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.Leftovers;
import org.calando.study.Progress;

/**
 * What a local HBase that runs on is shown as.
 *
 * @param cluster the cluster
 * @param nameNodeUp whether the NameNode of the HDFS below it serves
 * @param dataNodes how many DataNodes that HDFS has
 * @param dataNodesUp how many of them serve
 * @param asleep names of the nodes that are to sleep
 * @param servers ZooKeeper, the master and the RegionServers as they were
 * @param folder where its state is
 * @param strangers processes that serve and that Calando did not start
 */
record LocalHBaseView(
    LocalHBase cluster,
    boolean nameNodeUp,
    int dataNodes,
    long dataNodesUp,
    Set<String> asleep,
    List<LocalHBase.NodeStatus> servers,
    Path folder,
    LocalStrangers strangers)
    implements LocalCommand.View {
  /** The file that tells how the cluster is reached. */
  static final String FILE = "hbase.yaml";

  /** The file that lists its nodes for studies. */
  static final String INVENTORY = "inventory.yaml";

  static LocalHBaseView of(LocalHBase cluster, Path folder) {
    List<LocalHdfs.NodeStatus> dataNodes = cluster.hdfs().status();
    return new LocalHBaseView(
        cluster,
        cluster.hdfs().isNameNodeUp(),
        dataNodes.size(),
        dataNodes.stream().filter(LocalHdfs.NodeStatus::up).count(),
        LocalIdle.asleep(cluster),
        cluster.status(),
        folder,
        LocalStrangers.of(cluster));
  }

  /** Starts a cluster that stays until it is stopped. */
  static LocalHBase startAndLeave(List<String> settings, Path stateFolder) {
    LocalHBaseConfig config = LocalHBaseSettings.read(settings).stateFolder(stateFolder).build();
    Leftovers.sweep();
    LocalHBase cluster = LocalHBase.start(config);
    try {
      cluster.keep();
    } catch (RuntimeException | Error e) {
      cluster.shutdown();
      throw e;
    }
    return cluster;
  }

  /** How the cluster is reached. */
  String reached() {
    return "quorum: \"%s\"\nhdfs: %s\n".formatted(cluster.quorum(), cluster.hdfs().uri());
  }

  /** The cluster as studies take it. */
  String inventory() {
    return LocalHBaseClusters.inventory(cluster);
  }

  /** What a study's file says to use it. */
  String store() {
    return LocalHBaseClusters.store(folder.resolve(INVENTORY));
  }

  @Override
  public String engine() {
    return LocalHBase.ENGINE;
  }

  @Override
  public boolean up() {
    return hdfsUp()
        && strangers.isEmpty()
        && servers.stream().allMatch(server -> server.up() || isAsleep(server));
  }

  /** Without DataNodes nothing can be read or written. */
  private boolean hdfsUp() {
    return nameNodeUp && dataNodesUp > 0;
  }

  @Override
  public Optional<String> lacking() {
    List<String> down = new ArrayList<>(hdfsUp() ? List.of() : List.of("the HDFS below"));
    servers.stream()
        .filter(server -> !server.up() && !isAsleep(server))
        .map(server -> server.node().name())
        .filter(name -> !strangers.has(name))
        .forEach(down::add);
    return LocalCommand.lacking(
        down, IdleOptions.REVIVE + " brings back what is down, with its data");
  }

  private boolean isAsleep(LocalHBase.NodeStatus server) {
    return !server.running() && asleep.contains(server.node().name());
  }

  @Override
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("engine", LocalHBase.ENGINE);
    answer.put("inventory", folder.resolve(INVENTORY).toString());
    answer.put("store", folder.resolve(LocalCommand.STORE).toString());
    answer.put("quorum", cluster.quorum());
    answer.put("hdfs", cluster.hdfs().uri());
    answer.put("hdfs_state", hdfsUp() ? "up" : "down");
    answer.put("data_nodes", dataNodes);
    answer.put("data_nodes_up", dataNodesUp);
    for (LocalHBase.NodeStatus status : servers) {
      LocalHBaseNode node = status.node();
      ObjectNode each = answer.withArray("nodes").addObject();
      each.put("node", node.name());
      each.put("address", node.address());
      each.put("port", node.port());
      each.put("pid", node.pid());
      each.put("state", state(status));
    }
    strangers.put(answer);
    return answer;
  }

  @Override
  public void print() {
    System.out.println("server     address:port          pid      state    uptime");
    for (LocalHBase.NodeStatus status : servers) {
      LocalHBaseNode node = status.node();
      System.out.printf(
          Locale.ROOT,
          "%-10s %-21s %-8s %-8s %s%n",
          node.name(),
          node.address() + ":" + node.port(),
          status.running() ? Long.toString(node.pid()) : "-",
          state(status),
          status
              .started()
              .map(at -> Progress.spoken(Duration.between(at, Instant.now())))
              .orElse("-"));
    }
    strangers.print();
    System.out.printf(
        Locale.ROOT,
        "HDFS below: %s, %d of %d DataNodes%n",
        hdfsUp() ? "up" : "down",
        dataNodesUp,
        dataNodes);
    System.out.println("Reached by (" + folder.resolve(FILE) + "):");
    System.out.print(reached().indent(2));
    System.out.println("For a study's file (" + folder.resolve(LocalCommand.STORE) + "):");
    System.out.print(store().indent(2));
  }

  private String state(LocalHBase.NodeStatus status) {
    return isAsleep(status)
        ? "asleep"
        : status.up() ? "up" : status.running() ? "starting" : "down";
  }
}
