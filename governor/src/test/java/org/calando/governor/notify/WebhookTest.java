package org.calando.governor.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Instant THEN = Instant.parse("2026-11-27T12:00:00Z");

  @TempDir Path folder;
  private final Queue<String> posts = new ConcurrentLinkedQueue<>();
  private final Queue<String> trouble = new ConcurrentLinkedQueue<>();
  private final AtomicInteger status = new AtomicInteger(200);
  private final CountDownLatch answers = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          posts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          if (exchange.getRequestURI().getPath().equals("/hangs")) {
            try {
              answers.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    answers.countDown();
    server.stop(0);
  }

  private URI address(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private Webhook webhook(String path) {
    return new Webhook(address(path), trouble::add, 1);
  }

  private static Alert alert(int i) {
    return new Alert(
        "CalandoPromiseBroken",
        "shop" + i,
        Optional.of(new Alert.Subject("promise", "stale")),
        "critical",
        "broken",
        THEN,
        Optional.empty());
  }

  @Test
  void whatIsAmissAndWhatIsOverIsPostedAsAlertmanagerDoes() throws IOException {
    try (Webhook webhook = webhook("/secret-token")) {
      webhook.send(List.of(alert(1), alert(1).over(THEN.plusSeconds(60))));
      await().atMost(LONG).until(() -> posts.size() == 1);
    }
    JsonNode post = new ObjectMapper().readTree(posts.remove());
    assertThat(post.path("version").asText()).isEqualTo("4");
    assertThat(post.path("status").asText()).isEqualTo("firing");
    assertThat(post.at("/alerts/0/labels/alertname").asText()).isEqualTo("CalandoPromiseBroken");
    assertThat(post.at("/alerts/0/labels/promise").asText()).isEqualTo("stale");
    assertThat(post.at("/alerts/0/endsAt").asText()).isEqualTo("0001-01-01T00:00:00Z");
    assertThat(post.at("/alerts/1/status").asText()).isEqualTo("resolved");
    assertThat(post.at("/alerts/1/endsAt").asText()).isEqualTo("2026-11-27T12:01:00Z");
    assertThat(post.at("/alerts/0/fingerprint")).isEqualTo(post.at("/alerts/1/fingerprint"));
  }

  @Test
  void anErrorOfTheReceiverIsTriedAgainAndNothingIsLost() {
    status.set(503);
    try (Webhook webhook = webhook("/secret-token")) {
      webhook.send(List.of(alert(1)));
      await().atMost(LONG).until(() -> posts.size() >= 3);
      status.set(204);
      await().atMost(LONG).until(() -> trouble.size() == 2);
      int before = posts.size();
      webhook.send(List.of(alert(2)));
      await().atMost(LONG).until(() -> posts.size() == before + 1);
    }
    assertThat(posts.stream().reduce((first, last) -> last).orElseThrow())
        .contains("shop2")
        .doesNotContain("shop1");
    assertThat(trouble)
        .containsExactly(
            "notifications to http://127.0.0.1: it answers 503; it is tried again",
            "notifications to http://127.0.0.1: posted again")
        .noneMatch(line -> line.contains("secret-token"));
  }

  @Test
  void whatTheReceiverRefusesIsGivenUp() {
    status.set(400);
    try (Webhook webhook = webhook("/secret-token")) {
      webhook.send(List.of(alert(1)));
      await().atMost(LONG).until(() -> trouble.size() == 1);
      status.set(200);
      webhook.send(List.of(alert(2)));
      await().atMost(LONG).until(() -> posts.size() == 2);
    }
    assertThat(posts.stream().filter(post -> post.contains("shop1"))).hasSize(1);
    assertThat(trouble.peek()).contains("it answers 400; what it does not take is given up");
  }

  @Test
  void aReceiverThatHangsKeepsNobodyWaitingAndTheQueueIsBounded() {
    try (Webhook webhook = webhook("/hangs")) {
      webhook.send(List.of(alert(0)));
      await().atMost(LONG).until(() -> posts.size() == 1);
      // None of these waits for it: else this would take ten seconds each.
      IntStream.range(1, 1001).forEach(i -> webhook.send(List.of(alert(i))));
      assertThat(posts).hasSize(1);
      answers.countDown();
      await()
          .atMost(LONG)
          .until(() -> posts.stream().anyMatch(post -> post.contains("\"shop1000\"")));
    }
    assertThat(posts).noneMatch(post -> post.contains("\"shop1\""));
    assertThat(posts.stream().skip(1).findFirst().orElseThrow())
        .as("how many are missing")
        .contains("\"truncatedAlerts\":745");
  }

  @Test
  void theAddressIsASecretOfHttps() throws IOException {
    Path file = folder.resolve("webhook");
    Files.writeString(file, "http://example.org/secret-token\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> Webhook.address(file))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("https")
        .hasMessageNotContaining("secret-token");
    Files.writeString(file, "https://example.org/secret-token\n");
    assertThat(Webhook.address(file).getPath()).isEqualTo("/secret-token");
    assertThat(Webhook.words(Webhook.address(file))).isEqualTo("https://example.org");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Webhook.address(file)).hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(file, "\n");
    assertThatThrownBy(() -> Webhook.address(file)).hasMessageContaining("empty first line");
  }

  /** It would be refused at each post, and nobody who reads the file again would know why. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "99999", "99999999999"})
  void aPortThatIsNoneIsRefusedAsTheFileIsRead(String port) throws IOException {
    Path file = folder.resolve("webhook");
    Files.writeString(file, "https://example.org:65535/secret-token\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(Webhook.address(file).getPort()).isEqualTo(65535);
    Files.writeString(file, "https://example.org:" + port + "/secret-token\n");
    assertThatThrownBy(() -> Webhook.address(file))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("port is " + port)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("write a port from 1 to 65535")
        .hasMessageNotContaining("secret-token");
  }
}
