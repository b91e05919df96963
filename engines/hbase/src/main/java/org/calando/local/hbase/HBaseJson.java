package org.calando.local.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.local.ServersJson;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class HBaseJson {
  private HBaseJson() {}

  static ObjectNode write(LocalHBaseConfig config, List<Integer> ports) {
    return ServersJson.write(config, ports)
        .put("dataNodes", config.dataNodes())
        .put("masterHeapMebibytes", config.masterHeapMebibytes())
        .put("nodeHeapMebibytes", config.nodeHeapMebibytes())
        .put("sessionTimeoutNanos", config.sessionTimeout().toNanos());
  }

  static LocalHBaseConfig read(JsonNode root, Optional<Path> stateFolder) {
    return ServersJson.read(root, stateFolder, LocalHBaseConfig.builder())
        .dataNodes(root.path("dataNodes").asInt())
        .masterHeapMebibytes(root.path("masterHeapMebibytes").asInt())
        .nodeHeapMebibytes(root.path("nodeHeapMebibytes").asInt())
        .sessionTimeout(ServersJson.nanos(root, "sessionTimeoutNanos"))
        .build();
  }
}
