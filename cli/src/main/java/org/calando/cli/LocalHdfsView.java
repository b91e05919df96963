package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.GearFiles;
import org.calando.gears.LocalGears;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.Leftovers;
import org.calando.local.process.ProcessIdentity;
import org.calando.study.Progress;

/**
 * What a local HDFS that runs on is shown as.
 *
 * @param cluster the cluster
 * @param nameNodeUp whether it serves
 * @param nodes its DataNodes as they were
 * @param folder where its state is
 * @param gear the gear that it is in; 0 if it has none
 * @param on how many nodes, the first ones, are to be on in it
 * @param strangers processes that serve and that Calando did not start
 */
record LocalHdfsView(
    LocalHdfs cluster,
    boolean nameNodeUp,
    List<LocalHdfs.NodeStatus> nodes,
    Path folder,
    int gear,
    int on,
    LocalStrangers strangers)
    implements LocalCommand.View {
  /** The file that tells how the cluster is reached. */
  static final String FILE = "hdfs.yaml";

  /** The file that lists its nodes. */
  static final String INVENTORY = "inventory.yaml";

  static LocalHdfsView of(LocalHdfs cluster, Path folder) {
    List<LocalHdfs.NodeStatus> nodes = cluster.status();
    int gear = 0;
    int on = nodes.size();
    if (LocalGears.isGeared(folder)) {
      GearFile file = GearFiles.read(LocalGears.file(folder));
      gear = file.gear();
      on = file.layout().groups().nodesIn(gear);
    }
    return new LocalHdfsView(
        cluster, cluster.isNameNodeUp(), nodes, folder, gear, on, LocalStrangers.of(cluster));
  }

  /** Starts a cluster that stays until it is stopped. */
  static LocalHdfs startAndLeave(List<String> settings, Path stateFolder) {
    LocalHdfsSettings read = LocalHdfsSettings.read(settings);
    LocalHdfsConfig.Builder builder = read.builder().stateFolder(stateFolder);
    LocalHdfsConfig config =
        read.gears().isPresent()
            ? LocalGears.prepare(builder, stateFolder).build()
            : builder.build();
    Leftovers.sweep();
    LocalHdfs cluster = LocalHdfs.start(config);
    try {
      read.gears().ifPresent(spec -> LocalGears.install(cluster, stateFolder, spec));
      cluster.keep();
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** Whether a file is the inventory that {@code local start} wrote. */
  static boolean isInventory(Path file) {
    try {
      return Files.isSameFile(file, StateFolder.local(LocalHdfs.ENGINE).resolve(INVENTORY));
    } catch (IOException e) {
      // One of both is not there.
      return false;
    }
  }

  /** The DataNodes as an inventory file; without their processes, which shifts replace. */
  String inventory() {
    StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\nnodes:\n");
    for (LocalHdfs.NodeStatus status : nodes) {
      LocalHdfsNode node = status.node();
      yaml.append(
          "  - {name: %s, address: %s, port: %d}\n"
              .formatted(node.name(), node.address(), node.transferPort()));
    }
    return yaml.toString();
  }

  /** How the cluster is reached. */
  String reached() {
    return "uri: %s\nhttp: %s\nhosts-file: \"%s\"\n"
        .formatted(cluster.uri(), cluster.nameNodeHttp(), cluster.hostsFile());
  }

  @Override
  public String engine() {
    return LocalHdfs.ENGINE;
  }

  @Override
  public boolean up() {
    return nameNodeUp && nodes.stream().allMatch(node -> node.up() || isOff(node));
  }

  @Override
  public Optional<String> lacking() {
    if (!nameNodeUp) {
      return LocalCommand.lacking(List.of("the NameNode"), LocalCommand.again(engine()));
    }
    List<String> down =
        nodes.stream()
            .filter(node -> !node.up() && !isOff(node))
            .map(node -> node.node().name())
            .filter(name -> !strangers.has(name))
            .toList();
    return LocalCommand.lacking(
        down,
        gear == 0
            ? LocalCommand.again(engine())
            : "./calando gear up --local --to " + gear + " starts what is down");
  }

  /** Whether a node is off because the gear wants it so. */
  private boolean isOff(LocalHdfs.NodeStatus node) {
    return !node.running() && node.node().index() > on && !strangers.has(node.node().name());
  }

  private String state(LocalHdfs.NodeStatus node) {
    if (strangers.has(node.node().name())) {
      return "foreign";
    }
    return isOff(node) ? "off (gear " + gear + ")" : state(node.running(), node.up());
  }

  @Override
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("engine", LocalHdfs.ENGINE);
    answer.put("inventory", folder.resolve(INVENTORY).toString());
    answer.put("uri", cluster.uri());
    answer.put("http", cluster.nameNodeHttp());
    answer.put("hosts_file", cluster.hostsFile().toString());
    ObjectNode master = answer.putObject("name_node");
    master.put("pid", cluster.nameNodeProcess().map(ProcessIdentity::pid).orElse(0L));
    master.put("state", state(cluster.isNameNodeRunning(), nameNodeUp));
    for (LocalHdfs.NodeStatus status : nodes) {
      ObjectNode each = answer.withArray("nodes").addObject();
      each.put("node", status.node().name());
      each.put("address", status.node().address());
      each.put("port", status.node().transferPort());
      each.put("admin_state", status.adminState());
      each.put("blocks", status.blocks());
      each.put("pid", status.node().pid());
      each.put("state", state(status));
    }
    strangers.put(answer);
    return answer;
  }

  @Override
  public void print() {
    System.out.println("node  address:port          service         pid      state    uptime");
    System.out.printf(
        Locale.ROOT,
        "%-5s %-21s %-15s %-8s %s%n",
        "name",
        cluster.uri().substring("hdfs://".length()),
        "-",
        cluster.isNameNodeRunning()
            ? cluster.nameNodeProcess().map(process -> Long.toString(process.pid())).orElse("-")
            : "-",
        state(cluster.isNameNodeRunning(), nameNodeUp));
    nodes.forEach(this::print);
    strangers.print();
    System.out.println("Inventory: " + folder.resolve(INVENTORY));
    System.out.println("Reached by (" + folder.resolve(FILE) + "):");
    System.out.print(reached().indent(2));
  }

  private void print(LocalHdfs.NodeStatus status) {
    System.out.printf(
        Locale.ROOT,
        "%-5s %-21s %-15s %-8s %-8s %s%n",
        status.node().name(),
        status.node().transferAddress(),
        status.adminState().isEmpty() ? "-" : status.adminState().toLowerCase(Locale.ROOT),
        status.running() ? Long.toString(status.node().pid()) : "-",
        state(status),
        status
            .started()
            .map(at -> Progress.spoken(Duration.between(at, Instant.now())))
            .orElse("-"));
  }

  private static String state(boolean running, boolean up) {
    return up ? "up" : running ? "starting" : "down";
  }
}
