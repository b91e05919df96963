package org.calando.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What state files of local clusters of several engines have in common. Stateless. */
public final class ServersJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ServersJson() {}

  /** What all have; the engine's own is to be added. */
  public static ObjectNode write(ServersConfig config, List<Integer> ports) {
    ObjectNode root = JSON.createObjectNode();
    root.put("nodes", config.nodes())
        .put("basePort", config.basePort())
        .put("startTimeoutNanos", config.startTimeout().toNanos());
    if (config instanceof JavaServersConfig java) {
      root.put("javaHome", java.javaHome().toString());
      java.libFolder().ifPresent(folder -> root.put("libFolder", folder.toString()));
    }
    ArrayNode chosen = root.putArray("ports");
    ports.forEach(chosen::add);
    ObjectNode settings = root.putObject("settings");
    config.settings().forEach(settings::put);
    return root;
  }

  /**
   * Takes back what {@link #write} wrote.
   *
   * @param builder to which it is given
   * @return the builder
   */
  public static <B extends ServersConfig.Builder<B>> B read(
      JsonNode root, Path stateFolder, B builder) {
    builder
        .nodes(root.path("nodes").asInt())
        .basePort(root.path("basePort").asInt())
        .startTimeout(nanos(root, "startTimeoutNanos"))
        .stateFolder(stateFolder);
    root.path("settings")
        .properties()
        .forEach(entry -> builder.setting(entry.getKey(), entry.getValue().asText()));
    if (builder instanceof JavaServersConfig.Builder<?> java) {
      java.javaHome(Path.of(root.path("javaHome").asText()));
      if (root.has("libFolder")) {
        java.libFolder(Path.of(root.path("libFolder").asText()));
      }
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
