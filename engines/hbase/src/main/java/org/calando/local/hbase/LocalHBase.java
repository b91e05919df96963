package org.calando.local.hbase;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ConfigJson;
import org.calando.local.LocalCluster;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;

/**
 * A real HBase on the loopback interface: ZooKeeper, a master and 1 to 3 RegionServers, on a real
 * HDFS of its own; a process each. A write that is acknowledged is in the logs of as many DataNodes
 * as there are, at most 3, and survives the end of any process, until the cluster is closed.
 *
 * <p>Servers go by their names: {@value #ZOOKEEPER}, {@value #MASTER}, and n1 to nN, the
 * RegionServers.
 */
public final class LocalHBase extends LocalCluster<LocalHBaseConfig> {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "hbase";

  /** ZooKeeper's name. */
  public static final String ZOOKEEPER = HBaseFiles.ZOOKEEPER;

  /** The master's name. */
  public static final String MASTER = HBaseFiles.MASTER;

  /** Where the HDFS below keeps its state, in a state folder. */
  static final String HDFS = "hdfs";

  /** A RegionServer flushes and hands over its regions first. */
  private static final Engine KIND = new Engine(ENGINE, Duration.ofSeconds(30), "hbase.log");

  private final HBaseFiles files;
  private final LocalHdfs hdfs;
  private final HBaseProbe probe = new HBaseProbe();
  private final HBaseRevival revival;

  /**
   * How a server is.
   *
   * @param node the server
   * @param running its process runs
   * @param up it runs and serves: a RegionServer in the eyes of the master
   * @param started when its process started; empty if it does not run
   */
  public record NodeStatus(
      LocalHBaseNode node, boolean running, boolean up, Optional<Instant> started) {}

  private LocalHBase(RunFolder folder, LocalHdfs hdfs) {
    super(
        ConfigJson.read(folder.cluster(), folder.stateFolder(), LocalHBaseConfig.builder()).build(),
        KIND,
        folder);
    this.files = new HBaseFiles(ConfigJson.ports(folder.cluster()), folder.path());
    this.hdfs = hdfs;
    this.revival = new HBaseRevival(this, processes());
  }

  /**
   * Refuses a cluster that could not start on this machine now; changes nothing.
   *
   * @throws BadRequestException if server jars, Java, memory or ports are missing
   */
  public static void check(LocalHBaseConfig config) {
    HBasePreflight.check(config);
  }

