package org.calando.local.cassandra;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.local.process.SecretFiles;

/** The folder of one node: its configuration files as written, and where its data and log are. */
final class NodeFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%-5level %date{HH:mm:ss.SSS} [%thread] %logger{0} - %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="OUT"/></root>
      </configuration>
      """;

  private static final String HINTS_FLUSH = "hints_flush_period";
  private static final Pattern FLUSH_MILLIS = Pattern.compile(HINTS_FLUSH + ": \"(\\d+)ms\"");

  /** Of Cassandra's, where a file has none, as those of older versions. */
  private static final Duration USUAL_HINTS_FLUSH = Duration.ofSeconds(10);

  private final LocalCassandraConfig config;
  private final int node;
  private final Path runFolder;
  private final Path folder;

  /**
   * Names the files of a node; nothing is written yet.
   *
   * @param node 1 to N
   */
  NodeFiles(LocalCassandraConfig config, int node, Path runFolder) {
    this.config = config;
    this.node = node;
    this.runFolder = runFolder;
    this.folder = runFolder.resolve("n" + node);
  }

  /** The node's number. */
  int node() {
    return node;
  }

  Path folder() {
    return folder;
  }

  Path log() {
    return folder.resolve("system.log");
  }

  Path yaml() {
    return folder.resolve("cassandra.yaml");
  }

  Path logback() {
    return folder.resolve("logback.xml");
  }

  Path rackProperties() {
    return folder.resolve("cassandra-rackdc.properties");
  }

  /** Where the JVM and its native libraries put temporary files. */
  Path temporary() {
    return folder.resolve("tmp");
  }

  /** How long hints are in memory only, by the configuration that was written last. */
  Duration hintsFlush() {
    try (Stream<String> lines = Files.lines(yaml())) {
      return lines
          .map(FLUSH_MILLIS::matcher)
          .filter(Matcher::matches)
          .map(found -> Duration.ofMillis(Long.parseLong(found.group(1))))
          .findFirst()
          .orElse(USUAL_HINTS_FLUSH);
    } catch (IOException | UncheckedIOException e) {
      return USUAL_HINTS_FLUSH;
    }
  }

  /** Makes the folders and writes the configuration. */
  void write() throws IOException {
    Files.createDirectories(temporary());
    // Its owner's only: it may hold the password of the key store.
    SecretFiles.write(yaml(), yamlText());
    Files.writeString(logback(), LOGBACK);
    String rack = Tokens.rack(node - 1, config.racks());
    Files.writeString(
        rackProperties(),
        "dc=" + config.dataCentres().get(node - 1) + "\nrack=" + rack + "\nprefer_local=false\n");
  }

  /** The file's text: a key a line, the values in JSON, which YAML includes. */
  String yamlText() throws IOException {
    Map<String, Object> settings = settings();
    settings.putAll(config.yaml());
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (key, value) -> text.append(key).append(": ").append(json(value)).append('\n'));
    return text.toString();
  }

  private Map<String, Object> settings() throws IOException {
    List<String> tokens = config.tokens().get(node - 1);
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("cluster_name", "calando-local");
    yaml.put("num_tokens", tokens.size());
    yaml.put("initial_token", String.join(",", tokens));
    // All start at once, each with its tokens and as a seed: there is nothing to stream.
    yaml.put("auto_bootstrap", false);
    yaml.put("seed_provider", List.of(seedProvider()));
    yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    putAddresses(yaml);
    yaml.put("endpoint_snitch", "GossipingPropertyFileSnitch");
    // Reads go to replicas in an order that does not change while measuring.
    yaml.put("dynamic_snitch", false);
    putFolders(yaml);
    putSizes(yaml);
    putAccess(yaml);
    // Truncating between runs would otherwise keep every run's data.
    yaml.put("auto_snapshot", false);
    // Nodes that were away have what was written meanwhile sooner.
    yaml.put(HINTS_FLUSH, "1000ms");
    yaml.put("hinted_handoff_throttle", "20480KiB");
    yaml.put("max_hints_delivery_threads", 2);
    return yaml;
  }

  private Map<String, Object> seedProvider() {
    String seeds =
        IntStream.rangeClosed(1, config.nodes())
            .mapToObj(i -> config.peerAddress(i) + ":" + config.storagePort())
            .collect(Collectors.joining(","));
    return Map.of(
        "class_name",
        "org.apache.cassandra.locator.SimpleSeedProvider",
        "parameters",
        List.of(Map.of("seeds", seeds)));
  }

  private void putAddresses(Map<String, Object> yaml) {
    yaml.put("listen_address", config.address(node));
    yaml.put("broadcast_address", config.peerAddress(node));
    yaml.put("storage_port", config.storagePort());
    yaml.put("rpc_address", config.address(node));
    yaml.put("broadcast_rpc_address", config.address(node));
    yaml.put("native_transport_port", config.cqlPort());
  }

  private void putFolders(Map<String, Object> yaml) {
    yaml.put("data_file_directories", List.of(in("data")));
    yaml.put("commitlog_directory", in("commitlog"));
    yaml.put("hints_directory", in("hints"));
    yaml.put("saved_caches_directory", in("saved_caches"));
    yaml.put("cdc_raw_directory", in("cdc_raw"));
  }

  private static void putSizes(Map<String, Object> yaml) {
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "10000ms");
    yaml.put("commitlog_segment_size", "8MiB");
    yaml.put("commitlog_total_space", "256MiB");
    yaml.put("memtable_heap_space", "48MiB");
    yaml.put("memtable_offheap_space", "48MiB");
    yaml.put("concurrent_compactors", 1);
    yaml.put("concurrent_reads", 8);
    yaml.put("concurrent_writes", 8);
  }

  private void putAccess(Map<String, Object> yaml) throws IOException {
    if (config.auth()) {
      yaml.put("authenticator", "PasswordAuthenticator");
      yaml.put("authorizer", "CassandraAuthorizer");
      yaml.put("role_manager", "CassandraRoleManager");
      // A password that was changed opens nothing any more; a cache would accept it for 2 s.
      yaml.put("credentials_validity", "0ms");
      // Not of the local data centre, which may be too small for a quorum of its own.
      yaml.put("auth_read_consistency_level", "QUORUM");
      yaml.put("auth_write_consistency_level", "QUORUM");
    }
    if (config.tls()) {
      Map<String, Object> options = new LinkedHashMap<>();
      options.put("enabled", true);
      options.put("optional", false);
      options.put("keystore", NodeCertificates.storeFile(runFolder, node).toString());
      options.put(
          "keystore_password", Files.readString(NodeCertificates.passwordFile(runFolder)).strip());
      options.put("store_type", "PKCS12");
      options.put("require_client_auth", false);
      yaml.put("client_encryption_options", options);
    }
  }

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a YAML value: " + value, e);
    }
  }
}
