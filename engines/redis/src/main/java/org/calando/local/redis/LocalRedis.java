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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.ConfigJson;
import org.calando.local.LocalCluster;
import org.calando.local.ServersPreflight;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SecretFiles;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis or Valkey master with replicas, and Sentinels if asked for, or a Redis Cluster of
 * several masters, on the loopback interface, a process each. Nothing is kept on disk: a master
 * that is ended takes its data along unless a replica is promoted, and a server that starts again
 * starts empty; it follows whom it followed last, and one that was the master comes up as an empty
 * master, until a Sentinel tells it otherwise. Sentinels are {@code s1} to {@code sN}.
 */
public final class LocalRedis extends LocalCluster<LocalRedisConfig> {
  /** The engine's name in messages, folders and files. */
  public static final String ENGINE = "redis";

  private static final Engine KIND = new Engine(ENGINE, Duration.ofSeconds(5), "redis.log");

  private final RedisFiles files;
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

  private LocalRedis(RunFolder folder) {
    super(
        ConfigJson.read(folder.cluster(), folder.stateFolder(), LocalRedisConfig.builder()).build(),
        KIND,
        folder);
    this.files = new RedisFiles(config(), ConfigJson.ports(folder.cluster()), folder.path());
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
    ServersPreflight.requireUnused(config, ENGINE);
    RedisPreflight.check(config);
    return start(
        config, KIND, ConfigJson.write(config, RedisPreflight.ports(config)), LocalRedis::new);
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @throws BadRequestException if the folder holds none
   */
  public static LocalRedis attach(Path stateFolder) {
    return attach(stateFolder, KIND, LocalRedis::new);
  }

  /** The nodes as they are now, n1 first. */
  public List<LocalRedisNode> nodes() {
    return IntStream.rangeClosed(1, config().nodes())
        .mapToObj(i -> server(i, "n" + i, files.nodePort(i)))
        .toList();
  }

  /** The Sentinels as they are now, s1 first. */
  public List<LocalRedisNode> sentinels() {
    return IntStream.rangeClosed(1, config().sentinels())
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
    return config().auth() ? Optional.of(files.passwordFile()) : Optional.empty();
  }

  /** The certificate of the CA that signed those of all servers, in PEM; empty without TLS. */
  public Optional<Path> caFile() {
    return config().tls() ? Optional.of(files.caFile()) : Optional.empty();
  }

  /** Whether a server runs and answers, a replica with its copy, a Sentinel with all others. */
  @Override
  public boolean isUp(String server) {
    if (!isRunning(server)) {
      return false;
    }
    int port = files.port(server);
    return server.startsWith("s")
        ? knowsAll(port)
        : replication(port).filter(LocalRedis::isLinked).isPresent();
  }

  /**
   * Waits until all nodes are up, replicas with their copies.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public void awaitAllUp() {
    awaitUp(nodeNames());
  }

  private void makePassword() {
    if (!config().auth()) {
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
      return config().auth()
          ? Optional.of(Files.readString(files.passwordFile()).trim())
          : Optional.empty();
    } catch (IOException e) {
      throw new FailedWorkException(
          "the password cannot be read: " + e, files.passwordFile().toString(), "", e);
    }
  }

  @Override
  public List<String> servers() {
    return Stream.concat(nodeNames().stream(), sentinelNames().stream()).toList();
  }

  private List<String> sentinelNames() {
    return IntStream.rangeClosed(1, config().sentinels()).mapToObj(i -> "s" + i).toList();
  }

  /** The master first: a replica that finds nobody asks again only a second later. */
  @Override
  protected void startServers() {
    makePassword();
    if (config().tls()) {
      files.makeCertificates();
    }
    startServer("n1");
    awaitUp(List.of("n1"));
    nodeNames().stream().skip(1).forEach(this::startServer);
    awaitAllUp();
    if (config().shards() > 0) {
      new RedisShards(config(), files, this::probe).make();
      awaitAllUp();
    }
    sentinelNames().forEach(this::startServer);
    awaitUp(sentinelNames());
  }

  /** The server cannot be tied to a pipe: the guard ends it when this process dies. */
  @Override
  protected void startServer(String server) {
    Optional<String> password = password();
    var unused =
        launch(
            server,
            server,
            false,
            () -> {
              String program = RedisPreflight.binary(config()).toString();
              String file = files.write(server, password).toString();
              return server.startsWith("s")
                  ? List.of(program, file, "--sentinel")
                  : List.of(program, file);
            });
  }

  private void awaitUp(List<String> servers) {
    await(servers, () -> servers.stream().allMatch(this::isUp));
  }

  /** Whether a Sentinel has found all others and all replicas, by the line "master0:name=...". */
  private boolean knowsAll(int port) {
    String line =
        probe().info(port, "sentinel").map(info -> info.getOrDefault("master0", "")).orElse("");
    return line.contains("slaves=" + (config().nodes() - 1) + ",")
        && line.endsWith("sentinels=" + config().sentinels());
  }

  private Optional<Map<String, String>> replication(int port) {
    return probe().info(port, "replication");
  }

  /** Reads the password and the certificate once: they do not change. */
  private synchronized RedisProbe probe() {
    if (probe == null) {
      try {
        probe = new RedisProbe(password(), caFile());
      } catch (BadRequestException e) {
        throw new FailedWorkException(
            "the servers' certificate cannot be used: " + e.what(),
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
    ProcessIdentity process = process(name);
    return new LocalRedisNode(
        index,
        name,
        LocalRedisConfig.ADDRESS,
        port,
        process.pid(),
        process.startTicks(),
        files.log(name));
  }
}
