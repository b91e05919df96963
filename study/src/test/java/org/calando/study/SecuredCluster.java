package org.calando.study;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.calando.engine.cassandra.LocalAccess;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;

/** Three real nodes in two data centres, with users and TLS, as the cluster of a user's own. */
final class SecuredCluster implements AutoCloseable {
  static final String BLOCK = "127.45";

  private final LocalCassandra cluster;
  private final CqlSession superuser;

  SecuredCluster() throws IOException, GeneralSecurityException {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .dataCentres(List.of("dc1", "dc1", "dc2"))
                .block(BLOCK)
                .jmxPort(7900)
                .startTimeout(Duration.ofMinutes(5))
                .auth(true)
                .tls(true)
                .build());
    try {
      LocalAccess.secure(cluster);
      superuser =
          CqlSession.builder()
              .addContactPoint(new InetSocketAddress(cluster.nodes().get(0).address(), 9042))
              .withLocalDatacenter("dc1")
              .withAuthCredentials("cassandra", firstLine(superuserPassword()))
              .withSslContext(trusting(ca()))
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                      .build())
              .build();
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static SSLContext trusting(Path ca) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(ca))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  static String firstLine(Path file) throws IOException {
    return Files.readAllLines(file).get(0);
  }

  LocalCassandra local() {
    return cluster;
  }

  /** Says CQL as the superuser, with nothing of ours between. */
  CqlSession superuser() {
    return superuser;
  }

  Path ca() {
    return cluster.caFile().orElseThrow();
  }

  Path password() {
    return cluster.passwordFile().orElseThrow();
  }

  Path superuserPassword() {
    return cluster.superuserPasswordFile().orElseThrow();
  }

  String inventory() {
    return LocalClusters.inventory(cluster);
  }

  @Override
  public void close() {
    superuser.close();
    cluster.close();
  }
}
