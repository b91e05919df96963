package org.calando.power.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks servers of the test that do what servers do wrong. */
class HttpPeerIT {
  private static final long SECOND = 1_000_000_000L;
  private static final Ticker TICKER = Ticker.system();
  private static final char[] PASSWORD = "of-a-test".toCharArray();

  @TempDir Path folder;

  @Test
  void authorityOfTheUsersOwnIsTrustedWhenItIsNamed() throws Exception {
    Path keys = folder.resolve("keys.p12");
    Path ca = folder.resolve("ca.pem");
    keytool(
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=test",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        keys.toString(),
        "-storepass",
        new String(PASSWORD));
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "server",
        "-keystore",
        keys.toString(),
        "-storepass",
        new String(PASSWORD),
        "-file",
        ca.toString());
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    server.start();
    try {
      URI uri = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/");
      HttpPeer.Answer answer = ask(Optional.of(ca), uri, 20 * SECOND);
      assertThat(new String(answer.body(), StandardCharsets.US_ASCII)).isEqualTo("ok");
      assertThat(answer.middleNanos()).isBetween(answer.sentNanos(), answer.receivedNanos());
      assertThatThrownBy(() -> ask(Optional.empty(), uri, 20 * SECOND))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("no secure connection");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void fileOfAuthoritiesThatIsNoneIsNamed() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path absent = folder.resolve("absent.pem");
    for (Path file : new Path[] {empty, absent}) {
      assertThatThrownBy(() -> HttpClients.trusting(Optional.of(file)))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void serverThatNeverAnswersMeetsTheDeadline() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      assertThatThrownBy(() -> ask(Optional.empty(), uri, SECOND / 5))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("no answer within");
    }
  }

  @Test
  void closingEndsAQuestionUnderWay() throws Exception {
    HttpPeer peer = new HttpPeer(HttpClients.trusting(Optional.empty()), TICKER, "a silent server");
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      AtomicReference<Exception> end = new AtomicReference<>();
      Thread asking =
          new Thread(
              () -> {
                try {
                  peer.ask(HttpRequest.newBuilder(uri).build(), TICKER.nanos() + 600 * SECOND, 100);
                } catch (MeterException | InterruptedException e) {
                  end.set(e);
                }
              });
      asking.start();
      try (Socket accepted = silent.accept()) {
        assertThat(accepted.getInputStream().read()).isEqualTo('G');
        peer.close();
        await().atMost(Duration.ofSeconds(30)).until(() -> end.get() != null);
      }
      assertThat(end.get()).isInstanceOf(MeterException.class).hasMessageContaining("closed");
      assertThatThrownBy(() -> peer.ask(HttpRequest.newBuilder(uri).build(), 0, 100))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("closed");
    }
  }

  private static HttpPeer.Answer ask(Optional<Path> ca, URI uri, long nanos) throws Exception {
    try (HttpPeer peer = new HttpPeer(HttpClients.trusting(ca), TICKER, uri.toString())) {
      return peer.ask(HttpRequest.newBuilder(uri).build(), TICKER.nanos() + nanos, 100);
    }
  }

  private static SSLContext context(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    builder.command().addAll(List.of(arguments));
    Process process =
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
