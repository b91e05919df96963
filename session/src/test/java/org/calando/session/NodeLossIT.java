package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node is killed and comes back. */
class NodeLossIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final long SECOND = 1_000_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final AtomicLong now = new AtomicLong();

  private static void write(TableName table, int count, DefaultConsistencyLevel level) {
    for (int i = 0; i < count; i++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance(
                      "INSERT INTO " + table + " (id, v) VALUES (?, 1)", (long) i)
                  // Replicas count it, the far one too.
                  .setConsistencyLevel(level));
    }
  }

  private void ask(Monitor monitor) {
    now.addAndGet(SECOND);
    monitor.ask().join();
  }

  /** Of a session that begins beside a dead node, and of one that would need it. */
  private static void readsAreAnsweredAtTheApplicationsOwnLevel() {
    SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM app.survivor WHERE id = 1");
    try (CqlSession driver = CLUSTER.connect("cassandra", "cassandra")) {
      AdaptiveSession fresh =
          AdaptiveSession.wrap(driver)
              .tolerate("app.survivor", 0.05)
              .monitorDeadline(Duration.ofSeconds(20))
              .build();
      assertThat(fresh.execute(read).one()).isNotNull();
      assertThat(fresh.inUse(TableName.parse("app.survivor")).orElseThrow().unavailable()).isZero();
      assertThatThrownBy(() -> fresh.execute(AdaptiveSession.tolerating(read, 0)))
          .isInstanceOfAny(UnavailableException.class, ReadTimeoutException.class);
      fresh.close();
    }
    try (AdaptiveSession all =
        AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
            .tolerate("app.survivor", 0.05)
            .tolerate("app.pages", 0.05)
            .monitorDeadline(Duration.ofSeconds(20))
            .policy((name, share, safe, local) -> new StaticPolicy(ReadChoice.of(3)))
            .build()) {
      TableName table = TableName.parse("app.survivor");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  Stream.of("app.survivor", "app.pages")
                      .map(name -> all.inUse(TableName.parse(name)).orElseThrow().choice())
                      .allMatch(ReadChoice.of(3)::equals));
      assertThat(all.execute(read).one()).isNotNull();
      assertThat(all.executeAsync(read).toCompletableFuture().join().one()).isNotNull();
      assertThat(ReactiveRows.of(all.executeReactive(read)).join()).hasSize(1);
      assertThat(all.inUse(table).orElseThrow().unavailable()).isEqualTo(3);

      SimpleStatement pages =
          SimpleStatement.newInstance("SELECT v FROM app.pages WHERE id = 1").setPageSize(2);
      assertThat(all.execute(pages).all()).hasSize(5);
      // The pages after the first are read at the level that it came at.
      assertThat(all.inUse(TableName.parse("app.pages")).orElseThrow().unavailable()).isEqualTo(1);
    }
  }

  /** Its tables are not there yet, and would be waited for beside the dead node. */
  private static void aFirstStartDoesNotWait() {
    TableName table = TableName.parse("later.rows");
    SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM later.rows WHERE id = 1");
    try (AdaptiveSession later =
        AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
            .tolerate("later.rows", 0.05)
            .startWithin(Duration.ZERO)
            .monitorDeadline(Duration.ofSeconds(20))
            .policy((name, share, safe, local) -> new StaticPolicy(ReadChoice.of(1)))
            .build()) {
      assertThat(later.inUse(table).orElseThrow().reasons())
          .containsExactly("measuring has not begun: it is being prepared");
      assertThat(later.inUse(table).orElseThrow().fallback()).isTrue();
      assertThat(later.execute(read).one()).isNull();
      Awaitility.await().atMost(PATIENCE).until(() -> !later.inUse(table).orElseThrow().fallback());
    }
  }

  private static void comesBackWhileItsReadsAreSampled() throws IOException, JMException {
    try (Returning returning = new Returning(CLUSTER)) {
      returning.awaitAway();
      returning.writeWithoutHints();
      CLUSTER.local().restart(3);
      // One replica of three misses all rows.
      Observation.Missed missed =
          returning.awaitMissed(
              sampled -> sampled.missed() >= 3 && sampled.missed() < sampled.reads());
      assertThat(missed.reads()).isGreaterThan(3);
    }
  }

  @Test
  void deadNodesAreKnownAndCountersMayRestart() throws IOException, JMException {
    TableName table = TableName.parse("app.survivor");
    Monitor monitor =
        Monitor.builder(CLUSTER.admin())
            .watch(table)
            .clock(now::get)
            .deadline(Duration.ofSeconds(20))
            .build();
    ask(monitor);
    write(table, 300, DefaultConsistencyLevel.ALL);
    for (int i = 0; i < 5; i++) {
      CLUSTER
          .admin()
          .execute(
              SimpleStatement.newInstance("INSERT INTO app.pages (id, part, v) VALUES (1, ?, 1)", i)
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
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
      write(table, 60, DefaultConsistencyLevel.TWO);
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

      readsAreAnsweredAtTheApplicationsOwnLevel();
      aFirstStartDoesNotWait();
      comesBackWhileItsReadsAreSampled();
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
    write(table, 90, DefaultConsistencyLevel.ALL);
    ask(monitor);
    Observation.Rates rates = monitor.rates(table).orElseThrow();
    assertThat(rates.atNanos()).isEqualTo(now.get());
    // Hints of what was written meanwhile may still arrive, and count on that node.
    assertThat(rates.writesPerSecond()).isBetween(88.0, 92.0 + 60 / 3);
  }
}
