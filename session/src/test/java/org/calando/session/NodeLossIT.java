package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.calando.core.policy.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node is killed and comes back. */
class NodeLossIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final long SECOND = 1_000_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final AtomicLong now = new AtomicLong();

  private static void write(TableName table, int count) {
    for (int i = 0; i < count; i++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance(
                  "INSERT INTO " + table + " (id, v) VALUES (?, 1)", (long) i));
    }
  }

  private void ask(Monitor monitor) {
    now.addAndGet(SECOND);
    monitor.ask().join();
  }

  @Test
  void deadNodesAreKnownAndCountersMayRestart() {
    TableName table = TableName.parse("app.survivor");
    Monitor monitor =
        Monitor.builder(CLUSTER.admin())
            .watch(table)
            .clock(now::get)
            .deadline(Duration.ofSeconds(20))
            .build();
    ask(monitor);
    write(table, 300);
    ask(monitor);
    assertThat(monitor.rates(table).orElseThrow().writesPerSecond()).isBetween(297.0, 303.0);

    try (Canary canary =
        Canary.builder(CLUSTER.admin(), LiveCluster.KEYSPACE)
            .perSecond(20)
            .window(100, Duration.ofSeconds(2))
            .start()) {
      CLUSTER.local().kill(3);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  canary.liveReplicas() == 2
                      && canary
                          .lags()
                          .filter(lags -> Double.isInfinite(lags.sample().meanSeconds()))
                          .isPresent());
      assertThat(canary.replicas()).isEqualTo(3);

      Awaitility.await().atMost(PATIENCE).until(() -> !monitor.figures(table).down().isEmpty());
      write(table, 60);
      ask(monitor);
      ask(monitor);
      MonitorFigures without = monitor.figures(table);
      assertThat(without.down())
          .singleElement()
          .extracting(MonitorFigures.Gap::node)
          .asString()
          .contains(CLUSTER.node(3).address());
      // The two others' figures are fresh, and the dead one's is no part of the sum.
      assertThat(without.rates().orElseThrow().atNanos()).isEqualTo(now.get());

      CLUSTER.local().restart(3);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  canary.liveReplicas() == 3
                      && canary
                          .lags()
                          .filter(lags -> Double.isFinite(lags.sample().meanSeconds()))
                          .isPresent());
    }
    // As old as what the node told before it died, until it has told two counts again.
    long before = monitor.rates(table).orElseThrow().atNanos();
    assertThat(before).isEqualTo(2 * SECOND);
    ask(monitor);
    assertThat(monitor.rates(table).orElseThrow().atNanos()).isEqualTo(before);
    write(table, 90);
    ask(monitor);
    Observation.Rates rates = monitor.rates(table).orElseThrow();
    assertThat(rates.atNanos()).isEqualTo(now.get());
    assertThat(rates.writesPerSecond()).isBetween(88.0, 92.0);
  }
}
