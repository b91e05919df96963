package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.calando.core.policy.ReadChoice;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.session.AdaptiveSession;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sessions, a real cluster, and a governor that is killed and returns. */
class GovernedSessionsIT {
  private static final TableName TABLE = TableName.parse("shop.orders");
  private static final String BY_GOVERNOR = "decided by the governor";
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final long REQUESTS = 90;

  /** Between rounds of a client's: it is to notice levels, not to keep nodes from their work. */
  private static final long REST_NANOS = Duration.ofMillis(10).toNanos();

  private static LocalCassandra cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .heapMebibytes(192)
                .block("127.49")
                .startTimeout(Duration.ofMinutes(5))
                .build());
    try (CqlSession admin = connect()) {
      for (String statement :
          List.of(
              "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 3}"
                  .formatted(LocalCassandra.DATA_CENTRE),
              "CREATE TABLE shop.orders (id bigint PRIMARY KEY, v bigint)")) {
        admin.execute(SimpleStatement.newInstance(statement).setTimeout(Duration.ofMinutes(1)));
      }
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static CqlSession connect() {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            // Else each close waits for two seconds.
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .build());
    for (LocalNode node : cluster.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()));
    }
    return builder.build();
  }

  /** A session that reads and writes until it is closed. */
  private static final class Client implements AutoCloseable {
    private final AdaptiveSession session;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> stronger = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    Client(URI governor) {
      session =
          AdaptiveSession.wrap(connect())
              .tolerate(TABLE.toString(), 0.5)
              .governedBy(governor)
              .startWithin(Duration.ofSeconds(60))
              .build();
      thread = new Thread(this::work, "client");
      thread.start();
    }

    private void work() {
      PreparedStatement write = session.prepare("INSERT INTO shop.orders (id, v) VALUES (?, ?)");
      PreparedStatement read = session.prepare("SELECT v FROM shop.orders WHERE id = ?");
      for (long round = 0; !closed; round++) {
        session.execute(write.bind(round % 100, round));
        for (long key = 0; key < 10; key++) {
          try {
            session.execute(read.bind((round + key) % 100));
          } catch (RuntimeException e) {
            failures.add(e.toString());
          }
          LevelInUse used = inUse();
          if (!used.choice().equals(ReadChoice.of(1))) {
            stronger.add(used.choice() + " " + used.reasons());
          }
        }
        LockSupport.parkNanos(REST_NANOS);
      }
    }

    LevelInUse inUse() {
      return session.inUse(TABLE).orElseThrow();
    }

    boolean isGoverned() {
      return inUse().reasons().contains(BY_GOVERNOR);
    }

    @Override
    public void close() {
      closed = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      session.close();
    }
  }

  @Test
  void levelsComeFromTheGovernorAndOutliveItsKill() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    URI governor = URI.create("http://127.0.0.1:" + port + "/api/v1/clusters/shop");
    Path file = file(port);
    CommandProcess first = CommandProcess.start(folder, environment(), "govern", file.toString());
    try (Client one = new Client(governor);
        Client two = new Client(governor)) {
      List<Client> clients = List.of(one, two);
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(first.isAlive()).as(first.stderr()).isTrue();
                assertThat(clients)
                    .allSatisfy(
                        each -> {
                          assertThat(each.inUse().reasons()).contains(BY_GOVERNOR);
                          assertThat(each.inUse().choice()).isEqualTo(ReadChoice.of(1));
                        });
              });
      awaitMeasuring(clients, 0);
      await().atMost(LONG).until(this::isKept);

      clients.forEach(each -> each.stronger.clear());
      first.signal("KILL");
      first.exitCode();
      await().atMost(LONG).until(() -> Stream.of(one, two).noneMatch(Client::isGoverned));
      awaitMeasuring(clients, 1);
      assertThat(clients).allSatisfy(each -> assertThat(each.failures).isEmpty());
      assertThat(clients)
          .allSatisfy(each -> assertThat(new LinkedHashSet<>(each.stronger)).isEmpty());

      try (CommandProcess second =
          CommandProcess.start(folder, environment(), "govern", file.toString())) {
        await().atMost(LONG).until(() -> Stream.of(one, two).allMatch(Client::isGoverned));
        awaitMeasuring(clients, 0);
        assertThat(clients).allSatisfy(each -> assertThat(each.failures).isEmpty());
        assertThat(clients)
            .allSatisfy(each -> assertThat(new LinkedHashSet<>(each.stronger)).isEmpty());
        second.signal("TERM");
        assertThat(second.exitCode()).isEqualTo(143);
      }
    } finally {
      first.close();
    }
  }

  /** Whether there is what the next governor begins with. */
  private boolean isKept() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("shop+true+false+"));
    }
  }

  /** Waits until so many measure for the others: a canary is some 50 requests a second. */
  private static void awaitMeasuring(List<Client> clients, long count) {
    Map<Client, Long> before = new HashMap<>();
    await()
        .atMost(LONG)
        .pollInterval(LOOK)
        .until(
            () -> {
              long measuring = 0;
              for (Client each : clients) {
                long now = each.session.cost().requests();
                Long last = before.put(each, now);
                measuring += last == null || now - last > REQUESTS ? 1 : 0;
              }
              return measuring == count;
            });
  }

  private Path file(int port) throws IOException {
    Files.writeString(folder.resolve("inventory.yaml"), LocalClusters.inventory(cluster));
    return Files.writeString(
        folder.resolve("govern.yaml"),
        """
        clusters:
          - {name: shop, engine: cassandra, inventory: inventory.yaml, rf: 3, sessions: true}
        listen: 127.0.0.1:%d
        """
            .formatted(port));
  }

  private Map<String, String> environment() {
    return Map.of(
        "CALANDO_STATE",
        folder.resolve("state").toString(),
        "CALANDO_RUN",
        folder.resolve("run").toString());
  }
}
