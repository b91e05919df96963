package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ServersJson;
import org.calando.local.process.Ports;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;

/**
 * A real HDFS on the loopback interface: a NameNode and 1 to 9 DataNodes, a process and a storage
 * folder each. What is written survives the end of any process, until the cluster is closed. Thread
 * safe; {@link #close} may be called while another method waits, which then fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind but what is in a data folder of the user's. So does one with a state folder until {@link
 * #keep} is called; from then on it runs on, and {@link #attach} finds it again.
 */
public final class LocalHdfs implements AutoCloseable {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "hdfs";

  private static final Duration STOP_GRACE = Duration.ofSeconds(10);

  private final LocalHdfsConfig config;
  private final HdfsFiles files;
  private final HdfsServers servers;
  private final HdfsProbe probe = new HdfsProbe();

  /**
   * How a DataNode is.
   *
   * @param node the node
   * @param running its process runs
   * @param up it runs, and the NameNode holds it for live
   * @param adminState {@code In Service}, {@code In Maintenance} and so on, in the NameNode's
   *     words; empty if it is not up
   * @param blocks how many the NameNode knows it to hold; 0 if it is not up
   * @param started when its process started; empty if it does not run
   */
  public record NodeStatus(
      LocalHdfsNode node,
      boolean running,
      boolean up,
      String adminState,
      long blocks,
      Optional<Instant> started) {}

  private LocalHdfs(LocalHdfsConfig config, List<Integer> ports, RunFolder folder) {
    this.config = config;
    this.files = new HdfsFiles(config, ports, folder.path());
    this.servers = new HdfsServers(config, files, new ProcessGroup(folder));
  }

  /**
   * Refuses a cluster that could not start on this machine now; changes nothing.
   *
   * @throws BadRequestException if server jars, Java, memory or ports are missing
   */
  public static void check(LocalHdfsConfig config) {
    HdfsPreflight.check(config);
  }

