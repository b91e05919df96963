package org.calando.local.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SecretFiles;
import org.calando.local.process.SignedKeys;

/*
 * Nothing is kept on disk, and a replica gets its first copy at once (the server waits 5 s for more
 * replicas to come otherwise). Servers and Sentinels rewrite their files when roles change: so a
 * file that is there is left, and a node that is started again follows whom it followed last.
 */
/** The configuration files of a local cluster. */
final class RedisFiles {
  private static final String SERVER = "redis";

  private final LocalRedisConfig config;
  private final List<Integer> ports;
  private final Path runFolder;

  /**
   * Names the files; nothing is written yet.
   *
   * @param ports of the nodes, then of the Sentinels or of the nodes' cluster bus
   */
  RedisFiles(LocalRedisConfig config, List<Integer> ports, Path runFolder) {
    this.config = config;
    this.ports = List.copyOf(ports);
    this.runFolder = runFolder;
  }

  Path folder(String name) {
    return runFolder.resolve(name);
  }

  Path log(String name) {
    return folder(name).resolve("redis.log");
  }

  Path passwordFile() {
    return runFolder.resolve("redis.password");
  }

  /** The certificate of the CA, in PEM. */
  Path caFile() {
    return runFolder.resolve("ca.pem");
  }

  private Path certificateFile() {
    return runFolder.resolve("redis.pem");
  }

  private Path keyFile() {
    return runFolder.resolve("redis.key");
  }

  /** Makes one key and its certificate for all servers, as they all have one address. */
  void makeCertificates() {
    try {
      SignedKeys keys =
          SignedKeys.make(
              runFolder,
              SecretFiles.randomPassword(),
              List.of(new SignedKeys.Server(SERVER, LocalRedisConfig.ADDRESS)));
      SecretFiles.write(keyFile(), keys.keyPem(SERVER));
      Files.writeString(certificateFile(), keys.certificatePem(SERVER));
      Files.writeString(caFile(), keys.caPem());
    } catch (IOException | GeneralSecurityException e) {
      throw new FailedWorkException(
          "the servers' certificate cannot be made: " + e.getMessage(),
          runFolder.toString(),
          "check that there is space, and that the JDK has bin/keytool",
          e);
    }
  }

  /** Where a server of a name listens. */
  int port(String server) {
    int index = Integer.parseInt(server.substring(1));
    return server.startsWith("s") ? sentinelPort(index) : nodePort(index);
  }

  /** Writes a server's file, unless it is there. */
  Path write(String server, Optional<String> password) throws IOException {
    int index = Integer.parseInt(server.substring(1));
    return server.startsWith("s") ? writeSentinel(index, password) : writeNode(index, password);
  }

  int nodePort(int node) {
    return ports.get(node - 1);
  }

  /** Where a node of a Redis Cluster hears the others. */
  int busPort(int node) {
    return ports.get(config.nodes() + node - 1);
  }

  int sentinelPort(int sentinel) {
    return ports.get(config.nodes() + sentinel - 1);
  }

  /** Writes a node's file, unless it is there. */
  Path writeNode(int node, Optional<String> password) throws IOException {
    List<String> lines = common(nodePort(node), folder("n" + node), password);
    lines.add("save \"\"");
    lines.add("appendonly no");
    lines.add("repl-diskless-sync yes");
    lines.add("repl-diskless-sync-delay 0");
    lines.add("io-threads " + config.ioThreads());
    lines.add("replica-announce-ip " + LocalRedisConfig.ADDRESS);
    lines.add("replica-announce-port " + nodePort(node));
    password.ifPresent(secret -> lines.add("masterauth " + secret));
    if (config.shards() > 0) {
      lines.add("cluster-enabled yes");
      lines.add("cluster-port " + busPort(node));
      lines.add("cluster-node-timeout " + config.downAfter().toMillis());
    } else if (node > 1) {
      lines.add("replicaof " + LocalRedisConfig.ADDRESS + " " + nodePort(1));
    }
    config.settings().forEach((name, value) -> lines.add(name + " " + value));
    return write(folder("n" + node), lines);
  }

  /** Writes a Sentinel's file, unless it is there. */
  private Path writeSentinel(int sentinel, Optional<String> password) throws IOException {
    String master = LocalRedisConfig.MASTER_NAME;
    Path folder = folder("s" + sentinel);
    List<String> lines = common(sentinelPort(sentinel), folder, password);
    int quorum = config.sentinels() / 2 + 1;
    lines.add(
        "sentinel monitor %s %s %d %d"
            .formatted(master, LocalRedisConfig.ADDRESS, nodePort(1), quorum));
    lines.add("sentinel down-after-milliseconds " + master + " " + config.downAfter().toMillis());
    lines.add("sentinel failover-timeout " + master + " 10000");
    lines.add("sentinel parallel-syncs " + master + " 1");
    password.ifPresent(
        secret -> {
          lines.add("sentinel auth-pass " + master + " " + secret);
          lines.add("sentinel sentinel-pass " + secret);
        });
    return write(folder, lines);
  }

  private List<String> common(int port, Path folder, Optional<String> password) {
    List<String> lines = new ArrayList<>();
    lines.add("bind " + LocalRedisConfig.ADDRESS);
    lines.addAll(config.tls() ? secured(port) : List.of("port " + port));
    lines.add("daemonize no");
    lines.add("dir \"" + folder + "\"");
    password.ifPresent(secret -> lines.add("requirepass " + secret));
    return lines;
  }

  /** Nothing but TLS, among the servers too; clients show no certificate. */
  private List<String> secured(int port) {
    return List.of(
        "port 0",
        "tls-port " + port,
        "tls-cert-file \"" + certificateFile() + "\"",
        "tls-key-file \"" + keyFile() + "\"",
        "tls-ca-cert-file \"" + caFile() + "\"",
        "tls-auth-clients no",
        "tls-replication yes");
  }

  private static Path write(Path folder, List<String> lines) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("redis.conf");
    if (!Files.exists(file)) {
      byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
      SecretFiles.write(file, text);
    }
    return file;
  }
}
