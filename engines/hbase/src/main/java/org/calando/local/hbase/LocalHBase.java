package org.calando.local.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ServersJson;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.Ports;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;

/**
 * A real HBase on the loopback interface: ZooKeeper, a master and 1 to 3 RegionServers, on a real
 * HDFS of its own; a process each. A write that is acknowledged is in the logs of as many DataNodes
 * as there are, at most 3, and survives the end of any process, until the cluster is closed. Thread
 * safe; {@link #close} may be called while another method waits, which then fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind. So does one with a state folder until {@link #keep} is called; from then on it runs on,
 * and {@link #attach} finds it again.
 *
 * <p>Servers go by their names: {@value #ZOOKEEPER}, {@value #MASTER}, and n1 to nN, the
 * RegionServers.
 */
public final class LocalHBase implements AutoCloseable {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "hbase";

  /** ZooKeeper's name. */
  public static final String ZOOKEEPER = HBaseFiles.ZOOKEEPER;

  /** The master's name. */
  public static final String MASTER = HBaseFiles.MASTER;

  /** Where the HDFS below keeps its state, in a state folder. */
  static final String HDFS = "hdfs";

  /** A RegionServer flushes and hands over its regions first. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(30);

  private final LocalHBaseConfig config;
  private final HBaseFiles files;
  private final LocalHdfs hdfs;
  private final HBaseServers servers;
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

  private LocalHBase(
      LocalHBaseConfig config, List<Integer> ports, RunFolder folder, LocalHdfs hdfs) {
    this.config = config;
    this.files = new HBaseFiles(ports, folder.path());
    this.hdfs = hdfs;
    this.servers = new HBaseServers(config, files, hdfs, new ProcessGroup(folder));
    this.revival = new HBaseRevival(this, servers.group());
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
    List<Integer> ports = HBasePreflight.ports(config);
    RunFolder folder = RunFolder.of(config.stateFolder(), ENGINE, HBaseJson.write(config, ports));
    LocalHdfs hdfs;
    try {
      hdfs = LocalHdfs.start(HBasePreflight.hdfs(config).build());
    } catch (RuntimeException | Error e) {
      folder.remove();
      throw e;
    }
    LocalHBase cluster = new LocalHBase(config, ports, folder, hdfs);
    cluster.servers.group().guardAgainstCrash();
    try {
      cluster.startProcesses();
    } catch (RuntimeException | Error e) {
      cluster.shutdown();
      throw e;
    }
    return cluster;
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalHBase attach(Path stateFolder) {
    try {
      RunFolder folder = RunFolder.open(stateFolder);
      JsonNode cluster = folder.state().cluster();
      LocalHBaseConfig config = HBaseJson.read(cluster, folder.path());
      LocalHdfs hdfs = LocalHdfs.attach(folder.path().resolve(HDFS));
      return new LocalHBase(config, ServersJson.ports(cluster), folder, hdfs);
    } catch (IOException e) {
      throw RunFolder.missing(stateFolder, ENGINE);
    }
  }

  /**
   * Lets a cluster with a state folder outlive this process. Idempotent.
   *
   * @throws IllegalStateException if it is a temporary one
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  public void keep() {
    if (config.stateFolder().isEmpty()) {
      throw new IllegalStateException("a temporary cluster cannot be kept");
    }
    hdfs.keep();
    servers.group().keep();
  }

  /** What the cluster looks like. */
  public LocalHBaseConfig config() {
    return config;
  }

  /** The run or state folder. */
  public Path folder() {
    return servers.group().folder();
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
    ProcessIdentity process =
        servers.group().recorded(known(name)).orElse(new ProcessIdentity(0, 0));
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
    for (String name : names()) {
      LocalHBaseNode node = server(name);
      boolean running = isRunning(name);
      boolean up =
          running
              && switch (name) {
                case ZOOKEEPER -> probe.listens(node.port());
                case MASTER -> probe.isMasterUp(files.masterPagePort());
                default -> live.contains(node.port());
              };
      Optional<Instant> started = new ProcessIdentity(node.pid(), node.startTicks()).started();
      all.add(new NodeStatus(node, running, up, started));
    }
    return all;
  }

  /** Whether the process of a server runs. */
  public boolean isRunning(String name) {
    return servers.group().isRunning(known(name));
  }

  /** Whether a server runs and serves: a RegionServer in the eyes of the master. */
  public boolean isUp(String name) {
    return isRunning(name)
        && switch (name) {
          case ZOOKEEPER -> probe.listens(files.zookeeperPort());
          case MASTER -> probe.isMasterUp(files.masterPagePort());
          default -> probe.liveNodes(files.masterPagePort()).contains(files.port(name));
        };
  }

  /**
   * Processes that serve in place of servers of the cluster or of the HDFS below, and were not
   * started by it.
   */
  public List<ProcessGroup.Stranger> strangers() {
    List<ProcessGroup.Stranger> strangers = new ArrayList<>(hdfs.strangers());
    strangers.addAll(
        servers
            .group()
            .strangers(
                names().stream()
                    .map(
                        name ->
                            new Ports.Endpoint(LocalHBaseConfig.ADDRESS, files.port(name), name))
                    .toList()));
    return strangers;
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessGroup.Exit> listener) {
    servers.group().onUnexpectedExit(listener);
    hdfs.onUnexpectedExit(
        exit -> listener.accept(new ProcessGroup.Exit("hdfs " + exit.name(), exit.exitCode())));
  }

  /**
   * Starts a stopped or killed server and returns at once; {@link #isUp} tells when it serves.
   *
   * @throws BadRequestException if it is running
   */
  public void launch(String name) {
    servers.group().requireStopped(known(name));
    servers.start(name);
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
   * Stops a server by SIGTERM, after 30 s by SIGKILL, and returns when it is gone. A RegionServer
   * hands its regions over first.
   */
  public void stop(String name) {
    servers.group().end(known(name), STOP_GRACE);
  }

  /** Kills a server by SIGKILL and returns when it is gone. */
  public void kill(String name) {
    servers.group().end(known(name), Duration.ZERO);
  }

  /**
   * Waits until all servers that run are up.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitUp() {
    List<String> running = names().stream().filter(this::isRunning).toList();
    await(running, () -> running.stream().allMatch(this::isUp));
  }

  /** Ends a cluster at once and removes its folder, unless it is kept: that runs on. Idempotent. */
  @Override
  public void close() {
    if (config.stateFolder().isEmpty() || servers.group().isGuarded()) {
      shutdown();
    }
  }

  /** Ends every process of the cluster and removes its folder, also of one that was kept. */
  public void shutdown() {
    try {
      hdfs.shutdown();
    } finally {
      servers.group().discard();
    }
  }

  private void startProcesses() {
    servers.start(ZOOKEEPER);
    await(List.of(ZOOKEEPER), () -> isUp(ZOOKEEPER));
    servers.start(MASTER);
    nodeNames().forEach(servers::start);
    awaitUp();
  }

  private void await(List<String> names, BooleanSupplier check) {
    servers.group().await(names, check, config.startTimeout(), "hbase.log");
  }

  private List<String> nodeNames() {
    return IntStream.rangeClosed(1, config.nodes()).mapToObj(node -> "n" + node).toList();
  }

  private List<String> names() {
    return Stream.concat(Stream.of(ZOOKEEPER, MASTER), nodeNames().stream()).toList();
  }

  private String known(String name) {
    if (!names().contains(name)) {
      throw new BadRequestException(
          "there is no server " + name, "", "name one of " + String.join(", ", names()));
    }
    return name;
  }
}
