package org.calando.local.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ServersJson;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SecretFiles;
import org.calando.local.process.SupervisedProcess;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis or Valkey master with replicas, and Sentinels if asked for, or a Redis Cluster of
 * several masters, on the loopback interface, a process each. Nothing is kept on disk: a master
 * that is ended takes its data along unless a replica is promoted, and a server that starts again
 * starts empty. Thread safe; {@link #close} may be called while another method waits, which then
 * fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind. So does one with a state folder until {@link #keep} is called; from then on it runs on,
 * and {@link #attach} finds it again.
 */
public final class LocalRedis implements AutoCloseable {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "redis";

  private static final Duration STOP_GRACE = Duration.ofSeconds(5);

  private final LocalRedisConfig config;
  private final RedisFiles files;
  private final ProcessGroup processes;
  private @Nullable RedisProbe probe;

  /**
   * How a node is.
   *
   * @param node the node
   * @param running its process runs
   * @param up it answers
   * @param role {@code master}, {@code slave} or empty, in its own word
   * @param linkUp whether a replica has its copy and hears its master; true for a master
   * @param started when its process started; empty if it does not run
   */
  public record NodeStatus(
      LocalRedisNode node,
      boolean running,
      boolean up,
      String role,
      boolean linkUp,
      Optional<Instant> started) {}

  private LocalRedis(LocalRedisConfig config, List<Integer> ports, RunFolder folder) {
    this.config = config;
    this.files = new RedisFiles(config, ports, folder.path());
    this.processes = new ProcessGroup(folder);
  }

  /**
   * Refuses a cluster that could not start on this machine now; changes nothing.
   *
   * @throws BadRequestException if the server's program, memory or ports are missing
   */
  public static void check(LocalRedisConfig config) {
    RedisPreflight.check(config);
  }

  /**
   * Starts a cluster and waits until every replica has its copy, and every Sentinel knows all
   * others and all replicas. It dies with this process, also with a state folder, until {@link
   * #keep}.
   *
   * @throws BadRequestException if the server's program, memory or ports are missing: nothing has
   *     been started then
   * @throws FailedWorkException if a server does not come up: everything has been removed again
   *     then
   */
  public static LocalRedis start(LocalRedisConfig config) {
    config.stateFolder().ifPresent(RedisPreflight::requireUnused);
    RedisPreflight.check(config);
    List<Integer> ports = RedisPreflight.ports(config);
    RunFolder folder = RunFolder.of(config.stateFolder(), ENGINE, RedisJson.write(config, ports));
    LocalRedis cluster = new LocalRedis(config, ports, folder);
    cluster.processes.guardAgainstCrash();
    try {
      cluster.makePassword();
      if (config.tls()) {
        cluster.files.makeCertificates();
      }
      cluster.startProcesses();
    } catch (RuntimeException | Error e) {
      cluster.processes.discard();
      throw e;
    }
    return cluster;
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalRedis attach(Path stateFolder) {
    try {
      RunFolder folder = RunFolder.open(stateFolder);
      var cluster = folder.state().cluster();
      LocalRedisConfig config = RedisJson.read(cluster, folder.path());
      return new LocalRedis(config, ServersJson.ports(cluster), folder);
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
    processes.keep();
  }

  /** What the cluster looks like. */
  public LocalRedisConfig config() {
    return config;
  }

  /** The run or state folder. */
  public Path folder() {
    return processes.folder();
  }

  /** The nodes as they are now, n1 first. */
  public List<LocalRedisNode> nodes() {
    return IntStream.rangeClosed(1, config.nodes())
        .mapToObj(i -> server(i, "n" + i, files.nodePort(i)))
        .toList();
  }

  /** The Sentinels as they are now, s1 first. */
  public List<LocalRedisNode> sentinels() {
    return IntStream.rangeClosed(1, config.sentinels())
        .mapToObj(i -> server(i, "s" + i, files.sentinelPort(i)))
        .toList();
  }

  /** The state of each node, n1 first. */
  public List<NodeStatus> status() {
    List<NodeStatus> all = new ArrayList<>();
    for (LocalRedisNode node : nodes()) {
      ProcessIdentity process = new ProcessIdentity(node.pid(), node.startTicks());
      boolean running = process.isAlive();
      Map<String, String> info = running ? replication(node.port()).orElse(Map.of()) : Map.of();
      String role = info.getOrDefault("role", "");
      all.add(
          new NodeStatus(node, running, !role.isEmpty(), role, isLinked(info), process.started()));
    }
    return all;
  }

  /** A file with the password of all servers, mode 0600; empty if they ask for none. */
  public Optional<Path> passwordFile() {
    return config.auth() ? Optional.of(files.passwordFile()) : Optional.empty();
  }

  /** The certificate of the CA that signed those of all servers, in PEM; empty without TLS. */
  public Optional<Path> caFile() {
    return config.tls() ? Optional.of(files.caFile()) : Optional.empty();
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessGroup.Exit> listener) {
    processes.onUnexpectedExit(listener);
  }

  /** Stops node i (1 to N) by SIGTERM, after 5 s by SIGKILL, and returns when it is gone. */
  public void stop(int node) {
    processes.end(name(node), STOP_GRACE);
  }

  /** Kills node i (1 to N) by SIGKILL and returns when it is gone. */
  public void kill(int node) {
    processes.end(name(node), Duration.ZERO);
  }

  /**
   * Starts a stopped or killed node i (1 to N) and returns at once. It follows whom it followed
   * last; one that was the master comes up as an empty master, until a Sentinel tells it otherwise.
   *
   * @throws BadRequestException if it is running
   */
  public void launch(int node) {
    processes.requireStopped(name(node));
    startNode(node);
  }

  /** Whether node i (1 to N) answers, and has its copy if it is a replica. */
  public boolean isUp(int node) {
    return processes.isRunning(name(node))
        && replication(files.nodePort(node)).filter(LocalRedis::isLinked).isPresent();
  }

  /**
   * Waits until all nodes are up, replicas with their copies.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitAllUp() {
    List<Integer> all = IntStream.rangeClosed(1, config.nodes()).boxed().toList();
    await(all.stream().map(this::name).toList(), () -> all.stream().allMatch(this::isUp));
  }

  /** Ends a cluster at once and removes its folder, unless it is kept: that runs on. Idempotent. */
  @Override
  public void close() {
    if (config.stateFolder().isEmpty() || processes.isGuarded()) {
      processes.discard();
    }
  }

  /** Ends every process of the cluster and removes its folder, also of one that was kept. */
  public void shutdown() {
    processes.discard();
  }

  private void makePassword() {
    if (!config.auth()) {
      return;
    }
    try {
      SecretFiles.write(files.passwordFile(), SecretFiles.randomPassword());
    } catch (IOException e) {
      throw new FailedWorkException(
          "the password cannot be written: " + e, folder().toString(), "free space there", e);
    }
  }

  private Optional<String> password() {
    try {
      return config.auth()
          ? Optional.of(Files.readString(files.passwordFile()).trim())
          : Optional.empty();
    } catch (IOException e) {
      throw new FailedWorkException(
          "the password cannot be read: " + e, files.passwordFile().toString(), "", e);
    }
  }

  /**
   * Makes a node the master of its group by FAILOVER, without a loss, and has all others follow it,
   * which FAILOVER alone does not do; returns when they do. Without Redis Cluster; Sentinels would
   * do the same later.
   *
   * @param node a replica (1 to N), or the master, which stays it
   * @throws BadRequestException if it is a Redis Cluster
   * @throws FailedWorkException if a server refuses, or it is not done in time
   */
  public void handOver(int node) {
    String name = name(node);
    if (config.shards() > 0) {
      throw new BadRequestException(
          "a Redis Cluster hands over by itself", name, "send the replica CLUSTER FAILOVER");
    }
    new RedisHandover(config, files, this::probe).to(node);
  }

  /** The master first: a replica that finds nobody asks again only a second later. */
  private void startProcesses() {
    startNode(1);
    await(List.of("n1"), () -> isUp(1));
    for (int node = 2; node <= config.nodes(); node++) {
      startNode(node);
    }
    if (config.shards() > 0) {
      awaitAllUp();
      new RedisShards(config, files, this::probe).make();
    }
    awaitAllUp();
    for (int sentinel = 1; sentinel <= config.sentinels(); sentinel++) {
      startSentinel(sentinel);
    }
    await(
        sentinels().stream().map(LocalRedisNode::name).toList(),
        () -> sentinels().stream().allMatch(this::knowsAll));
  }

  private void startNode(int node) {
    Optional<String> password = password();
    var unused = processes.launch(() -> spec("n" + node, node, password));
  }

  private void startSentinel(int sentinel) {
    Optional<String> password = password();
    var unused = processes.launch(() -> spec("s" + sentinel, sentinel, password));
  }

  /*
   * The server cannot be tied to a pipe. The guard ends it when this process dies.
   */
  private SupervisedProcess.Spec spec(String name, int index, Optional<String> password) {
    boolean sentinel = name.startsWith("s");
    try {
      Path file =
          sentinel ? files.writeSentinel(index, password) : files.writeNode(index, password);
      List<String> command = new ArrayList<>();
      command.add(RedisPreflight.binary(config).toString());
      command.add(file.toString());
      if (sentinel) {
        command.add("--sentinel");
      }
      return new SupervisedProcess.Spec(name, command, files.folder(name), files.log(name), false);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the files of " + name + " cannot be written: " + e,
          files.folder(name).toString(),
          "free space there",
          e);
    }
  }

  private void await(List<String> names, BooleanSupplier check) {
    processes.await(names, check, config.startTimeout(), "redis.log");
  }

  /** Whether a Sentinel has found all others and all replicas, by the line "master0:name=...". */
  private boolean knowsAll(LocalRedisNode sentinel) {
    String line =
        probe()
            .info(sentinel.port(), "sentinel")
            .map(info -> info.getOrDefault("master0", ""))
            .orElse("");
    return line.contains("slaves=" + (config.nodes() - 1) + ",")
        && line.endsWith("sentinels=" + config.sentinels());
  }

  private Optional<Map<String, String>> replication(int port) {
    return probe().info(port, "replication");
  }

  /** Reads the password and the certificate once: they do not change. */
  private synchronized RedisProbe probe() {
    if (probe == null) {
      try {
        probe = new RedisProbe(password(), caFile());
      } catch (IOException e) {
        throw new FailedWorkException(
            "the servers' certificate cannot be read: " + e.getMessage(),
            files.caFile().toString(),
            "stop the cluster, and start another",
            e);
      }
    }
    return probe;
  }

  private static boolean isLinked(Map<String, String> info) {
    String role = info.getOrDefault("role", "");
    return role.equals("master")
        || (role.equals("slave") && "up".equals(info.get("master_link_status")));
  }

  private LocalRedisNode server(int index, String name, int port) {
    ProcessIdentity process = processes.recorded(name).orElse(new ProcessIdentity(0, 0));
    return new LocalRedisNode(
        index,
        name,
        LocalRedisConfig.ADDRESS,
        port,
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