  /**
   * Starts an empty cluster and waits until the master has begun its work and holds all
   * RegionServers for live. It dies with this process, also with a state folder, until {@link
   * #keep}.
   *
   * @throws BadRequestException if server jars, Java, memory or ports are missing: nothing has been
   *     started then
   * @throws FailedWorkException if a server does not come up: everything has been removed again
   *     then
   */
  public static LocalHBase start(LocalHBaseConfig config) {
    HBasePreflight.requireUnused(config);
    HBasePreflight.check(config);
    return start(
        config,
        KIND,
        ConfigJson.write(config, HBasePreflight.ports(config)),
        folder -> new LocalHBase(folder, LocalHdfs.start(HBasePreflight.hdfs(config).build())));
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalHBase attach(Path stateFolder) {
    return attach(
        stateFolder,
        KIND,
        folder -> new LocalHBase(folder, LocalHdfs.attach(folder.path().resolve(HDFS))));
  }

  @Override
  public void keep() {
    hdfs.keep();
    super.keep();
  }

  /** The file system below, whose DataNodes may be stopped and started. */
  public LocalHdfs hdfs() {
    return hdfs;
  }

  /** Where clients find it, {@code 127.0.0.1:PORT} of ZooKeeper. */
  public String quorum() {
    return LocalHBaseConfig.ADDRESS + ":" + files.zookeeperPort();
  }

  /** The RegionServers as they are now, n1 first. */
  public List<LocalHBaseNode> nodes() {
    return nodeNames().stream().map(this::server).toList();
  }

  /** A server as it is now. */
  public LocalHBaseNode server(String name) {
    ProcessIdentity process = process(known(name));
    return new LocalHBaseNode(
        name,
        LocalHBaseConfig.ADDRESS,
        files.port(name),
        process.pid(),
        process.startTicks(),
        files.log(name));
  }

  /** The state of ZooKeeper, the master and each RegionServer. */
  public List<NodeStatus> status() {
    Set<Integer> live = probe.liveNodes(files.masterPagePort());
    List<NodeStatus> all = new ArrayList<>();
    for (String name : servers()) {
      LocalHBaseNode node = server(name);
      boolean running = isRunning(name);
      boolean up = running && serves(name, () -> live);
      Optional<Instant> started = new ProcessIdentity(node.pid(), node.startTicks()).started();
      all.add(new NodeStatus(node, running, up, started));
    }
    return all;
  }

  /** Whether a server runs and serves: a RegionServer in the eyes of the master. */
  @Override
  public boolean isUp(String server) {
    return isRunning(server) && serves(server, () -> probe.liveNodes(files.masterPagePort()));
  }

  private boolean serves(String server, Supplier<Set<Integer>> live) {
    return switch (server) {
      case ZOOKEEPER -> probe.listens(files.zookeeperPort());
      case MASTER -> probe.isMasterUp(files.masterPagePort());
      default -> live.get().contains(files.port(server));
    };
  }

  /**
   * Processes that serve in place of servers of the cluster or of the HDFS below, and were not
   * started by it.
   */
  public List<ProcessGroup.Stranger> strangers() {
    List<ProcessGroup.Stranger> strangers = new ArrayList<>(hdfs.strangers());
    strangers.addAll(strangers(files::port));
    return strangers;
  }

  @Override
  public void onUnexpectedExit(Consumer<ProcessGroup.Exit> listener) {
    super.onUnexpectedExit(listener);
    hdfs.onUnexpectedExit(
        exit -> listener.accept(new ProcessGroup.Exit("hdfs " + exit.name(), exit.exitCode())));
  }

  /**
   * The servers that do not run, in words, without which HBase cannot be asked: ZooKeeper, the
   * master, the NameNode, or any DataNode. Empty if it can.
   */
  public List<String> lacking() {
    return revival.lacking();
  }

  /**
   * Starts all servers that do not run, DataNodes too, with what they stored, and waits until all
   * serve.
   *
   * @param asleep names of nodes, n1 to nN, whose RegionServer and DataNode are left as they are;
   *     not all
   * @throws FailedWorkException if one does not come up: those that do stay
   */
  public void revive(Set<String> asleep) {
    revival.revive(asleep);
  }

  /**
   * Waits until all servers that run are up.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitUp() {
    List<String> running = servers().stream().filter(this::isRunning).toList();
    await(running, () -> running.stream().allMatch(this::isUp));
  }

  @Override
  public void shutdown() {
    try {
      hdfs.shutdown();
    } finally {
      super.shutdown();
    }
  }

  @Override
  public List<String> servers() {
    return Stream.concat(Stream.of(ZOOKEEPER, MASTER), nodeNames().stream()).toList();
  }

  @Override
  protected void startServers() {
    startServer(ZOOKEEPER);
    await(List.of(ZOOKEEPER), () -> isUp(ZOOKEEPER));
    startServer(MASTER);
    nodeNames().forEach(this::startServer);
    awaitUp();
  }

  @Override
  protected void startServer(String server) {
    var unused =
        launch(
            server,
            server,
            true,
            () -> {
              if (server.equals(ZOOKEEPER)) {
                files.writeZookeeper();
              } else {
                files.write(server, HBaseSettings.of(config(), files, hdfs, server, awaited()));
              }
              return HBaseCommand.of(config(), files, server);
            });
  }

  /** All at first; those that run where a master begins again, as others may be off on purpose. */
  private int awaited() {
    int running = (int) nodeNames().stream().filter(this::isRunning).count();
    return running == 0 ? config().nodes() : running;
  }
}