  /**
   * Starts an empty cluster and waits until the NameNode is out of safe mode and all DataNodes are
   * live. It dies with this process, also with a state folder, until {@link #keep}.
   *
   * @throws BadRequestException if server jars, Java, memory or ports are missing: nothing has been
   *     started then
   * @throws FailedWorkException if a server does not come up: everything has been removed again
   *     then
   */
  public static LocalHdfs start(LocalHdfsConfig config) {
    HdfsPreflight.requireUnused(config);
    HdfsPreflight.check(config);
    List<Integer> ports = HdfsPreflight.ports(config);
    RunFolder folder = RunFolder.of(config.stateFolder(), ENGINE, HdfsJson.write(config, ports));
    LocalHdfs cluster = new LocalHdfs(config, ports, folder);
    cluster.servers.group().guardAgainstCrash();
    try {
      cluster.startProcesses();
    } catch (RuntimeException | Error e) {
      cluster.servers.discard();
      throw e;
    }
    return cluster;
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalHdfs attach(Path stateFolder) {
    try {
      RunFolder folder = RunFolder.open(stateFolder);
      JsonNode cluster = folder.state().cluster();
      LocalHdfsConfig config = HdfsJson.read(cluster, folder.path());
      return new LocalHdfs(config, ServersJson.ports(cluster), folder);
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
    servers.group().keep();
  }

  /** What the cluster looks like. */
  public LocalHdfsConfig config() {
    return config;
  }

  /** The run or state folder. */
  public Path folder() {
    return servers.group().folder();
  }

  /** Where clients find it, {@code hdfs://127.0.0.1:PORT}. */
  public String uri() {
    return "hdfs://" + LocalHdfsConfig.ADDRESS + ":" + files.nameNodePort();
  }

  /** Where the NameNode shows its beans, {@code 127.0.0.1:PORT}. */
  public String nameNodeHttp() {
    return LocalHdfsConfig.ADDRESS + ":" + files.nameNodeHttpPort();
  }

  /** The JSON file that says which DataNodes are in maintenance; ours to change. */
  public Path hostsFile() {
    return files.hostsFile();
  }

  /** The NameNode's log. */
  public Path nameNodeLog() {
    return files.log(HdfsFiles.NAME_NODE);
  }

  /** The NameNode's process last started, if any. */
  public Optional<ProcessIdentity> nameNodeProcess() {
    return servers.group().recorded(HdfsFiles.NAME_NODE);
  }

  /** The DataNodes as they are now, n1 first. */
  public List<LocalHdfsNode> nodes() {
    return IntStream.rangeClosed(1, config.nodes()).mapToObj(this::node).toList();
  }

  /** The state of each DataNode, n1 first. */
  public List<NodeStatus> status() {
    List<NodeStatus> all = new ArrayList<>();
    for (LocalHdfsNode node : nodes()) {
      ProcessIdentity process = new ProcessIdentity(node.pid(), node.startTicks());
      boolean running = process.isAlive();
      Optional<JsonNode> live =
          running ? probe.live(files.nameNodeHttpPort(), node.transferAddress()) : Optional.empty();
      String state = live.map(said -> said.path("adminState").asText()).orElse("");
      long blocks = live.map(said -> said.path("numBlocks").asLong()).orElse(0L);
      all.add(new NodeStatus(node, running, live.isPresent(), state, blocks, process.started()));
    }
    return all;
  }

  /** Whether the NameNode answers and is out of safe mode. */
  public boolean isNameNodeUp() {
    return isNameNodeRunning() && probe.isOutOfSafeMode(files.nameNodeHttpPort());
  }

  /** Whether the NameNode's process runs. */
  public boolean isNameNodeRunning() {
    return servers.group().isRunning(HdfsFiles.NAME_NODE);
  }

  /** Whether the process of DataNode i (1 to N) runs. */
  public boolean isRunning(int node) {
    return servers.group().isRunning(name(node));
  }

  /**
   * Whether DataNode i (1 to N) runs, is live to the NameNode, and has told a NameNode all that it
   * holds since it was started.
   */
  public boolean isUp(int node) {
    return isRunning(node)
        && probe.hasReported(files.httpPort(node))
        && probe.live(files.nameNodeHttpPort(), node(node).transferAddress()).isPresent();
  }

  /** Processes that serve in place of servers of the cluster, and were not started by it. */
  public List<ProcessGroup.Stranger> strangers() {
    List<Ports.Endpoint> ports = new ArrayList<>();
    ports.add(
        new Ports.Endpoint(LocalHdfsConfig.ADDRESS, files.nameNodePort(), HdfsFiles.NAME_NODE));
    for (int i = 1; i <= config.nodes(); i++) {
      ports.add(new Ports.Endpoint(LocalHdfsConfig.ADDRESS, files.transferPort(i), name(i)));
    }
    return servers.group().strangers(ports);
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessGroup.Exit> listener) {
    servers.group().onUnexpectedExit(listener);
  }

  /**
   * Starts a stopped or killed DataNode i (1 to N) and returns at once; {@link #isUp} tells when it
   * serves.
   *
   * @throws BadRequestException if it is running
   */
  public void startNode(int node) {
    servers.group().requireStopped(name(node));
    servers.startDataNode(node);
  }

  /** Stops DataNode i (1 to N) by SIGTERM, after 10 s by SIGKILL, and returns when it is gone. */
  public void stopNode(int node) {
    servers.group().end(name(node), STOP_GRACE);
  }

  /** Kills DataNode i (1 to N) by SIGKILL and returns when it is gone. */
  public void killNode(int node) {
    servers.group().end(name(node), Duration.ZERO);
  }

  /**
   * Starts a stopped or killed NameNode and returns at once; {@link #awaitUp} waits for it.
   *
   * @throws BadRequestException if it is running
   */
  public void startNameNode() {
    servers.group().requireStopped(HdfsFiles.NAME_NODE);
    servers.startNameNode();
  }

  /** Kills the NameNode by SIGKILL and returns when it is gone. */
  public void killNameNode() {
    servers.group().end(HdfsFiles.NAME_NODE, Duration.ZERO);
  }

  /**
   * Waits until the NameNode is out of safe mode, and knows all DataNodes that run for live and
   * what they hold.
   *
   * @throws FailedWorkException if it does not happen in time, or the NameNode does not run
   */
  public void awaitUp() {
    List<Integer> running =
        IntStream.rangeClosed(1, config.nodes()).filter(this::isRunning).boxed().toList();
    await(
        Stream.concat(Stream.of(HdfsFiles.NAME_NODE), running.stream().map(this::name)).toList(),
        () ->
            isNameNodeUp()
                && running.stream().allMatch(this::isUp)
                && probe.reports(files.nameNodeHttpPort()) >= running.size());
  }

  /** Ends a cluster at once and removes its folder, unless it is kept: that runs on. Idempotent. */
  @Override
  public void close() {
    if (config.stateFolder().isEmpty() || servers.group().isGuarded()) {
      servers.discard();
    }
  }

  /** Ends every process of the cluster and removes its folder, also of one that was kept. */
  public void shutdown() {
    servers.discard();
  }

  private void startProcesses() {
    servers.format(config.startTimeout());
    servers.startNameNode();
    IntStream.rangeClosed(1, config.nodes()).forEach(servers::startDataNode);
    awaitUp();
  }

  private void await(List<String> names, BooleanSupplier check) {
    servers.group().await(names, check, config.startTimeout(), "hdfs.log");
  }

  private LocalHdfsNode node(int index) {
    String name = name(index);
    ProcessIdentity process = servers.group().recorded(name).orElse(new ProcessIdentity(0, 0));
    return new LocalHdfsNode(
        index,
        name,
        LocalHdfsConfig.ADDRESS,
        files.transferPort(index),
        files.ipcPort(index),
        files.httpPort(index),
        files.dataFolder(index),
        process.pid(),
        process.startTicks(),
        files.log(name));
  }

  private String name(int node) {
    if (node < 1 || node > config.nodes()) {
      throw new BadRequestException(
          "there is no node " + node, "", "give a number from 1 to " + config.nodes());
    }
    return "n" + node;
  }
}
