package org.calando.cli;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.layout.WarmShare;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;

/** Four real nodes on one rack with a table of three replicas, and what they say of themselves. */
final class MovingCluster implements AutoCloseable {
  static final int NODES = 4;
  static final int REPLICAS = 3;
  static final int ROWS = 6000;

  private static final int BYTES = 1024;
  private static final int BATCH = 200;
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";

  private final LocalCassandra cluster;
  private final CqlSession session;

  MovingCluster(Path stateFolder) {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(NODES)
                .racks(1)
                .replicationFactor(REPLICAS)
                .layout(WarmShare.EVEN)
                .heapMebibytes(192)
                .block("127.47")
                .jmxPort(7760)
                .startTimeout(Duration.ofMinutes(5))
                .stateFolder(stateFolder)
                .build());
    LocalNode first = cluster.nodes().get(0);
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(first.address(), first.cqlPort()))
            .withLocalDatacenter(first.dataCentre())
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    .build())
            .build();
  }

  LocalCassandra local() {
    return cluster;
  }

  CqlSession session() {
    return session;
  }

  /** Rows that no compression makes smaller, on disk. */
  void fill() throws IOException, JMException {
    session.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': "
            + REPLICAS
            + "}");
    session.execute("CREATE TABLE shop.items (id int PRIMARY KEY, payload blob)");
    session.execute("CREATE TABLE shop.beats (id int PRIMARY KEY, beat int)");
    PreparedStatement insert =
        session.prepare("INSERT INTO shop.items (id, payload) VALUES (?, ?)");
    Random random = new Random(1);
    List<CompletionStage<AsyncResultSet>> writes = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      byte[] payload = new byte[BYTES];
      random.nextBytes(payload);
      writes.add(
          session.executeAsync(
              insert.bind(id, ByteBuffer.wrap(payload)).setConsistencyLevel(ConsistencyLevel.ALL)));
      if (writes.size() == BATCH) {
        writes.forEach(write -> write.toCompletableFuture().join());
        writes.clear();
      }
    }
    for (int node = 1; node <= NODES; node++) {
      invoke(node, "forceKeyspaceFlush", "shop", new String[0]);
    }
  }

  /** Rows that reads at a level find, each asked for by itself. */
  int found(ConsistencyLevel level) {
    PreparedStatement read = session.prepare("SELECT id FROM shop.items WHERE id = ?");
    List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
    int found = 0;
    for (int id = 0; id < ROWS; id++) {
      reads.add(session.executeAsync(read.bind(id).setConsistencyLevel(level)));
      if (reads.size() == BATCH) {
        found += rows(reads);
        reads.clear();
      }
    }
    return found + rows(reads);
  }

  private static int rows(List<CompletionStage<AsyncResultSet>> reads) {
    return (int)
        reads.stream().filter(read -> read.toCompletableFuture().join().one() != null).count();
  }

  /** What nodes sent each other in moves since their start, as they tell it. */
  long relocated() {
    Map<UUID, Long> received = new HashMap<>();
    Map<UUID, Long> sent = new HashMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      for (Row row :
          session.execute(
              SimpleStatement.newInstance(
                      "SELECT id, operation, bytes_received, bytes_sent"
                          + " FROM system_views.streaming")
                  .setConsistencyLevel(ConsistencyLevel.ONE)
                  .setNode(node))) {
        if ("Relocation".equalsIgnoreCase(row.getString(1))) {
          received.merge(row.getUuid(0), row.getLong(2), Long::sum);
          sent.merge(row.getUuid(0), row.getLong(3), Long::sum);
        }
      }
    }
    return received.keySet().stream()
        .mapToLong(id -> Math.max(received.get(id), sent.get(id)))
        .sum();
  }

  /** What each node tells of its streams, in words. */
  String streams() {
    StringBuilder text = new StringBuilder();
    for (Node node : session.getMetadata().getNodes().values()) {
      for (Row row :
          session.execute(
              SimpleStatement.newInstance("SELECT * FROM system_views.streaming")
                  .setConsistencyLevel(ConsistencyLevel.ONE)
                  .setNode(node))) {
        text.append(node.getEndPoint()).append(' ').append(row.getFormattedContents()).append('\n');
      }
    }
    return text.toString();
  }

  /** Shares of the ring that nodes own, as the first one tells. */
  double owned(LocalNode node) throws IOException, JMException {
    return share((Map<?, ?>) attribute(1, "Ownership"), node);
  }

  /** Shares of the table that nodes hold as replicas, as the first one tells. */
  double held(LocalNode node) throws IOException, JMException {
    return share((Map<?, ?>) invoke(1, "effectiveOwnership", "shop"), node);
  }

  /** Whether a node says that it is moving. */
  boolean isMoving(int node) throws IOException, JMException {
    return "MOVING".equals(attribute(node, "OperationMode"));
  }

  private static double share(Map<?, ?> shares, LocalNode node) throws IOException {
    return ((Number) shares.get(InetAddress.getByName(node.address()))).doubleValue();
  }

  private Object attribute(int node, String name) throws IOException, JMException {
    try (JMXConnector connector = connect(node)) {
      return connector.getMBeanServerConnection().getAttribute(new ObjectName(SERVICE), name);
    }
  }

  private Object invoke(int node, String operation, Object... arguments)
      throws IOException, JMException {
    String[] types = new String[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i].getClass().getName();
    }
    try (JMXConnector connector = connect(node)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      return beans.invoke(new ObjectName(SERVICE), operation, arguments, types);
    }
  }

  @SuppressWarnings("BanJNDI") // our own child's registry
  private JMXConnector connect(int node) throws IOException {
    String url =
        "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + cluster.config().jmxPort(node) + "/jmxrmi";
    return JMXConnectorFactory.connect(new JMXServiceURL(url));
  }

  @Override
  public void close() {
    session.close();
    cluster.close();
  }
}
