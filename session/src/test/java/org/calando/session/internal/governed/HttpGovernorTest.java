package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The transport against a server on real sockets. */
class HttpGovernorTest {
  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> ports = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private volatile int status = 200;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/clusters/shop/sessions",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          ports.add(exchange.getRemoteAddress().getPort());
          byte[] answer = "told\nmore".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private HttpGovernor governor() {
    return new HttpGovernor(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/clusters/shop"),
        Optional.empty(),
        Optional.empty());
  }

  private static String exchange(HttpGovernor governor, String report) {
    return governor.exchange(report).toCompletableFuture().join();
  }

  @Test
  void allReportsGoOverOneConnection() {
    try (HttpGovernor governor = governor()) {
      for (int i = 0; i < 20; i++) {
        assertThat(exchange(governor, "report " + i)).isEqualTo("told\nmore");
      }
    }
    assertThat(bodies).hasSize(20).startsWith("report 0");
    assertThat(ports.stream().distinct()).hasSize(1);
  }

  @Test
  void whatIsNoAnswerFailsAndSaysWhy() {
    try (HttpGovernor governor = governor()) {
      status = 404;
      assertThatThrownBy(() -> exchange(governor, "report"))
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("it answers 404: told");
      server.stop(0);
      assertThatThrownBy(() -> exchange(governor, "report"))
          .isInstanceOf(CompletionException.class);
    }
    HttpGovernor closed = governor();
    closed.close();
    assertThatThrownBy(() -> exchange(closed, "report")).hasMessageContaining("closed");
  }

  @Test
  void addressesAndTokensAreChecked() {
    for (String wrong :
        List.of(
            "shop",
            "http://127.0.0.1:7474",
            "ftp://127.0.0.1/api/v1/clusters/shop",
            "http://127.0.0.1:7474/api/v1/clusters/",
            "http:///api/v1/clusters/shop")) {
      assertThatThrownBy(
              () -> new HttpGovernor(URI.create(wrong), Optional.empty(), Optional.empty()))
          .as(wrong)
          .isInstanceOf(BadRequestException.class);
    }
    URI plain = URI.create("http://127.0.0.1:7474/api/v1/clusters/shop");
    URI tls = URI.create("https://127.0.0.1:7474/api/v1/clusters/shop");
    Optional<Path> missing = Optional.of(Path.of("/no/such/file"));
    assertThatThrownBy(() -> new HttpGovernor(plain, missing, Optional.empty()))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new HttpGovernor(tls, missing, Optional.empty()))
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> new HttpGovernor(tls, Optional.empty(), missing))
        .hasMessageContaining("cannot be read");
  }
}
