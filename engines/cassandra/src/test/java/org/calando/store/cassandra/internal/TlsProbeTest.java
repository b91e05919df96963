package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.http.TlsSettings;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.junit.jupiter.api.Test;

class TlsProbeTest {
  @Test
  void aPortThatSpeaksSomethingElseIsToldFromOneThatSpeaksTls() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint endpoint =
          new Endpoint(server.getInetAddress().getHostAddress(), server.getLocalPort());
      TlsSettings jdk =
          new TlsSettings(
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              true);
      TlsContext context =
          TlsContext.of(
                  CassandraStoreConfig.builder()
                      .contactPoint(endpoint.host(), endpoint.port())
                      .tls(jdk)
                      .build())
              .orElseThrow();
      CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answerInText(server));
      assertThat(TlsProbe.examine(context, endpoint).orElseThrow().what())
          .contains("does not speak TLS");
      answered.get(10, TimeUnit.SECONDS);
      answered = CompletableFuture.runAsync(() -> answerInText(server));
      assertThat(TlsProbe.speaksTls(endpoint)).isFalse();
      answered.get(10, TimeUnit.SECONDS);
    }
  }

  private static void answerInText(ServerSocket server) {
    try (Socket socket = server.accept();
        OutputStream out = socket.getOutputStream()) {
      var unused = socket.getInputStream().read();
      out.write("this is no TLS at all\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
