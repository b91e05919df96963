package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCertificatesTest {
  @TempDir Path folder;

  @Test
  void eachNodeGetsAKeyForItsAddressAndNobodyTheCas() throws Exception {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder().nodes(2).block("127.9").tls(true).build();
    NodeCertificates.make(config, folder);

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ca.pem", "n1.p12", "n2.p12", "keystore.password");
    }
    X509Certificate ca;
    try (var in = Files.newInputStream(NodeCertificates.caFile(folder))) {
      ca = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    assertThat(ca.getBasicConstraints()).isNotNegative();
    char[] password =
        Files.readAllLines(NodeCertificates.passwordFile(folder)).get(0).toCharArray();
    for (int node = 1; node <= 2; node++) {
      Path file = NodeCertificates.storeFile(folder, node);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      KeyStore store = KeyStore.getInstance(file.toFile(), password);
      assertThat(store.size()).isEqualTo(1);
      Certificate[] chain = store.getCertificateChain("n" + node);
      chain[0].verify(ca.getPublicKey());
      assertThat(((X509Certificate) chain[0]).getSubjectAlternativeNames())
          .containsExactly(List.of(7, "127.9.0." + node));
    }
  }
}
