package org.calando.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clusters that say over HTTP what they are; nobody answers calls. */
class RefusedClusterTest {
  private final Map<String, String> settings = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile int status = 200;
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext("/conf", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String name = exchange.getRequestURI().getQuery().replace("name=", "");
    String value = settings.get(name);
    int code = status != 200 ? status : value == null ? 404 : 200;
    if (failures.getAndDecrement() > 0) {
      code = 503;
    }
    byte[] body =
        "{\"property\":{\"key\":\"%s\",\"value\":\"%s\"}}"
            .formatted(name, value)
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private HdfsCluster open() {
    return HdfsCluster.open(
        HdfsAccess.of("hdfs://127.0.0.1:1")
            .http("127.0.0.1:" + server.getAddress().getPort())
            .answerWithin(Duration.ofSeconds(20))
            .build());
  }

  @Test
  void kerberosBlockTokensAndEncryptionAreRefusedWithTheReason() {
    for (Map.Entry<String, String> each :
        Map.of(
                "hadoop.security.authentication", "kerberos",
                "dfs.block.access.token.enable", "true",
                "dfs.encrypt.data.transfer", "true")
            .entrySet()) {
      settings.clear();
      settings.put(each.getKey(), each.getValue());
      String said = each.getValue().equals("true") ? each.getKey() : each.getValue();
      assertThatThrownBy(this::open)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(said);
    }
  }

  @Test
  void pagesThatAskForALogInAreRefused() {
    status = 401;
    assertThatThrownBy(this::open)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("log-in");
  }

  @Test
  void aNameNodeThatIsNotReadyIsAskedAgain() {
    settings.put("hadoop.security.authentication", "simple");
    failures.set(3);
    try (HdfsCluster cluster = open()) {
      assertThat(cluster.setting("hadoop.security.authentication")).contains("simple");
      assertThat(failures.get()).isLessThanOrEqualTo(0);
      assertThatThrownBy(() -> cluster.setMaintenance(List.of(), Set.of()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("hosts file");
    }
  }

  @Test
  void aNameNodeThatDoesNotAnswerCallsIsTold() {
    HdfsAccess access =
        HdfsAccess.of("hdfs://127.0.0.1:1").answerWithin(Duration.ofMillis(1)).build();
    try (HdfsCluster cluster = HdfsCluster.unchecked(access)) {
      assertThatThrownBy(cluster::nodes)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("hdfs://127.0.0.1:1");
    }
  }
}
