package org.calando.power.redfish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An authority of the test's own and the certificate of a server on 127.0.0.1, both made by the
 * JDK's keytool.
 *
 * @param certificate the authority's, in PEM
 * @param serverContext the server's
 */
record TestAuthority(Path certificate, SSLContext serverContext) {
  private static final String STORE_PASSWORD = "for-a-test-only";

  static TestAuthority create(Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    generate(store, "ca", "-ext", "bc:critical=ca:true");
    generate(store, "server", "-signer", "ca", "-ext", "san=ip:127.0.0.1");
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_PASSWORD.toCharArray());
    }
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.getCertificate("ca").getEncoded());
    Path pem =
        Files.writeString(
            folder.resolve("ca.pem"),
            "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
    keys.deleteEntry("ca");
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new TestAuthority(pem, context);
  }

  private static void generate(Path store, String alias, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC"));
    command.addAll(List.of("-dname", "CN=" + alias, "-validity", "2"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", STORE_PASSWORD));
    command.addAll(List.of(more));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
  }
}
