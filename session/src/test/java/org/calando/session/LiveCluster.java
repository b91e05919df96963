package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three real nodes with users, for all classes together: n1 and n2 are a millisecond apart, n3 is
 * 20 ms away from both. The keyspace {@code app} has three replicas.
 */
final class LiveCluster implements BeforeAllCallback {
  static final String KEYSPACE = "app";
  static final double FAR_SECONDS = 0.020;
  static final int CQL_PORT = 8042;

  private static final Duration FAR = Duration.ofMillis(20);
  private static final Duration NEAR = Duration.ofMillis(1);

  private record Running(LocalCassandra cluster, CqlSession admin) implements AutoCloseable {
    @Override
    public void close() {
      admin.close();
      cluster.close();
    }
  }

  private Running running;

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(LiveCluster.class))
            .getOrComputeIfAbsent("cluster", key -> start(), Running.class);
  }

  private static Running start() {
    LocalCassandra cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.46")
                .cqlPort(CQL_PORT)
                .storagePort(8000)
                .jmxPort(8099)
                .auth(true)
                .linkDelays(
                    LinkDelays.matrix(
                        List.of(
                            List.of(NEAR, NEAR, FAR),
                            List.of(NEAR, NEAR, FAR),
                            List.of(FAR, FAR, NEAR))))
                .build());
    try {
      CqlSession admin =
          Awaitility.await("the first user")
              .atMost(Duration.ofSeconds(60))
              .ignoreExceptions()
              .until(() -> builder(cluster, "cassandra", "cassandra").build(), session -> true);
      admin.execute(
          "CREATE KEYSPACE app WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      return new Running(cluster, admin);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  LocalCassandra local() {
    return running.cluster();
  }

  /** A session of the superuser. */
  CqlSession admin() {
    return running.admin();
  }

  LocalNode node(int index) {
    return running.cluster().nodes().get(index - 1);
  }

  /** A session of another user. */
  CqlSession connect(String user, String password) {
    return builder(running.cluster(), user, password).build();
  }

  /** Makes a table {@code app.NAME (id bigint PRIMARY KEY, v bigint)}. */
  TableName table(String name) {
    admin().execute("CREATE TABLE app." + name + " (id bigint PRIMARY KEY, v bigint)");
    return new TableName(KEYSPACE, name);
  }

  private static CqlSessionBuilder builder(LocalCassandra cluster, String user, String password) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter("dc1")
            .withAuthCredentials(user, password)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                    .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                    .build());
    for (LocalNode node : cluster.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()));
    }
    return builder;
  }
}
