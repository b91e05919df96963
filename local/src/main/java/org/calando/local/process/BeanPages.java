package org.calando.local.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks servers of Hadoop's family for the beans that they show over HTTP. Thread safe. */
public final class BeanPages {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * A bean.
   *
   * @param address of the server's pages
   * @param port of the server's pages
   * @param query such as {@code Hadoop:service=NameNode,name=NameNodeInfo}
   * @return empty if the server does not answer, or has no such bean
   */
  public Optional<JsonNode> bean(String address, int port, String query) {
    URI uri = URI.create("http://" + address + ":" + port + "/jmx?qry=" + query);
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
}
