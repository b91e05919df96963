package org.calando.bench.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.calando.session.AdaptiveSession;
import org.calando.session.DecisionListener;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;

/** A local Cassandra of three nodes with a table, a governor's process, and governed sessions. */
final class GovernedWorld implements AutoCloseable {
  static final TableName TABLE = TableName.parse("shop.orders");
  static final double TOLERATED = 0.05;

  private static final String BY_GOVERNOR = "decided by the governor";
  private final Path folder;
  private final LocalCassandra cluster;
  private final CqlSession driver;
  private final URI governor;
  private final Path file;

  GovernedWorld(Path folder) throws IOException {
    this.folder = folder;
    this.cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .heapMebibytes(256)
                .block("127.93")
                .startTimeout(Duration.ofMinutes(5))
                .linkDelays(delays(1))
                .build());
    this.driver = connect();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    this.governor = URI.create("http://127.0.0.1:" + port + "/api/v1/clusters/shop");
    Files.writeString(folder.resolve("inventory.yaml"), LocalClusters.inventory(cluster));
    this.file =
        Files.writeString(
            folder.resolve("govern.yaml"),
            """
            clusters:
              - {name: shop, engine: cassandra, inventory: inventory.yaml, rf: 3, sessions: true}
            listen: 127.0.0.1:%d
            """
                .formatted(port));
    driver.execute(
        "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 3}"
            .formatted(LocalCassandra.DATA_CENTRE));
    driver.execute("CREATE TABLE shop.orders (id bigint PRIMARY KEY, v bigint)");
  }

  private static LinkDelays delays(int millis) {
    Duration near = Duration.ofMillis(1);
    Duration far = Duration.ofMillis(millis);
    return LinkDelays.matrix(
        List.of(List.of(near, near, far), List.of(near, near, far), List.of(far, far, near)));
  }

  /** Sets how long the third node's links take. */
  void linksOf(int millis) {
    cluster.linkDelays(delays(millis));
  }

  /** A driver's session, which many adaptive ones share: few connections, whatever their number. */
  CqlSession driver() {
    return driver;
  }

  private CqlSession connect() {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(10))
                    .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, 8192)
                    .build());
    for (LocalNode node : cluster.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()));
    }
    return builder.build();
  }

  /** A session that looks after itself, with a driver of its own, which is closed with it. */
  AdaptiveSession alone() {
    return wrap(connect(), Optional.empty(), (table, tolerated, decision) -> {});
  }

  /** Sessions that the governor governs; to close one closes the driver that they share. */
  List<AdaptiveSession> governed(int count, IntFunction<DecisionListener> listeners) {
    List<AdaptiveSession> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sessions.add(wrap(driver, Optional.of(governor), listeners.apply(i)));
    }
    return sessions;
  }

  private static AdaptiveSession wrap(
      CqlSession session, Optional<URI> by, DecisionListener listener) {
    var builder =
        AdaptiveSession.wrap(session)
            .tolerate(TABLE.toString(), TOLERATED)
            .listener(listener)
            .startWithin(Duration.ofSeconds(60));
    by.ifPresent(builder::governedBy);
    return builder.build();
  }

  /** Starts a governor; returns at once. */
  Process govern() throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            System.getProperty("calando.command", "./calando"), "govern", file.toString());
    command.environment().put("CALANDO_STATE", folder.resolve("state").toString());
    command.environment().put("CALANDO_RUN", folder.resolve("run").toString());
    return command
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("govern.log").toFile()))
        .start();
  }

  /** Ends a governor as {@code kill -9} does. */
  static void kill(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.waitFor(30, TimeUnit.SECONDS);
  }

  static LevelInUse inUse(AdaptiveSession session) {
    return session.inUse(TABLE).orElseThrow();
  }

  static boolean isGoverned(AdaptiveSession session) {
    return inUse(session).reasons().contains(BY_GOVERNOR);
  }

  /**
   * How long a governor that was just started takes.
   *
   * @param listensSeconds until it answers
   * @param firstSeconds until the first session's reads go by it
   * @param allSeconds until all of them do
   */
  record Taken(double listensSeconds, double firstSeconds, double allSeconds) {}

  /**
   * Waits until all sessions go by the governor.
   *
   * @throws IllegalStateException if they do not within three minutes
   */
  Taken awaitGoverned(List<AdaptiveSession> sessions) throws InterruptedException {
    long begun = System.nanoTime();
    double listens = 0;
    double first = 0;
    while (true) {
      boolean answers = listens > 0 || answers();
      long governed = sessions.stream().filter(GovernedWorld::isGoverned).count();
      double now = (System.nanoTime() - begun) / 1e9;
      listens = listens == 0 && answers ? now : listens;
      first = first == 0 && governed > 0 ? now : first;
      if (governed == sessions.size()) {
        return new Taken(listens, first, now);
      }
      if (now > 180) {
        throw new IllegalStateException(
            "after %.0f s %d of %d sessions are governed; the others: %s"
                .formatted(now, governed, sessions.size(), others(sessions)));
      }
      Thread.sleep(20);
    }
  }

  /** Why sessions are not governed, and how many say so. */
  private static Map<String, Long> others(List<AdaptiveSession> sessions) {
    return sessions.stream()
        .filter(each -> !isGoverned(each))
        .map(each -> String.join("; ", inUse(each).reasons()))
        .collect(Collectors.groupingBy(why -> why, Collectors.counting()));
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(governor.getHost(), governor.getPort()), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    driver.close();
    cluster.close();
  }
}
