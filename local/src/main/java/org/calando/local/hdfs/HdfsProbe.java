package org.calando.local.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks servers on this machine for the beans that they show over HTTP. Thread safe. */
final class HdfsProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * A bean.
   *
   * @param query such as {@code Hadoop:service=NameNode,name=NameNodeInfo}
   * @return empty if the server does not answer, or has no such bean
   */
  Optional<JsonNode> bean(int port, String query) {
    URI uri = URI.create("http://" + LocalHdfsConfig.ADDRESS + ":" + port + "/jmx?qry=" + query);
    try {
      HttpResponse<byte[]> answer =
          client.send(
              HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      JsonNode bean = JSON.readTree(answer.body()).path("beans").path(0);
      return bean.isObject() ? Optional.of(bean) : Optional.empty();
    } catch (IOException notNow) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
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
