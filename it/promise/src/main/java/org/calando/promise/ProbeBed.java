package org.calando.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;

/*
 * Two nodes are near each other and the third is far, so that writes at QUORUM leave stale reads
 * too: those through the far node.
 */
/** Three real nodes with three replicas of everything, and an administrator's session. */
final class ProbeBed implements AutoCloseable {
  /** Replicas of every row. */
  static final int FACTOR = 3;

  private static final int TOGETHER = 64;
  private static final int WARM_UP = 5000;

  private final LocalCassandra cluster;
  private final CqlSession admin;

  private ProbeBed(LocalCassandra cluster, CqlSession admin) {
    this.cluster = cluster;
    this.admin = admin;
  }

  static ProbeBed start(LinkDelays delays) {
    return start(delays, WARM_UP);
  }

  /**
   * Starts it with another warm-up.
   *
   * @param warmUp rows that are written and read first; each takes as long as the longest link
   */
  static ProbeBed start(LinkDelays delays, int warmUp) {
    LocalCassandra cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(FACTOR)
                .racks(FACTOR)
                .block("127.91")
                .cqlPort(8742)
                .storagePort(8700)
                .jmxPort(8799)
                .startTimeout(Duration.ofMinutes(5))
                .linkDelays(delays)
                .build());
    try {
      ProbeBed bed = new ProbeBed(cluster, connect(cluster));
      bed.warmUp(warmUp);
      return bed;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** The delays of links of the cells. */
  static LinkDelays apart() {
    Duration near = Duration.ofMillis(5);
    Duration far = Duration.ofMillis(50);
    return LinkDelays.matrix(
        List.of(List.of(near, near, far), List.of(near, near, far), List.of(far, far, near)));
  }

  private static CqlSession connect(LocalCassandra cluster) {
    var builder =
        CqlSession.builder()
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    // A table is used by whichever node is asked next.
                    .withDuration(
                        DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT,
                        Duration.ofMinutes(1))
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
                    .build());
    for (LocalNode node : cluster.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()));
    }
    return builder.build();
  }

  LocalCassandra cluster() {
    return cluster;
  }

  /** Where clients connect. */
  List<String> contacts() {
    return cluster.nodes().stream().map(node -> node.address() + ":" + node.cqlPort()).toList();
  }

  /** Makes a keyspace whose table {@code t} has rows 0 to the count, all of version 0. */
  void load(String keyspace, int rows) {
    admin.execute("DROP KEYSPACE IF EXISTS " + keyspace);
    admin.execute(
        "CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': %d}"
            .formatted(keyspace, LocalCassandra.DATA_CENTRE, FACTOR));
    admin.execute("CREATE TABLE " + keyspace + ".t (id bigint PRIMARY KEY, v bigint)");
    PreparedStatement insert =
        admin.prepare("INSERT INTO " + keyspace + ".t (id, v) VALUES (?, 0)");
    forRows(rows, insert);
  }

  private void forRows(int rows, PreparedStatement statement) {
    Queue<CompletionStage<?>> underWay = new ArrayDeque<>();
    for (long key = 0; key < rows; key++) {
      if (underWay.size() == TOGETHER) {
        underWay.remove().toCompletableFuture().join();
      }
      underWay.add(admin.executeAsync(statement.bind(key)));
    }
    underWay.forEach(each -> each.toCompletableFuture().join());
  }

  /** Servers that have just started are late for reasons of their own. */
  private void warmUp(int rows) {
    load("warm_up", rows);
    forRows(rows, admin.prepare("SELECT v FROM warm_up.t WHERE id = ?"));
    admin.execute("DROP KEYSPACE warm_up");
  }

  /** Requests for all tables of a keyspace that the nodes have coordinated so far. */
  long requests(String keyspace) {
    long requests = 0;
    for (Node node : admin.getMetadata().getNodes().values()) {
      for (String kind : List.of("read", "write", "scan")) {
        requests +=
            admin
                .execute(
                    SimpleStatement.newInstance(
                            "SELECT keyspace_name, count FROM system_views.coordinator_"
                                + kind
                                + "_latency")
                        .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                        .setNode(node))
                .all()
                .stream()
                .filter(row -> keyspace.equals(row.getString("keyspace_name")))
                .mapToLong(row -> row.getLong("count"))
                .sum();
      }
    }
    return requests;
  }

  @Override
  public void close() {
    admin.close();
    cluster.close();
  }
}
