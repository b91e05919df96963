package org.calando.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;
import org.assertj.core.api.AbstractThrowableAssert;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of a user's own cluster show and trust, by the files that he names. */
class TlsFilesTest {
  private static final String PASSWORD = "hunter2";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void keysOfTheUsualAlgorithmsAreShownFromEitherKindOfFile(String algorithm) throws Exception {
    KeyStore made = made(algorithm);
    Path certificate = pem("CERTIFICATE", made.getCertificate("own").getEncoded());
    Path key = pem("PRIVATE KEY", made.getKey("own", PASSWORD.toCharArray()).getEncoded());
    Path store = folder.resolve(algorithm + ".p12");
    for (TlsSettings tls : List.of(showing(certificate, key), showing(store))) {
      X509KeyManager shown = (X509KeyManager) TlsFiles.keys(tls).orElseThrow().getKeyManagers()[0];
      String type = made.getCertificate("own").getPublicKey().getAlgorithm();
      String alias = shown.getClientAliases(type, null)[0];
      assertThat((Certificate[]) shown.getCertificateChain(alias))
          .containsExactly(made.getCertificate("own"));
    }
  }

  @Test
  void aKeyThatCannotBeReadIsToldHowToBeConverted() throws Exception {
    Path certificate = pem("CERTIFICATE", made("RSA").getCertificate("own").getEncoded());
    Path encrypted = pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3});
    refused(showing(certificate, encrypted), encrypted).hasMessageContaining("openssl pkcs8");
    Path other = pem("PRIVATE KEY", new byte[] {1, 2, 3});
    refused(showing(certificate, other), other).hasMessageContaining("holds no RSA key");
    KeyStore strangers = made("EC");
    Path key = pem("PRIVATE KEY", strangers.getKey("own", PASSWORD.toCharArray()).getEncoded());
    refused(showing(certificate, key), key);
  }

  @Test
  void filesThatHoldNothingAreNamed() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path garbage = pem("CERTIFICATE", new byte[] {1, 2, 3});
    for (Path file : List.of(empty, garbage)) {
      refused(TlsSettings.trusting(file), file).hasMessageContaining("no certificate in PEM");
    }
    Path none = folder.resolve("none.pem");
    refused(TlsSettings.trusting(none), none).hasMessageContaining("cannot be read");
    refused(showing(garbage), garbage)
        .hasMessageContaining("no key store")
        .hasMessageNotContaining(PASSWORD);
    refused(showing(none), none).hasMessageContaining("cannot be read");
  }

  private static AbstractThrowableAssert<?, ?> refused(TlsSettings tls, Path file) {
    return assertThatThrownBy(() -> TlsFiles.context(tls))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(file.toString());
  }

  private static TlsSettings showing(Path certificate, Path key) {
    return new TlsSettings(
        Optional.empty(),
        Optional.empty(),
        Optional.of(certificate),
        Optional.of(key),
        Optional.empty(),
        true);
  }

  private TlsSettings showing(Path store) throws IOException {
    Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
    return new TlsSettings(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new TlsSettings.StoreFile(store, password)),
        true);
  }

  /** A store with a key and its certificate, which {@code keytool} makes. */
  private KeyStore made(String algorithm) throws Exception {
    Path store = folder.resolve(algorithm + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-alias",
                "own",
                "-dname",
                "CN=own",
                "-keyalg",
                algorithm)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private Path pem(String what, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        folder.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
