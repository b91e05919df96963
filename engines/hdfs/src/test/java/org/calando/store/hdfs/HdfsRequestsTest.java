package org.calando.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientRequests.Counts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a NameNode and two DataNodes of release 3.5.0 showed after three files of a block each were
 * written, with two replicas, and two of them read; shortened.
 */
class HdfsRequestsTest {
  private static final Map<String, String> NODES =
      Map.of("127.0.0.1:20001", "n1", "127.0.0.1:20002", "n2");

  @TempDir Path folder;
  private HttpServer nameNode;
  private HttpServer first;
  private HttpServer second;
  private volatile UnaryOperator<String> changed = text -> text;

  @BeforeEach
  void listen() throws IOException {
    first = server("datanode-1");
    second = server("datanode-2");
    nameNode = server("namenode");
    maintenance("NORMAL");
  }

  @AfterEach
  void stop() {
    nameNode.stop(0);
    first.stop(0);
    second.stop(0);
  }

  private HttpServer server(String documents) throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext("/jmx", exchange -> answer(documents, exchange));
    server.start();
    return server;
  }

  private void answer(String documents, HttpExchange exchange) throws IOException {
    boolean activity = exchange.getRequestURI().getQuery().contains("Activity");
    String name = "/jmx/" + documents + (activity ? "-activity" : "-info") + ".json";
    try (InputStream document =
        Objects.requireNonNull(HdfsRequestsTest.class.getResourceAsStream(name))) {
      String text =
          new String(document.readAllBytes(), StandardCharsets.UTF_8)
              .replace("127.0.0.1:21001", address(first))
              .replace("127.0.0.1:21002", address(second));
      byte[] body = changed.apply(text).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private static String address(HttpServer server) {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void maintenance(String stateOfTheSecond) throws IOException {
    Files.writeString(
        folder.resolve("hosts.json"),
        """
        [{"hostName": "127.0.0.1", "port": 20001, "adminState": "NORMAL"},
         {"hostName": "127.0.0.1", "port": 20002, "adminState": "%s"}]
        """
            .formatted(stateOfTheSecond));
  }

  private HdfsRequests requests() {
    return HdfsRequests.of(
        HdfsAccess.of("hdfs://127.0.0.1:1")
            .http(address(nameNode))
            .hostsFile(folder.resolve("hosts.json"))
            .answerWithin(Duration.ofMillis(100))
            .build(),
        NODES);
  }

  private static Counts ask(HdfsRequests requests) throws Exception {
    return requests.ask().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  private static Count count(Counts counts, String node) {
    return Objects.requireNonNull(counts.nodes().get(node));
  }

  @Test
  void aBlockIsAWriteOfEachOfItsNodesAndOneOfTheCluster() throws Exception {
    try (HdfsRequests requests = requests()) {
      Counts counts = ask(requests);
      assertThat(count(counts, "n1"))
          .extracting(Count::reads, Count::writes)
          .containsExactly(2L, 3L);
      assertThat(count(counts, "n2"))
          .extracting(Count::reads, Count::writes)
          .containsExactly(0L, 3L);
      assertThat(counts.writes().orElseThrow().writes()).isEqualTo(3);
      assertThat(requests.problems()).isEmpty();
      changed = text -> text.replace("1795695220243", "1795695999999");
      Counts restarted = ask(requests);
      assertThat(count(restarted, "n1").life()).isNotEqualTo(count(counts, "n1").life());
      assertThat(count(restarted, "n2").life()).isEqualTo(count(counts, "n2").life());
    }
  }

  @Test
  void aSilentNodeIsUnknownUnlessItIsOffByOrder() throws Exception {
    second.stop(0);
    try (HdfsRequests requests = requests()) {
      assertThat(ask(requests).nodes()).containsOnlyKeys("n1");
      assertThat(requests.problems()).containsExactly("n2 does not answer over HTTP");
      maintenance("IN_MAINTENANCE");
      assertThat(count(ask(requests), "n2"))
          .extracting(Count::life, Count::reads, Count::writes)
          .containsExactly(0L, 0L, 0L);
      assertThat(requests.problems()).isEmpty();
    }
  }

  @Test
  void withoutTheNameNodeOrItsCounterNothingIsKnown() throws Exception {
    try (HdfsRequests requests = requests()) {
      changed = text -> text.replace("AddBlockOps", "Other");
      assertThat(ask(requests)).isEqualTo(Counts.UNKNOWN);
      assertThat(requests.problems()).singleElement().asString().contains("AddBlockOps");
      nameNode.stop(0);
      assertThat(ask(requests)).isEqualTo(Counts.UNKNOWN);
      assertThat(requests.problems())
          .singleElement()
          .asString()
          .contains("NameNode does not answer");
    }
  }
}
