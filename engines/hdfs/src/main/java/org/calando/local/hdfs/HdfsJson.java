package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.local.ServersJson;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class HdfsJson {
  private HdfsJson() {}

  static ObjectNode write(LocalHdfsConfig config, List<Integer> ports) {
    ObjectNode root = ServersJson.write(config, ports);
    root.put("nameNodeHeapMebibytes", config.nameNodeHeapMebibytes())
        .put("dataNodeHeapMebibytes", config.dataNodeHeapMebibytes())
        .put("deadAfterNanos", config.deadAfter().toNanos())
        .put("safeModeExtensionNanos", config.safeModeExtension().toNanos());
    config.dataFolder().ifPresent(folder -> root.put("dataFolder", folder.toString()));
    var jars = root.putArray("nameNodeJars");
    config.nameNodeJars().forEach(jar -> jars.add(jar.toString()));
    return root;
  }

  static LocalHdfsConfig read(JsonNode root, Optional<Path> stateFolder) {
    LocalHdfsConfig.Builder builder =
        ServersJson.read(root, stateFolder, LocalHdfsConfig.builder())
            .nameNodeHeapMebibytes(root.path("nameNodeHeapMebibytes").asInt())
            .dataNodeHeapMebibytes(root.path("dataNodeHeapMebibytes").asInt())
            .deadAfter(ServersJson.nanos(root, "deadAfterNanos"))
            .safeModeExtension(ServersJson.nanos(root, "safeModeExtensionNanos"));
    if (root.has("dataFolder")) {
      builder.dataFolder(Path.of(root.path("dataFolder").asText()));
    }
    root.path("nameNodeJars").forEach(jar -> builder.nameNodeJar(Path.of(jar.asText())));
    return builder.build();
  }
}
