package org.calando.local.redis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.local.ServersJson;

/** A configuration and the ports that were chosen, in and out of a state file. */
final class RedisJson {
  private RedisJson() {}

  static ObjectNode write(LocalRedisConfig config, List<Integer> ports) {
    return ServersJson.write(config, ports)
        .put("sentinels", config.sentinels())
        .put("shards", config.shards())
        .put("ioThreads", config.ioThreads())
        .put("binary", config.binary())
        .put("auth", config.auth())
        .put("tls", config.tls())
        .put("downAfterNanos", config.downAfter().toNanos());
  }

  static LocalRedisConfig read(JsonNode root, Optional<Path> stateFolder) {
    return ServersJson.read(root, stateFolder, LocalRedisConfig.builder())
        .sentinels(root.path("sentinels").asInt())
        .shards(root.path("shards").asInt())
        .ioThreads(root.path("ioThreads").asInt())
        .binary(root.path("binary").asText())
        .auth(root.path("auth").asBoolean())
        .tls(root.path("tls").asBoolean())
        .downAfter(ServersJson.nanos(root, "downAfterNanos"))
        .build();
  }
}
