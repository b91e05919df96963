package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock stands still while nodes are asked, so that rates come out exactly. */
class MonitorIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final long SECOND = 1_000_000_000;
  private static final Duration PATIENT = Duration.ofSeconds(20);

  private final AtomicLong now = new AtomicLong(-3 * SECOND);

  private Monitor monitor(TableName... tables) {
    Monitor.Builder builder = Monitor.builder(CLUSTER.admin()).clock(now::get).deadline(PATIENT);
    for (TableName table : tables) {
      builder.watch(table);
    }
    return builder.build();
  }

  private static void write(TableName table, int count) {
    for (int i = 0; i < count; i++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance(
                      "INSERT INTO " + table + " (id, v) VALUES (?, 1)", (long) i)
                  // Replicas count it, the far one too.
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
  }

  private static void read(TableName table, int count) {
    for (int i = 0; i < count; i++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance("SELECT v FROM " + table + " WHERE id = ?", (long) i));
    }
  }

  @Test
  void ratesAreThoseOfTheRequestsThatWereMade() {
    TableName one = TableName.parse("app.monitored");
    TableName other = TableName.parse("app.monitored_too");
    Monitor monitor = monitor(one, other);
    Monitor alone = monitor(one);
    monitor.check();
    alone.check();
    assertThat(monitor.rates(one)).isEmpty();

    write(one, 120);
    read(one, 300);
    write(other, 30);
    CLUSTER.admin().execute("SELECT * FROM " + other).all();
    now.addAndGet(10 * SECOND);
    monitor.check();
    alone.check();

    for (Monitor each : new Monitor[] {monitor, alone}) {
      Observation.Rates rates = each.rates(one).orElseThrow();
      assertThat(rates.atNanos()).isEqualTo(now.get());
      assertThat(rates.readsPerSecond()).isCloseTo(30, within(0.5));
      assertThat(rates.writesPerSecond()).isCloseTo(12, within(0.2));
      assertThat(rates.meanWriteBytes()).isNaN();
    }
    assertThat(monitor.rates(other).orElseThrow().writesPerSecond()).isCloseTo(3, within(0.1));
    assertThat(monitor.rates(other).orElseThrow().readsPerSecond()).isCloseTo(0.1, within(0.01));
    assertThat(monitor.figures(one).writeBytes()).isEqualTo(MonitorFigures.WriteBytes.UNKNOWN);
    // Three questions to three nodes, twice, and the sizes of two tables once.
    assertThat(monitor.cost().requests()).isEqualTo(2 * 9 + 2);
    assertThat(monitor.cost().cpuNanos()).isPositive();
  }

  @Test
  void batchesConditionalWritesAndDeletesAreCountedByRow() {
    TableName table = TableName.parse("app.batched");
    Monitor monitor = monitor(table);
    monitor.check();
    for (BatchType type : new BatchType[] {BatchType.LOGGED, BatchType.UNLOGGED}) {
      for (int batch = 0; batch < 5; batch++) {
        BatchStatement rows = BatchStatement.newInstance(type);
        for (int row = 0; row < 20; row++) {
          rows =
              rows.add(
                  SimpleStatement.newInstance(
                      "INSERT INTO app.batched (id, v) VALUES (?, 1)", 20L * batch + row));
        }
        CLUSTER.admin().execute(rows.setConsistencyLevel(DefaultConsistencyLevel.ALL));
      }
    }
    for (long id = 0; id < 20; id++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance("UPDATE app.batched SET v = 2 WHERE id = ? IF v = 1", id)
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance("DELETE FROM app.batched WHERE id = ?", id)
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    now.addAndGet(10 * SECOND);
    monitor.check();
    assertThat(monitor.rates(table).orElseThrow().writesPerSecond())
        .isCloseTo((2 * 5 * 20 + 20 + 20) / 10.0, within(0.2));
  }

  @Test
  void aNodeThatDoesNotAnswerIsAGapAndItsRateAsOldAsItIs() {
    TableName table = TableName.parse("app.blocked");
    Monitor monitor =
        Monitor.builder(CLUSTER.admin())
            .clock(now::get)
            .deadline(Duration.ofSeconds(1))
            .watch(table)
            .ownWriteBytes(each -> 42)
            .build();
    // Within its deadline, on a machine however busy.
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now.addAndGet(SECOND);
              monitor.ask().join();
              return monitor.figures(table).late().isEmpty()
                  && monitor.rates(table).filter(r -> r.atNanos() == now.get()).isPresent();
            });
    long before = now.get();
    Node blocked = node(3);
    MonitorFigures figures;
    Signals.send("STOP", CLUSTER.node(3).pid());
    try {
      now.addAndGet(5 * SECOND);
      monitor.ask().join();
      // Before it goes on: what it answers then counts.
      figures = monitor.figures(table);
    } finally {
      Signals.send("CONT", CLUSTER.node(3).pid());
    }
    assertThat(figures.late())
        .contains(
            new MonitorFigures.Gap(blocked.getEndPoint().toString(), "did not answer in time"));
    assertThat(figures.rates().orElseThrow().atNanos()).isEqualTo(before);
    assertThat(figures.rates().orElseThrow().meanWriteBytes()).isEqualTo(42);
    assertThat(figures.writeBytes()).isEqualTo(MonitorFigures.WriteBytes.OWN_WRITES);

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now.addAndGet(SECOND);
              monitor.ask().join();
              return monitor.rates(table).orElseThrow().atNanos() == now.get();
            });
    assertThat(monitor.figures(table).late()).isEmpty();
  }

  private static Node node(int index) {
    return CLUSTER.admin().getMetadata().getNodes().values().stream()
        .filter(node -> node.getEndPoint().toString().contains(CLUSTER.node(index).address()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRoleThatMayNotReadTheCountsIsToldWhatItNeeds() {
    TableName table = TableName.parse("app.monitored");
    CLUSTER.admin().execute("CREATE ROLE watcher WITH LOGIN = true AND PASSWORD = 'w'");
    try (CqlSession session = CLUSTER.connect("watcher", "w")) {
      Monitor monitor = Monitor.builder(session).watch(table).deadline(PATIENT).build();
      assertThatThrownBy(monitor::check)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("GRANT SELECT ON KEYSPACE system_views");
      assertThat(monitor.figures(table).late()).hasSize(3);
      assertThat(monitor.rates(table)).isEmpty();
    }
  }

  @Test
  void nothingWatchedIsRefused() {
    assertThatThrownBy(() -> Monitor.builder(CLUSTER.admin()).build())
        .isInstanceOf(BadRequestException.class);
  }
}
