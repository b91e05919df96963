package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ConfigJson;
import org.calando.local.EngineLibs;
import org.calando.local.LocalCluster;
import org.calando.local.process.JavaCommand;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;

/**
 * A real HDFS on the loopback interface: a NameNode and 1 to 9 DataNodes, a process and a storage
 * folder each. What is written survives the end of any process, until the cluster is closed. A
 * temporary one leaves nothing behind but what is in a data folder of the user's.
 */
public final class LocalHdfs extends LocalCluster<LocalHdfsConfig> {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "hdfs";

  /** The NameNode's name. */
  public static final String NAME_NODE = HdfsFiles.NAME_NODE;

  private static final Engine KIND = new Engine(ENGINE, Duration.ofSeconds(10), "hdfs.log");
  private static final String FORMAT = "format";
  private static final String NAME_NODE_MAIN = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE_MAIN = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  private final HdfsFiles files;
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

  private LocalHdfs(RunFolder folder) {
    super(
        ConfigJson.read(folder.cluster(), folder.stateFolder(), LocalHdfsConfig.builder()).build(),
        KIND,
        folder);
    this.files = new HdfsFiles(config(), ConfigJson.ports(folder.cluster()), folder.path());
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
    return start(
        config, KIND, ConfigJson.write(config, HdfsPreflight.ports(config)), LocalHdfs::new);
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalHdfs attach(Path stateFolder) {
    return attach(stateFolder, KIND, LocalHdfs::new);
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
    return files.log(NAME_NODE);
  }

  /** The NameNode's process last started, if any. */
  public Optional<ProcessIdentity> nameNodeProcess() {
    return processes().recorded(NAME_NODE);
  }

  /** The DataNodes as they are now, n1 first. */
  public List<LocalHdfsNode> nodes() {
    return IntStream.rangeClosed(1, config().nodes()).mapToObj(this::node).toList();
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
    return isUp(NAME_NODE);
  }

  /** Whether the NameNode's process runs. */
  public boolean isNameNodeRunning() {
    return isRunning(NAME_NODE);
  }

  /**
   * Whether a server runs and serves: the NameNode out of safe mode, a DataNode live to the
   * NameNode, and when it has told one all that it holds since it was started.
   */
  @Override
  public boolean isUp(String server) {
    if (!isRunning(server)) {
      return false;
    }
    if (server.equals(NAME_NODE)) {
      return probe.isOutOfSafeMode(files.nameNodeHttpPort());
    }
    int node = number(server);
    return probe.hasReported(files.httpPort(node))
        && probe.live(files.nameNodeHttpPort(), node(node).transferAddress()).isPresent();
  }

  /** Processes that serve in place of servers of the cluster, and were not started by it. */
  public List<ProcessGroup.Stranger> strangers() {
    return strangers(
        server -> server.equals(NAME_NODE) ? files.nameNodePort() : files.transferPort(server));
  }

  /**
   * Waits until the NameNode is out of safe mode, and knows all DataNodes that run for live and
   * what they hold.
   *
   * @throws FailedWorkException if it does not happen in time, or the NameNode does not run
   */
  public void awaitUp() {
    List<String> running = nodeNames().stream().filter(this::isRunning).toList();
    await(
        Stream.concat(Stream.of(NAME_NODE), running.stream()).toList(),
        () ->
            isNameNodeUp()
                && running.stream().allMatch(this::isUp)
                && probe.reports(files.nameNodeHttpPort()) >= running.size());
  }

  @Override
  public void shutdown() {
    super.shutdown();
    if (config().dataFolder().isPresent()) {
      IntStream.rangeClosed(1, config().nodes())
          .forEach(node -> RunFolder.removeTree(files.dataFolder(node)));
    }
  }

  @Override
  public List<String> servers() {
    return Stream.concat(Stream.of(NAME_NODE), nodeNames().stream()).toList();
  }

  @Override
  protected void startServers() {
    format();
    servers().forEach(this::startServer);
    awaitUp();
  }

  /** Makes an empty namespace, once, and returns when it is there. */
  private void format() {
    SupervisedProcess process =
        launch(
            FORMAT,
            NAME_NODE,
            true,
            () -> {
              files.writeHosts();
              return command(NAME_NODE, "-format", "-clusterid", "calando", "-nonInteractive");
            });
    boolean ended = SupervisedProcess.poll(() -> !process.isAlive(), config().startTimeout());
    if (!ended || !Files.exists(files.nameFolder().resolve("current/VERSION"))) {
      throw process.failure(ended ? "made no namespace" : "takes too long");
    }
  }

  @Override
  protected void startServer(String server) {
    var unused = launch(server, server, true, () -> command(server));
  }

  private List<String> command(String server, String... arguments) throws IOException {
    files.write(server);
    boolean nameNode = server.equals(NAME_NODE);
    int heap = nameNode ? config().nameNodeHeapMebibytes() : config().dataNodeHeapMebibytes();
    Stream<Path> own = nameNode ? config().nameNodeJars().stream() : Stream.empty();
    // The servers' jars first, for their archive; none has a configuration of its own.
    Stream<Path> jars = Stream.concat(HdfsPreflight.jars().stream(), own);
    return new JavaCommand(files.folder(server), heap)
        .quick()
        .with("-Xss256k", "-Djava.net.preferIPv4Stack=true")
        .archived(EngineLibs.find().archive(ENGINE))
        .running(
            Stream.concat(jars, Stream.of(files.configuration(server))),
            isTethered(),
            nameNode ? NAME_NODE_MAIN : DATA_NODE_MAIN,
            arguments);
  }

  private LocalHdfsNode node(int index) {
    String name = name(index);
    ProcessIdentity process = process(name);
    return new LocalHdfsNode(
        index,
        name,
        LocalHdfsConfig.ADDRESS,
        files.transferPort(index),
        files.dataFolder(index),
        process.pid(),
        process.startTicks(),
        files.log(name));
  }
}
