package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.calando.control.OffSetting;
import org.calando.core.CalandoException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackOrder;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.internal.JmxCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Racks of six real nodes go off and come back under a client with the driver's default settings,
 * which keeps its own books.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RackShiftIT {
  private static final String RACK = "dc1/r3";
  private static final int KEYS = 200;
  private static final Duration LONG = Duration.ofMinutes(2);

  /** Between writes of the client that goes on: it is to notice shifts, not to slow them. */
  private static final long REST_NANOS = Duration.ofMillis(5).toNanos();

  private static final String HINTS = "org.apache.cassandra.hints:type=HintsService";

  private static final List<String> NEWS = Collections.synchronizedList(new ArrayList<>());

  private static LocalCassandra cluster;
  private static CqlSession client;
  private static PreparedStatement write;
  private static PreparedStatement read;
  private static RackTraffic traffic;

  /** The last acknowledged value of each key, at QUORUM. */
  private static final Map<Integer, Integer> BOOKS = new ConcurrentHashMap<>();

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(6)
                .racks(3)
                .block("127.79")
                .jmxPort(7440)
                .startTimeout(Duration.ofMinutes(5))
                .yaml("materialized_views_enabled", true)
                .build());
    LocalNode node = cluster.nodes().get(0);
    client =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
            .withLocalDatacenter("dc1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .build())
            .build();
    client.execute(
        "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    client.execute("CREATE TABLE shop.stock (id int PRIMARY KEY, n int)");
    traffic = new RackTraffic(client);
    write = client.prepare("INSERT INTO shop.stock (id, n) VALUES (?, ?)");
    read = client.prepare("SELECT n FROM shop.stock WHERE id = ?");
  }

  @AfterAll
  static void stop() {
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static RackMeans means() {
    return OwnRacks.local(cluster, KeptCopies.QUORUM, "--local cassandra", RackShiftIT::heard);
  }

  private static void heard(String line) {
    NEWS.add(line);
    // For whoever reads why a test has waited.
    System.out.println(line);
  }

  private static RackShifter shifter() {
    return new RackShifter(means(), "test");
  }

  /** Writes each key once more; returns how many writes failed. */
  private static int writeAll() {
    return writeAll(0);
  }

  private static int writeAll(long restNanos) {
    int failed = 0;
    for (int id = 0; id < KEYS; id++) {
      LockSupport.parkNanos(restNanos);
      int next = BOOKS.getOrDefault(id, 0) + 1;
      try {
        client.execute(write.bind(id, next).setIdempotent(true));
        BOOKS.put(id, next);
      } catch (DriverException e) {
        failed++;
      }
    }
    return failed;
  }

  private static void requireAll(ConsistencyLevel level) {
    for (int id = 0; id < KEYS; id++) {
      Row row = client.execute(read.bind(id).setConsistencyLevel(level)).one();
      assertThat(row == null ? 0 : row.getInt("n")).as("key " + id).isEqualTo(BOOKS.get(id));
    }
  }

  /** On a busy machine a write misses a node now and then, and a hint is on its way to it. */
  private static void awaitQuiet() {
    await().atMost(Duration.ofMinutes(2)).until(() -> shifter().problems().isEmpty());
  }

  /** Shifts while the client goes on; returns how many of its writes failed. */
  private static int shift(Set<String> off) throws InterruptedException {
    if (!off.isEmpty()) {
      awaitQuiet();
    }
    boolean[] ended = {false};
    int[] failed = {0};
    Thread load =
        new Thread(
            () -> {
              while (!ended[0]) {
                failed[0] += writeAll(REST_NANOS);
                for (int i = 0; i < 10; i++) {
                  traffic.step();
                }
              }
            });
    load.start();
    try {
      shifter().shift(off);
    } finally {
      ended[0] = true;
      load.join();
    }
    return failed[0];
  }

  private static NodeSight sight(String node) {
    return means().servers().sight(node).orElseThrow();
  }

  @Test
  @Order(1)
  void oneRackOfThreeMayBeOff() {
    RackOrder gears = shifter().gears();
    assertThat(gears.highest()).isEqualTo(2);
    assertThat(gears.offIn(1)).containsExactly(RACK);
    assertThat(gears.nodesOf(gears.offIn(1))).containsExactly("n3", "n6");
    assertThat(shifter().dryRun(Set.of(RACK))).noneMatch(line -> line.contains("refused"));
  }

  @Test
  @Order(2)
  void aRackGoesOffAndComesBackWithAllThatWasWrittenMeanwhile() throws InterruptedException {
    assertThat(writeAll()).isZero();
    int window = sight("n1").hints().windowMillis();
    assertThat(shift(Set.of(RACK))).isZero();
    assertThat(cluster.isRunning("n3") || cluster.isRunning("n6")).isFalse();
    assertThat(shifter().current().off()).containsExactly(RACK);
    assertThat(sight("n1").hints().windowMillis()).isGreaterThan(window);
    assertThat(writeAll()).isZero();
    requireAll(ConsistencyLevel.QUORUM);

    // They learn of it when they are back.
    client.execute("CREATE TABLE shop.added (id int PRIMARY KEY, n int)");
    client.execute("INSERT INTO shop.added (id, n) VALUES (1, 1)");

    assertThat(shift(Set.of())).isZero();
    assertThat(shifter().current()).isEqualTo(OffSetting.ALL_ON);
    assertThat(sight("n1").hints().windowMillis()).isEqualTo(window);
    assertThat(sight("n3").serves()).isTrue();
    assertThat(NEWS).anyMatch(line -> line.contains("none was lost"));
    // At ALL an older copy on one node would only be hidden: each node's own is read at ONE, by
    // itself.
    requireEachCopy();
    requireAll(ConsistencyLevel.ALL);
    System.out.println(traffic.turnedAway() + " writes were turned away by a node that left");
    assertThat(traffic.failed()).isZero();
    traffic.require(client, ConsistencyLevel.ALL);
  }

  /** Every replica that a node has itself, as it is on its disk and in its memory. */
  private static void requireEachCopy() {
    for (LocalNode node : cluster.nodes()) {
      try (CqlSession alone =
          CqlSession.builder()
              .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
              .withLocalDatacenter("dc1")
              // Else each close waits for two seconds.
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                      .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                      .build())
              .withNodeDistanceEvaluator(
                  (known, centre) ->
                      known.getEndPoint().toString().contains(node.address())
                          ? NodeDistance.LOCAL
                          : NodeDistance.IGNORED)
              .build()) {
        traffic.require(alone, ConsistencyLevel.ONE);
        for (int id = 0; id < KEYS; id++) {
          Row row = alone.execute("SELECT n FROM shop.stock WHERE id = " + id).one();
          assertThat(row == null ? 0 : row.getInt("n"))
              .as("key " + id + " by " + node.name())
              .isEqualTo(BOOKS.get(id));
        }
        Row added = alone.execute("SELECT n FROM shop.added WHERE id = 1").one();
        assertThat(added).as("row by " + node.name() + " of the table made meanwhile").isNotNull();
      }
    }
  }

  /** Has a node's hints paused, resumed or deleted, as by nodetool. */
  private static void hints(String node, String operation) {
    LocalNode found = cluster.nodes().get(Integer.parseInt(node.substring(1)) - 1);
    var unused =
        JmxCall.within(
            new Endpoint("127.0.0.1", found.jmxPort()),
            Optional.empty(),
            jmx -> Optional.ofNullable(jmx.call(HINTS, operation)));
  }

  /** Until a node has files of hints that it is about to send, to those that are up. */
  private static void awaitHints(String node) {
    await().atMost(LONG).until(() -> !sight(node).hints().targets().isEmpty());
  }

  /** Somebody deletes what another node has for the rack, before it is sent. */
  @Test
  @Order(3)
  void nodesThatLoseTheirHintsCostARepair() throws Exception {
    awaitQuiet();
    shifter().shift(Set.of(RACK));
    assertThat(writeAll()).isZero();
    // What it keeps for the rack may not be on its disk yet.
    cluster.kill("n1");
    cluster.restart(1);
    Thread deletes =
        new Thread(
            () -> {
              awaitHints("n2");
              hints("n2", "deleteAllHints");
            });
    deletes.start();
    shifter().shift(Set.of());
    deletes.join();
    assertThat(NEWS)
        .anyMatch(
            line ->
                line.startsWith("repairing n3, as n1 has started again")
                    && line.contains("n2 has lost hints undelivered"));
    requireEachCopy();
  }

  /** Hints of such a table expire unseen while a rack is off. */
  @Test
  @Order(4)
  void aTableThatKeepsDeletionsForAnHourKeepsTheRackOn() {
    client.execute("CREATE TABLE shop.carts (id int PRIMARY KEY) WITH gc_grace_seconds = 3600");
    assertThat(shifter().dryRun(Set.of(RACK)))
        .anyMatch(line -> line.contains("refused: table shop.carts"));
    client.execute("ALTER TABLE shop.carts WITH gc_grace_seconds = 86400");
    assertThat(shifter().dryRun(Set.of(RACK))).noneMatch(line -> line.contains("refused"));
  }

  /** With a persistent window nodes would keep no new hints behind those that are not delivered. */
  @Test
  @Order(5)
  void aNodeThatIsDownAndThenItsHintsKeepTheRackOn() {
    cluster.stop("n2");
    requireRefused("n2");
    assertThat(writeAll()).isZero();
    cluster.restart(2);
    awaitHints("n1");
    hints("n1", "pauseDispatch");
    requireRefused("hints are not delivered yet, for n2");
    assertThat(cluster.isRunning("n3")).isTrue();
  }

  private static void requireRefused(String why) {
    assertThatThrownBy(() -> shifter().shift(Set.of(RACK)))
        .isInstanceOf(CalandoException.class)
        .hasMessageContaining(why);
  }
}
