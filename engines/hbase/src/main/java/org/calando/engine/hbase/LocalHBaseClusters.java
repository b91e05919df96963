package org.calando.engine.hbase;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.engine.YamlText;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.ProcessIdentity;

/** Local HBases that outlive the command that starts them, as studies use them. Stateless. */
public final class LocalHBaseClusters {
  private LocalHBaseClusters() {}

  /**
   * The cluster as an inventory file for studies: node i is RegionServer i with DataNode i, {@code
   * master} what runs once, and a DataNode without a RegionServer a node of its own.
   */
  public static String inventory(LocalHBase cluster) {
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

  /**
   * What a study's file says to use the cluster.
   *
   * @param inventory where the inventory has been written
   */
  public static String store(Path inventory) {
    return "store:\n  engine: hbase\n  inventory: " + YamlText.quote(inventory) + "\n";
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
