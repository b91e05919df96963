package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three real nodes with users, for all classes together: n1 and n2 are a millisecond apart, n3 is
 * 20 ms away from both. All keyspaces have three replicas, and all tables are there from the start.
 */
final class LiveCluster implements BeforeAllCallback {
  static final String KEYSPACE = "app";
  static final double FAR_SECONDS = 0.020;
  static final int CQL_PORT = 8042;

  private static final List<String> KEYSPACES =
      List.of(KEYSPACE, "shop", "foreign_canary", "guarded", "crowd", "later");
  private static final String PLAIN = " (id bigint PRIMARY KEY, v bigint)";
  private static final List<String> TABLES =
      List.of(
          "app.adaptive" + PLAIN,
          "app.followed" + PLAIN,
          "app.counts (id bigint PRIMARY KEY, c counter)",
          "app.monitored" + PLAIN,
          "app.monitored_too" + PLAIN,
          "app.blocked" + PLAIN,
          "app.batched" + PLAIN,
          "app.survivor" + PLAIN,
          "app.pages (id bigint, part int, v bigint, PRIMARY KEY (id, part))",
          "app.unseen" + PLAIN,
          Returning.TABLE + PLAIN + " WITH read_repair = 'NONE'",
          "later.rows" + PLAIN,
          "crowd.orders (id bigint PRIMARY KEY, status text)",
          "shop.orders (id bigint PRIMARY KEY, status text)",
          "foreign_canary.calando_canary" + PLAIN);

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
                // As patient as the sessions below: on a busy machine a write may take seconds.
                .yaml("write_request_timeout", "20s")
                .startTimeout(Duration.ofMinutes(5))
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
      together(
          admin,
          KEYSPACES.stream()
              .map(
                  name ->
                      "CREATE KEYSPACE "
                          + name
                          + " WITH replication ="
                          + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}"));
      together(admin, TABLES.stream().map(table -> "CREATE TABLE " + table));
      return new Running(cluster, admin);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  // The driver waits a second behind each change, for others; shorter, and it may find that the
  // nodes agree when most have not heard of the change yet. Changes made at once wait once.
  private static void together(CqlSession session, Stream<String> changes) {
    Node one = session.getMetadata().getNodes().values().iterator().next();
    changes
        .map(change -> session.executeAsync(SimpleStatement.newInstance(change).setNode(one)))
        .toList()
        .forEach(answer -> answer.toCompletableFuture().join());
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

  private static CqlSessionBuilder builder(LocalCassandra cluster, String user, String password) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter("dc1")
            .withAuthCredentials(user, password)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    // A trace is written behind the answer's back, and takes its time to the far
                    // node.
                    .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, 200)
                    .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(25))
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
