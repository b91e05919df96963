package org.calando.engine.hbase;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.calando.gears.idle.LocalIdle;
import org.calando.kept.ClusterStatus;
import org.calando.kept.KeptCluster;
import org.calando.kept.LocalEngine;
import org.calando.kept.YamlText;
import org.calando.local.LocalCluster;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.ProcessGroup.Stranger;
import org.calando.local.process.ProcessIdentity;

/** Local HBases that outlive the command that starts them. Stateless and thread safe. */
public final class LocalHBaseClusters implements LocalEngine {
  /** The file that says how the cluster is reached. */
  private static final String REACHED = HBaseEngine.ID + ".yaml";

  LocalHBaseClusters() {}

  @Override
  public String settings() {
    return "nodes, data-nodes, port, heap, session-timeout, or HBase's own, such as"
        + " hbase.wal.hsync=true";
  }

  @Override
  public Plan plan(List<String> settings) {
    LocalHBaseConfig.Builder builder = LocalHBaseSettings.read(settings);
    return new Plan(
        HBaseEngine.ID,
        folder -> {
          LocalHBaseConfig config = builder.stateFolder(folder).build();
          return new Kept(
              LocalCluster.leave(() -> LocalHBase.start(config), cluster -> {}), folder);
        });
  }

  @Override
  public KeptCluster attach(Path folder) {
    return new Kept(LocalHBase.attach(folder), folder);
  }

  private record Kept(LocalHBase cluster, Path folder) implements KeptCluster {
    @Override
    public ClusterStatus status() {
      List<LocalHdfs.NodeStatus> dataNodes = cluster.hdfs().status();
      long dataNodesUp = dataNodes.stream().filter(LocalHdfs.NodeStatus::up).count();
      // Without DataNodes nothing can be read or written.
      boolean hdfsUp = cluster.hdfs().isNameNodeUp() && dataNodesUp > 0;
      Path store = folder.resolve(STORE);
      ClusterStatus status = new ClusterStatus(HBaseEngine.ID, "server    ", "");
      status.put("inventory", folder.resolve(INVENTORY)).put("store", store);
      status.put("quorum", cluster.quorum()).put("hdfs", cluster.hdfs().uri());
      status.put("hdfs_state", hdfsUp ? "up" : "down");
      status.json().put("data_nodes", dataNodes.size()).put("data_nodes_up", dataNodesUp);
      List<Stranger> strangers = cluster.strangers();
      List<String> down = new ArrayList<>(hdfsUp ? List.of() : List.of("the HDFS below"));
      down.addAll(add(status, LocalIdle.asleep(cluster)));
      boolean up = down.isEmpty() && strangers.isEmpty();
      List<String> served = strangers.stream().map(Stranger::server).toList();
      down.removeAll(served);
      return status
          .strangers(
              served, strangers(), END_BY_HAND + "; ./calando idle up --local then starts the node")
          .line(
              String.format(
                  Locale.ROOT,
                  "HDFS below: %s, %d of %d DataNodes",
                  hdfsUp ? "up" : "down",
                  dataNodesUp,
                  dataNodes.size()))
          .file("Reached by", folder.resolve(REACHED), reached())
          .file("For a study's file", store, store())
          .up(up)
          .lacking(down, "./calando idle up --local brings back what is down, with its data");
    }

    /** Adds the servers; names of those that are neither up nor asleep by order. */
    private List<String> add(ClusterStatus status, Set<String> asleep) {
      List<String> down = new ArrayList<>();
      for (LocalHBase.NodeStatus each : cluster.status()) {
        LocalHBaseNode node = each.node();
        boolean sleeps = !each.running() && asleep.contains(node.name());
        status.node(
            new ClusterStatus.Server(
                node.name(),
                node.address(),
                node.port(),
                node.pid(),
                each.running(),
                sleeps ? "asleep" : ClusterStatus.Server.state(each.running(), each.up()),
                each.started()),
            "",
            json -> {});
        if (!each.up() && !sleeps) {
          down.add(node.name());
        }
      }
      return down;
    }

    private String reached() {
      return "quorum: \"%s\"\nhdfs: %s\n".formatted(cluster.quorum(), cluster.hdfs().uri());
    }

    private String store() {
      return new YamlText(HBaseEngine.ID, folder.resolve(INVENTORY)).toString();
    }

    @Override
    public Map<String, String> files() {
      return Map.of(INVENTORY, inventory(cluster), STORE, store(), REACHED, reached());
    }

    @Override
    public void shutdown() {
      cluster.shutdown();
    }

    @Override
    public List<String> strangers() {
      return cluster.strangers().stream().map(Stranger::says).toList();
    }
  }

  /**
   * The cluster as an inventory file for studies: node i is RegionServer i with DataNode i, {@code
   * master} what runs once, and a DataNode without a RegionServer a node of its own.
   */
  static String inventory(LocalHBase cluster) {
    List<Server> servers = servers(cluster);
    List<String> regionServers = cluster.nodes().stream().map(LocalHBaseNode::name).toList();
    List<String> others =
        servers.stream().map(Server::name).filter(name -> !regionServers.contains(name)).toList();
    StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\n");
    yaml.append("hbase: {quorum: [\"%s\"], others: %s}\n".formatted(cluster.quorum(), others));
    yaml.append("nodes:\n");
    servers.forEach(server -> yaml.append(server.line()));
    return yaml.toString();
  }

  /** Has the inventory for studies name the processes that run now: who wakes has others. */
  public static void note(LocalHBase cluster) {
    KeptCluster.noteAgain(cluster.folder(), inventory(cluster));
  }

  /**
   * A node of the cluster: what stands on one machine in a cluster of one's own.
   *
   * @param name its name
   * @param address where it listens
   * @param port port of its server
   * @param pid the server's process
   * @param log the server's log
   * @param companions processes beside it
   */
  record Server(String name, String address, int port, long pid, Path log, List<Long> companions) {
    private static Server of(LocalHBaseNode node, List<Long> companions) {
      return new Server(
          node.name(), node.address(), node.port(), node.pid(), node.logFile(), companions);
    }

    private String line() {
      String beside = companions.isEmpty() ? "" : ", companions: " + companions;
      return "  - {name: %s, address: %s, port: %d, pid: %d%s}\n"
          .formatted(name, address, port, pid, beside);
    }
  }

  /**
   * The RegionServers with their DataNodes, then the master with ZooKeeper and the NameNode, then
   * DataNodes without a RegionServer.
   */
  static List<Server> servers(LocalHBase cluster) {
    List<Server> servers = new ArrayList<>();
    List<LocalHdfsNode> dataNodes = cluster.hdfs().nodes();
    List<LocalHBaseNode> nodes = cluster.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      servers.add(
          Server.of(
              nodes.get(i), i < dataNodes.size() ? List.of(dataNodes.get(i).pid()) : List.of()));
    }
    List<Long> others = new ArrayList<>();
    others.add(cluster.server(LocalHBase.ZOOKEEPER).pid());
    cluster.hdfs().nameNodeProcess().map(ProcessIdentity::pid).ifPresent(others::add);
    servers.add(Server.of(cluster.server(LocalHBase.MASTER), others));
    for (int i = nodes.size(); i < dataNodes.size(); i++) {
      LocalHdfsNode extra = dataNodes.get(i);
      servers.add(
          new Server(
              "d" + extra.index(),
              extra.address(),
              extra.transferPort(),
              extra.pid(),
              extra.logFile(),
              List.of()));
    }
    return servers;
  }
}
