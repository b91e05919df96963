package org.calando.store.hdfs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.store.hdfs.HdfsAccess;

/** Beans and settings that servers show over HTTP. Thread safe. */
public final class Beans {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HdfsAccess access;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /** Of the cluster's NameNode and DataNodes. */
  public Beans(HdfsAccess access) {
    this.access = access;
  }

  /**
   * A bean of the NameNode.
   *
   * @throws FailedWorkException if it does not answer in time
   */
  public Optional<JsonNode> bean(String name) {
    JsonNode answer = patiently("/jmx?qry=" + encoded(name));
    return Optional.of(answer.path("beans").path(0)).filter(JsonNode::isObject);
  }

  /** A bean of a server; empty if it does not answer now. */
  Optional<JsonNode> beanOf(String server, String name) {
    try {
      JsonNode answer = get(server, "/jmx?qry=" + encoded(name));
      return Optional.of(answer.path("beans").path(0)).filter(JsonNode::isObject);
    } catch (IOException notNow) {
      return Optional.empty();
    }
  }

  /** A setting of the NameNode, its default included. */
  public Optional<String> setting(String name) {
    JsonNode answer = patiently("/conf?name=" + encoded(name));
    return Optional.of(answer.path("property").path("value"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText);
  }

  private static URI uri(String server, String path) {
    return URI.create("http://" + server + path);
  }

  private JsonNode patiently(String path) {
    long deadline = System.nanoTime() + access.answerWithin().toNanos();
    while (true) {
      try {
        return get(access.http(), path);
      } catch (IOException e) {
        if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
          throw new FailedWorkException(
              "the NameNode does not answer over HTTP within "
                  + access.answerWithin().toSeconds()
                  + " s: "
                  + e,
              access.http(),
              "start it; if it listens elsewhere, its dfs.namenode.http-address says where",
              e);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** What is there, as JSON; missing if there is nothing. */
  private JsonNode get(String server, String path) throws IOException {
    URI uri = uri(server, path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Accept", "application/json").timeout(TIMEOUT).build();
    try {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return switch (answer.statusCode()) {
        case OK -> JSON.readTree(answer.body());
        case NOT_FOUND -> MissingNode.getInstance();
        case UNAUTHORIZED, FORBIDDEN ->
            throw new BadRequestException(
                server + " asks for a log-in to its pages, which Calando does not have",
                uri.toString(),
                "use a cluster whose hadoop.http.authentication.type is simple");
        default -> throw new IOException("HTTP status " + answer.statusCode());
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** An attribute that is a text that holds JSON. */
  static JsonNode nested(JsonNode bean, String attribute) {
    try {
      return JSON.readTree(bean.path(attribute).asText("{}"));
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
