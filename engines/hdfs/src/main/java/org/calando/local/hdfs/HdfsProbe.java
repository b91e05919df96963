package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import org.calando.local.process.BeanPages;

/** Asks servers on this machine for the beans that they show over HTTP. Thread safe. */
final class HdfsProbe {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BeanPages pages = new BeanPages();

  private Optional<JsonNode> bean(int port, String query) {
    return pages.bean(LocalHdfsConfig.ADDRESS, port, query);
  }

  /** Whether the NameNode serves, and writes may begin. */
  boolean isOutOfSafeMode(int port) {
    return bean(port, "Hadoop:service=NameNode,name=NameNodeInfo")
        .filter(bean -> bean.path("Safemode").isTextual())
        .map(bean -> bean.path("Safemode").asText().isEmpty())
        .orElse(false);
  }

  /** Whether a DataNode has told a NameNode all that it holds, since it was started. */
  boolean hasReported(int port) {
    return bean(port, "Hadoop:service=DataNode,name=DataNodeActivity-*")
        .filter(bean -> bean.path("BlockReportsNumOps").asLong() > 0)
        .isPresent();
  }

  /** How many DataNodes have told the NameNode all that they hold, since it was started. */
  long reports(int port) {
    return bean(port, "Hadoop:service=NameNode,name=NameNodeActivity")
        .map(bean -> bean.path("StorageBlockReportNumOps").asLong())
        .orElse(0L);
  }

  /** What the NameNode says of a DataNode; empty if it does not hold it for live. */
  Optional<JsonNode> live(int port, String transferAddress) {
    return bean(port, "Hadoop:service=NameNode,name=NameNodeInfo")
        .map(bean -> text(bean, "LiveNodes").path(transferAddress))
        .filter(JsonNode::isObject);
  }

  /** Some attributes are texts that hold JSON. */
  private static JsonNode text(JsonNode bean, String name) {
    try {
      return JSON.readTree(bean.path(name).asText("{}"));
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }
}
