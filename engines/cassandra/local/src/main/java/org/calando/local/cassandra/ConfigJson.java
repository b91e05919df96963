package org.calando.local.cassandra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.local.ServersJson;
import org.calando.local.relay.LinkDelays;

/** A configuration in and out of a state file. */
final class ConfigJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ConfigJson() {}

  static ObjectNode write(LocalCassandraConfig config) {
    ObjectNode root = ServersJson.write(config);
    root.put("racks", config.racks())
        .put("replicationFactor", config.replicationFactor())
        .put("heapMebibytes", config.heapMebibytes())
        .put("compiler", config.compiler().name())
        .put("block", config.block())
        .put("cqlPort", config.cqlPort())
        .put("storagePort", config.storagePort())
        .put("jmxPort", config.jmxPort(0))
        .put("auth", config.auth())
        .put("tls", config.tls());
    config.dataCentres().forEach(root.putArray("dataCentres")::add);
    ArrayNode tokens = root.putArray("tokens");
    config.tokens().forEach(ofNode -> tokens.add(String.join(",", ofNode)));
    config.linkDelays().ifPresent(delays -> writeDelays(root.putArray("linkDelaysNanos"), delays));
    root.set("yaml", JSON.valueToTree(config.yaml()));
    return root;
  }

  static LocalCassandraConfig read(JsonNode root, Optional<Path> stateFolder) {
    LocalCassandraConfig.Builder builder =
        ServersJson.read(root, stateFolder, LocalCassandraConfig.builder())
            .racks(root.path("racks").asInt())
            .replicationFactor(root.path("replicationFactor").asInt())
            .heapMebibytes(root.path("heapMebibytes").asInt())
            .compiler(LocalCassandraConfig.Compiler.valueOf(root.path("compiler").asText()))
            .block(root.path("block").asText())
            .cqlPort(root.path("cqlPort").asInt())
            .storagePort(root.path("storagePort").asInt())
            .jmxPort(root.path("jmxPort").asInt())
            .auth(root.path("auth").asBoolean())
            .tls(root.path("tls").asBoolean());
    List<String> dataCentres = new ArrayList<>();
    root.path("dataCentres").forEach(name -> dataCentres.add(name.asText()));
    builder.dataCentres(dataCentres);
    List<String> tokens = new ArrayList<>();
    root.path("tokens").forEach(ofNode -> tokens.add(ofNode.asText()));
    builder.tokens(tokens);
    if (root.has("linkDelaysNanos")) {
      builder.linkDelays(readDelays(root.path("linkDelaysNanos"))).relay(true);
    }
    root.path("yaml")
        .properties()
        .forEach(
            entry ->
                builder.yaml(entry.getKey(), JSON.convertValue(entry.getValue(), Object.class)));
    return builder.build();
  }

  private static void writeDelays(ArrayNode rows, LinkDelays delays) {
    for (List<Duration> row : delays.rows()) {
      ArrayNode columns = rows.addArray();
      row.forEach(delay -> columns.add(delay.toNanos()));
    }
  }

  private static LinkDelays readDelays(JsonNode rows) {
    List<List<Duration>> matrix = new ArrayList<>();
    for (JsonNode row : rows) {
      List<Duration> columns = new ArrayList<>();
      row.forEach(delay -> columns.add(Duration.ofNanos(delay.asLong())));
      matrix.add(columns);
    }
    return LinkDelays.matrix(matrix);
  }
}
