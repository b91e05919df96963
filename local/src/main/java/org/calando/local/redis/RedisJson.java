package org.calando.local.redis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class RedisJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RedisJson() {}

  static ObjectNode write(LocalRedisConfig config, List<Integer> ports) {
    ObjectNode root = JSON.createObjectNode();
    root.put("nodes", config.nodes())
        .put("sentinels", config.sentinels())
        .put("shards", config.shards())
        .put("ioThreads", config.ioThreads())
        .put("binary", config.binary())
        .put("basePort", config.basePort())
        .put("auth", config.auth())
        .put("tls", config.tls())
        .put("downAfterNanos", config.downAfter().toNanos())
        .put("startTimeoutNanos", config.startTimeout().toNanos());
    ArrayNode chosen = root.putArray("ports");
    ports.forEach(chosen::add);
    ObjectNode settings = root.putObject("settings");
    config.settings().forEach(settings::put);
    return root;
  }

  static LocalRedisConfig read(JsonNode root, Path stateFolder) {
    LocalRedisConfig.Builder builder =
        LocalRedisConfig.builder()
            .nodes(root.path("nodes").asInt())
            .sentinels(root.path("sentinels").asInt())
            .shards(root.path("shards").asInt())
            .ioThreads(root.path("ioThreads").asInt())
            .binary(root.path("binary").asText())
            .basePort(root.path("basePort").asInt())
            .auth(root.path("auth").asBoolean())
            .tls(root.path("tls").asBoolean())
            .downAfter(Duration.ofNanos(root.path("downAfterNanos").asLong()))
            .startTimeout(Duration.ofNanos(root.path("startTimeoutNanos").asLong()))
            .stateFolder(stateFolder);
    root.path("settings")
        .properties()
        .forEach(entry -> builder.setting(entry.getKey(), entry.getValue().asText()));
    return builder.build();
  }

  static List<Integer> ports(JsonNode root) {
    List<Integer> ports = new ArrayList<>();
    root.path("ports").forEach(port -> ports.add(port.asInt()));
    return ports;
  }
}
