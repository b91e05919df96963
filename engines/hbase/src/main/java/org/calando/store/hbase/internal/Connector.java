package org.calando.store.hbase.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.calando.core.FailedWorkException;
import org.calando.store.hbase.HBaseStoreConfig;

/** Connects to a cluster. Stateless. */
public final class Connector {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Connector() {}

  /**
   * Connects, and waits until the master answers.
   *
   * @throws FailedWorkException if ZooKeeper or the master does not answer
   */
  public static AsyncConnection connect(HBaseStoreConfig config) {
    Waits waits =
        new Waits(
            TIMEOUT,
            String.join(",", config.quorum()),
            "check quorum and znode, and that ZooKeeper and the master run");
    AsyncConnection connection =
        waits.get(connection(config, ClientSettings.of(config)), "connecting to ZooKeeper");
    try {
      var unused =
          waits.get(
              connection
                  .getAdmin()
                  .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION)),
              "asking the master");
      return connection;
    } catch (RuntimeException | Error e) {
      close(connection);
      throw e;
    }
  }

  private static CompletableFuture<AsyncConnection> connection(
      HBaseStoreConfig config, Configuration settings) {
    return config
        .user()
        .map(name -> User.create(UserGroupInformation.createRemoteUser(name)))
        .map(user -> ConnectionFactory.createAsyncConnection(settings, user))
        .orElseGet(() -> ConnectionFactory.createAsyncConnection(settings));
  }

  /** Closes a connection; operations under way get no answer. */
  public static void close(AsyncConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }
}
