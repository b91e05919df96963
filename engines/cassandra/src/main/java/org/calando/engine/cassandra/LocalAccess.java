package org.calando.engine.cassandra;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.FreshCluster;

/** How clients get into a local cluster that has users or TLS. Stateless. */
public final class LocalAccess {
  private LocalAccess() {}

  /**
   * Makes the users of a cluster that has just started, if it is to have some; blocks.
   *
   * @throws org.calando.core.FailedWorkException if it refuses
   */
  public static void secure(LocalCassandra cluster) {
    Optional<Path> password = cluster.passwordFile();
    if (password.isEmpty()) {
      return;
    }
    CassandraStoreConfig.Builder fresh = CassandraStoreConfig.builder();
    LocalNode first = cluster.nodes().get(0);
    fresh.contactPoint(first.address(), first.cqlPort()).localDataCentre(first.dataCentre());
    cluster.caFile().ifPresent(ca -> fresh.tls(TlsSettings.trusting(ca)));
    FreshCluster.secure(fresh, password.get(), cluster.superuserPasswordFile().orElseThrow());
  }

  /** Adds Calando's own user and the CA, where there are some. */
  static void apply(LocalCassandra cluster, CassandraStoreConfig.Builder store) {
    cluster
        .passwordFile()
        .ifPresent(
            file -> store.credentials(Credentials.withPasswordFile(FreshCluster.USER, file)));
    cluster.caFile().ifPresent(ca -> store.tls(TlsSettings.trusting(ca)));
  }
}
