package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.TlsSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFilesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void privateKeysOfTheUsualAlgorithmsAreRead(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    Path file = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
    assertThat(TlsFiles.privateKey(file, pair.getPublic().getAlgorithm()))
        .isEqualTo(pair.getPrivate());
  }

  @Test
  void aKeyThatCannotBeReadIsToldHowToBeConverted() throws Exception {
    Path encrypted = pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});
    assertThatThrownBy(() -> TlsFiles.privateKey(encrypted, "RSA"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("openssl pkcs8")
        .hasMessageContaining(encrypted.toString());
    Path other = pem("PRIVATE KEY", new byte[] {1, 2, 3});
    assertThatThrownBy(() -> TlsFiles.privateKey(other, "RSA"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is no RSA key");
  }

  @Test
  void filesThatHoldNothingAreNamed() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path garbage = pem("CERTIFICATE", new byte[] {1, 2, 3});
    for (Path file : new Path[] {empty, garbage}) {
      assertThatThrownBy(() -> TlsFiles.certificates(file))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("no certificate in PEM");
    }
    assertThatThrownBy(() -> TlsFiles.certificates(folder.resolve("none.pem")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("none.pem")
        .hasMessageContaining("cannot be read");
    Path password = Files.writeString(folder.resolve("password"), "hunter2\n");
    assertThatThrownBy(() -> TlsFiles.store(new TlsSettings.StoreFile(garbage, password)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no key store")
        .hasMessageNotContaining("hunter2");
  }

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

  private Path pem(String what, byte[] content) throws Exception {
    String body = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        folder.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
