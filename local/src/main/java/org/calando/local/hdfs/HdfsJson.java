package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class HdfsJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HdfsJson() {}

  static ObjectNode write(LocalHdfsConfig config, List<Integer> ports) {
    ObjectNode root = JSON.createObjectNode();
    root.put("nodes", config.nodes())
        .put("basePort", config.basePort())
        .put("nameNodeHeapMebibytes", config.nameNodeHeapMebibytes())
        .put("dataNodeHeapMebibytes", config.dataNodeHeapMebibytes())
        .put("deadAfterNanos", config.deadAfter().toNanos())
        .put("safeModeExtensionNanos", config.safeModeExtension().toNanos())
        .put("startTimeoutNanos", config.startTimeout().toNanos())
        .put("javaHome", config.javaHome().toString());
    config.dataFolder().ifPresent(folder -> root.put("dataFolder", folder.toString()));
    config.libFolder().ifPresent(folder -> root.put("libFolder", folder.toString()));
    var jars = root.putArray("nameNodeJars");
    config.nameNodeJars().forEach(jar -> jars.add(jar.toString()));
    var chosen = root.putArray("ports");
    ports.forEach(chosen::add);
    ObjectNode settings = root.putObject("settings");
    config.settings().forEach(settings::put);
    return root;
  }

  static LocalHdfsConfig read(JsonNode root, Path stateFolder) {
    LocalHdfsConfig.Builder builder =
        LocalHdfsConfig.builder()
            .nodes(root.path("nodes").asInt())
            .basePort(root.path("basePort").asInt())
            .nameNodeHeapMebibytes(root.path("nameNodeHeapMebibytes").asInt())
            .dataNodeHeapMebibytes(root.path("dataNodeHeapMebibytes").asInt())
            .deadAfter(nanos(root, "deadAfterNanos"))
            .safeModeExtension(nanos(root, "safeModeExtensionNanos"))
            .startTimeout(nanos(root, "startTimeoutNanos"))
            .javaHome(Path.of(root.path("javaHome").asText()))
            .stateFolder(stateFolder);
    if (root.has("dataFolder")) {
      builder.dataFolder(Path.of(root.path("dataFolder").asText()));
    }
    if (root.has("libFolder")) {
      builder.libFolder(Path.of(root.path("libFolder").asText()));
    }
    root.path("nameNodeJars").forEach(jar -> builder.nameNodeJar(Path.of(jar.asText())));
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

  private static Duration nanos(JsonNode root, String name) {
    return Duration.ofNanos(root.path(name).asLong());
  }
}
