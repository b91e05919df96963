package org.calando.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What state files of local clusters of several engines have in common. Stateless. */
public final class ServersJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ServersJson() {}

  /** What all have; the engine's own is to be added. */
  public static ObjectNode write(LocalConfig config) {
    return JSON.createObjectNode()
        .put("nodes", config.nodes())
        .put("startTimeoutNanos", config.startTimeout().toNanos());
  }

  /** The same of servers with ports in a row. */
  public static ObjectNode write(ServersConfig config, List<Integer> ports) {
    ObjectNode root = write(config).put("basePort", config.basePort());
    ports.forEach(root.putArray("ports")::add);
    config.settings().forEach(root.putObject("settings")::put);
    return root;
  }

  /**
   * Takes back what {@link #write} wrote.
   *
   * @param stateFolder that of the cluster, unless it is temporary
   * @param builder to which it is given
   * @return the builder
   */
  public static <B extends LocalConfig.Builder<B>> B read(
      JsonNode root, Optional<Path> stateFolder, B builder) {
    builder.nodes(root.path("nodes").asInt()).startTimeout(nanos(root, "startTimeoutNanos"));
    stateFolder.ifPresent(builder::stateFolder);
    if (builder instanceof ServersConfig.Builder<?> servers) {
      servers.basePort(root.path("basePort").asInt());
      root.path("settings")
          .properties()
          .forEach(entry -> servers.setting(entry.getKey(), entry.getValue().asText()));
    }
    return builder;
  }

  /** A duration that is kept in nanoseconds. */
  public static Duration nanos(JsonNode root, String name) {
    return Duration.ofNanos(root.path(name).asLong());
  }

  /** The ports that were chosen. */
  public static List<Integer> ports(JsonNode root) {
    List<Integer> ports = new ArrayList<>();
    root.path("ports").forEach(port -> ports.add(port.asInt()));
    return ports;
  }
}
