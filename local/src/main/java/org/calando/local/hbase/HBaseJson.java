package org.calando.local.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class HBaseJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HBaseJson() {}

  static ObjectNode write(LocalHBaseConfig config, List<Integer> ports) {
    ObjectNode root = JSON.createObjectNode();
    root.put("nodes", config.nodes())
        .put("dataNodes", config.dataNodes())
        .put("basePort", config.basePort())
        .put("masterHeapMebibytes", config.masterHeapMebibytes())
        .put("nodeHeapMebibytes", config.nodeHeapMebibytes())
        .put("sessionTimeoutNanos", config.sessionTimeout().toNanos())
        .put("startTimeoutNanos", config.startTimeout().toNanos())
        .put("javaHome", config.javaHome().toString());
    config.libFolder().ifPresent(folder -> root.put("libFolder", folder.toString()));
    var chosen = root.putArray("ports");
    ports.forEach(chosen::add);
    ObjectNode settings = root.putObject("settings");
    config.settings().forEach(settings::put);
    return root;
  }

  static LocalHBaseConfig read(JsonNode root, Path stateFolder) {
    LocalHBaseConfig.Builder builder =
        LocalHBaseConfig.builder()
            .nodes(root.path("nodes").asInt())
            .dataNodes(root.path("dataNodes").asInt())
            .basePort(root.path("basePort").asInt())
            .masterHeapMebibytes(root.path("masterHeapMebibytes").asInt())
            .nodeHeapMebibytes(root.path("nodeHeapMebibytes").asInt())
            .sessionTimeout(Duration.ofNanos(root.path("sessionTimeoutNanos").asLong()))
            .startTimeout(Duration.ofNanos(root.path("startTimeoutNanos").asLong()))
            .javaHome(Path.of(root.path("javaHome").asText()))
            .stateFolder(stateFolder);
    if (root.has("libFolder")) {
      builder.libFolder(Path.of(root.path("libFolder").asText()));
    }
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
