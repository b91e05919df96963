package org.calando.engine.hdfs;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.GearFiles;
import org.calando.gears.LocalGears;
import org.calando.kept.ClusterStatus;
import org.calando.kept.ClusterStatus.Server;
import org.calando.kept.KeptCluster;
import org.calando.kept.LocalEngine;
import org.calando.local.LocalCluster;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.ProcessGroup.Stranger;
import org.calando.local.process.ProcessIdentity;

/** Local HDFSs that outlive the command that starts them. Stateless and thread safe. */
final class LocalHdfsClusters implements LocalEngine {
  /** The file that says how the cluster is reached. */
  private static final String REACHED = HdfsEngine.ID + ".yaml";

  @Override
  public String settings() {
    return "nodes, port, data-dir, dead-after, name-node-jar, gears=3,7 with gear-layout=rabbit or"
        + " paraid, or HDFS's own, such as dfs.blocksize=4194304";
  }

  @Override
  public Plan plan(List<String> settings) {
    LocalHdfsSettings read = LocalHdfsSettings.read(settings);
    return new Plan(HdfsEngine.ID, folder -> new Kept(leave(read, folder), folder));
  }

  private static LocalHdfs leave(LocalHdfsSettings read, Path folder) {
    LocalHdfsConfig.Builder builder = read.builder().stateFolder(folder);
    LocalHdfsConfig config =
        read.gears().isPresent() ? LocalGears.prepare(builder, folder).build() : builder.build();
    return LocalCluster.leave(
        () -> LocalHdfs.start(config),
        cluster -> read.gears().ifPresent(spec -> LocalGears.install(cluster, folder, spec)));
  }

  @Override
  public KeptCluster attach(Path folder) {
    return new Kept(LocalHdfs.attach(folder), folder);
  }

  private record Kept(LocalHdfs cluster, Path folder) implements KeptCluster {
    @Override
    public ClusterStatus status() {
      List<LocalHdfs.NodeStatus> nodes = cluster.status();
      boolean nameNodeUp = cluster.isNameNodeUp();
      Gear gear = Gear.of(folder, nodes.size());
      List<Stranger> strangers = cluster.strangers();
      ClusterStatus status = new ClusterStatus(HdfsEngine.ID, "node ", "service        ");
      status.put("inventory", folder.resolve(INVENTORY));
      status.put("uri", cluster.uri()).put("http", cluster.nameNodeHttp());
      status.put("hosts_file", cluster.hostsFile());
      addNameNode(status, nameNodeUp);
      List<LocalHdfs.NodeStatus> missing =
          nodes.stream().filter(node -> !node.up() && !gear.isOff(node, strangers)).toList();
      for (LocalHdfs.NodeStatus node : nodes) {
        add(status, node, gear, strangers);
      }
      status
          .strangers(
              strangers.stream().map(Stranger::server).toList(),
              strangers(),
              END_BY_HAND
                  + (gear.isGeared() ? "; ./calando gear up --local then starts the node" : ""))
          .line("Inventory: " + folder.resolve(INVENTORY))
          .file("Reached by", folder.resolve(REACHED), reached())
          .up(nameNodeUp && missing.isEmpty());
      return nameNodeUp
          ? status.lacking(
              missing.stream()
                  .map(node -> node.node().name())
                  .filter(name -> !has(strangers, name))
                  .toList(),
              gear.isGeared()
                  ? "./calando gear up --local --to " + gear.number() + " starts what is down"
                  : status.again())
          : status.lacking(List.of("the NameNode"), status.again());
    }

    private void addNameNode(ClusterStatus status, boolean up) {
      boolean running = cluster.isNameNodeRunning();
      long pid = cluster.nameNodeProcess().map(ProcessIdentity::pid).orElse(0L);
      String state = Server.state(running, up);
      status.json().putObject("name_node").put("pid", pid).put("state", state);
      status.line(
          String.format(
              Locale.ROOT,
              "%-5s %-21s %-15s %-8s %s",
              "name",
              cluster.uri().substring("hdfs://".length()),
              "-",
              running && pid != 0 ? Long.toString(pid) : "-",
              state));
    }

    private static void add(
        ClusterStatus status, LocalHdfs.NodeStatus each, Gear gear, List<Stranger> strangers) {
      LocalHdfsNode node = each.node();
      String state =
          has(strangers, node.name())
              ? "foreign"
              : gear.isOff(each, strangers)
                  ? "off (gear " + gear.number() + ")"
                  : Server.state(each.running(), each.up());
      status.node(
          new Server(
              node.name(),
              node.address(),
              node.transferPort(),
              node.pid(),
              each.running(),
              state,
              each.started()),
          each.adminState().isEmpty() ? "-" : each.adminState().toLowerCase(Locale.ROOT),
          json -> json.put("admin_state", each.adminState()).put("blocks", each.blocks()));
    }

    private static boolean has(List<Stranger> strangers, String server) {
      return strangers.stream().anyMatch(stranger -> stranger.server().equals(server));
    }

    /** The DataNodes as an inventory file; without their processes, which shifts replace. */
    private String inventory() {
      StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\nnodes:\n");
      for (LocalHdfsNode node : cluster.nodes()) {
        yaml.append(
            "  - {name: %s, address: %s, port: %d}\n"
                .formatted(node.name(), node.address(), node.transferPort()));
      }
      return yaml.toString();
    }

    private String reached() {
      return "uri: %s\nhttp: %s\nhosts-file: \"%s\"\n"
          .formatted(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile());
    }

    @Override
    public Map<String, String> files() {
      return Map.of(INVENTORY, inventory(), REACHED, reached());
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
   * The gear that a cluster is in.
   *
   * @param number 0 if it has none
   * @param on how many nodes, the first ones, are to be on in it
   */
  private record Gear(int number, int on) {
    static Gear of(Path folder, int nodes) {
      if (!LocalGears.isGeared(folder)) {
        return new Gear(0, nodes);
      }
      GearFile file = GearFiles.read(LocalGears.file(folder));
      return new Gear(file.gear(), file.layout().groups().nodesIn(file.gear()));
    }

    boolean isGeared() {
      return number != 0;
    }

    /** Whether a node is off because the gear wants it so. */
    boolean isOff(LocalHdfs.NodeStatus node, List<Stranger> strangers) {
      return !node.running()
          && node.node().index() > on
          && !Kept.has(strangers, node.node().name());
    }
  }
}
