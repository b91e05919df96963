package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.dse.driver.api.core.cql.reactive.ReactiveRow;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Levels are those that the coordinator says it was asked for, in its trace. */
class AdaptiveSessionIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * A decision holds for some periods, here for longer than any test takes: reads turn safe by
   * themselves on a machine that stands still for longer, which is another test's.
   */
  private static final Duration PERIOD = Duration.ofMinutes(10);

  private static final String CHOSEN = "LOCAL_QUORUM";

  private static final TableName TABLE = TableName.parse("app.adaptive");
  private static AdaptiveSession session;

  @BeforeAll
  static void wrap() {
    session =
        AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
            .tolerate("app.adaptive", 0.05)
            .period(PERIOD)
            .popularityWindow(PERIOD)
            .monitorDeadline(Duration.ofSeconds(5))
            .policy((name, share, safe, local) -> new StaticPolicy(ReadChoice.of(2)))
            .build();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> session.inUse(TABLE).orElseThrow().choice().equals(ReadChoice.of(2)));
  }

  @AfterAll
  static void close() {
    if (session != null) {
      session.close();
    }
  }

  private static String level(ExecutionInfo info) {
    return info.getQueryTrace().getParameters().get("consistency_level");
  }

  private static String level(Statement<?> statement) {
    return level(session.execute(statement).getExecutionInfo());
  }

  private static SimpleStatement read() {
    return SimpleStatement.newInstance("SELECT v FROM app.adaptive WHERE id = 1").setTracing(true);
  }

  private static BoundStatement bound() {
    PreparedStatement prepared = session.prepare("SELECT v FROM app.adaptive WHERE id = ?");
    return prepared.bind(1L).setTracing(true);
  }

  @Test
  void simpleAndPreparedReadsAreSentAtTheLevelDecided() {
    assertThat(level(read())).isEqualTo(CHOSEN);
    assertThat(level(bound())).isEqualTo(CHOSEN);
    assertThat(session.inUse(TABLE).orElseThrow().safe()).isFalse();
  }

  @Test
  void itIsNotWrappedAgain() {
    assertThatThrownBy(() -> AdaptiveSession.wrap(session))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is adaptive already");
  }

  @Test
  void asynchronousAndReactiveReadsToo() {
    assertThat(level(session.executeAsync(bound()).toCompletableFuture().join().getExecutionInfo()))
        .isEqualTo(CHOSEN);
    // At ALL: two replicas that a read asks might both lack a write that one acknowledged.
    session.execute(
        SimpleStatement.newInstance("INSERT INTO app.adaptive (id, v) VALUES (1, 1)")
            .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    CompletableFuture<ExecutionInfo> info = new CompletableFuture<>();
    session.executeReactive(bound()).subscribe(new First(info));
    assertThat(level(info.join())).isEqualTo(CHOSEN);
  }

  /** Takes the first row's facts. */
  private record First(CompletableFuture<ExecutionInfo> info) implements Subscriber<ReactiveRow> {
    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    public void onNext(ReactiveRow row) {
      info.complete(row.getExecutionInfo());
    }

    @Override
    public void onError(Throwable error) {
      info.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      info.completeExceptionally(new IllegalStateException("no row"));
    }
  }

  @Test
  void aLevelOfItsOwnIsNeverChanged() {
    for (DefaultConsistencyLevel own :
        new DefaultConsistencyLevel[] {
          DefaultConsistencyLevel.ALL,
          DefaultConsistencyLevel.SERIAL,
          DefaultConsistencyLevel.LOCAL_ONE
        }) {
      assertThat(level(read().setConsistencyLevel(own))).isEqualTo(own.name());
      assertThat(level(bound().setConsistencyLevel(own))).isEqualTo(own.name());
    }
    PreparedStatement strong =
        session.prepare(
            SimpleStatement.newInstance("SELECT v FROM app.adaptive WHERE id = ?")
                .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    assertThat(level(strong.bind(1L).setTracing(true))).isEqualTo("ALL");
    assertThat(
            level(
                read()
                    .setExecutionProfile(
                        session
                            .getContext()
                            .getConfig()
                            .getDefaultProfile()
                            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "TWO"))))
        .isEqualTo("TWO");
  }

  @Test
  void writesConditionsCountersBatchesAndSchemaGoOnAsTheyCame() {
    PreparedStatement insert = session.prepare("INSERT INTO app.adaptive (id, v) VALUES (?, ?)");
    PreparedStatement once =
        session.prepare("INSERT INTO app.adaptive (id, v) VALUES (?, ?) IF NOT EXISTS");
    PreparedStatement count = session.prepare("UPDATE app.counts SET c = c + 1 WHERE id = ?");
    PreparedStatement counted = session.prepare("SELECT c FROM app.counts WHERE id = ?");
    Statement<?>[] statements = {
      insert.bind(2L, 3L),
      once.bind(1000L, 3L),
      SimpleStatement.newInstance("UPDATE app.adaptive SET v = 5 WHERE id = 1000 IF v = 3"),
      count.bind(1L),
      counted.bind(1L),
      BatchStatement.newInstance(BatchType.LOGGED, insert.bind(4L, 4L), insert.bind(5L, 5L)),
      SimpleStatement.newInstance("BEGIN BATCH DELETE FROM app.adaptive WHERE id = 4 APPLY BATCH"),
      SimpleStatement.newInstance("CREATE TABLE IF NOT EXISTS app.made (id int PRIMARY KEY)"),
    };
    for (Statement<?> statement : statements) {
      ResultSet answer = session.execute(statement);
      assertThat(answer.getExecutionInfo().getRequest()).isSameAs(statement);
      assertThat(answer.wasApplied()).isTrue();
    }
    assertThat(session.execute(counted.bind(1L)).one().getLong(0)).isEqualTo(1);
  }

  @Test
  void whatCannotBeKeptToIsRefused() {
    CqlSession driver = CLUSTER.admin();
    assertThatThrownBy(() -> AdaptiveSession.wrap(driver).tolerate("app.counts", 0.1).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("counters");
    assertThatThrownBy(() -> AdaptiveSession.wrap(driver).tolerate("app.nothing", 0.1).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no such table");
    assertThatThrownBy(() -> AdaptiveSession.wrap(driver).tolerate("app.adaptive", 1.1))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> AdaptiveSession.wrap(driver).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no table");
    assertThatThrownBy(
            () ->
                AdaptiveSession.wrap(driver)
                    .tolerate("app.adaptive", 0.1)
                    .writeLevel("app.counts", ConsistencyLevel.ONE)
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("app.counts");
    assertThatThrownBy(
            () ->
                AdaptiveSession.wrap(driver)
                    .tolerate("app.adaptive", 0.1)
                    .writeLevel("app.adaptive", ConsistencyLevel.THREE)
                    .period(Duration.ZERO)
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("period");
    CLUSTER.admin().execute("CREATE ROLE guest WITH LOGIN = true AND PASSWORD = 'g'");
    try (CqlSession guest = CLUSTER.connect("guest", "g")) {
      assertThatThrownBy(
              () ->
                  AdaptiveSession.wrap(guest)
                      .tolerate("app.adaptive", 0.1)
                      .monitorDeadline(Duration.ofSeconds(20))
                      .startWithin(PATIENCE)
                      .build())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("GRANT SELECT ON KEYSPACE system_views");
      AdaptiveSession later =
          AdaptiveSession.wrap(guest)
              .tolerate("app.adaptive", 0.1)
              .monitorDeadline(Duration.ofSeconds(20))
              .startWithin(Duration.ZERO)
              .build();
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(later.inUse(TABLE).orElseThrow().reasons())
                      .singleElement()
                      .asString()
                      .contains("tried again every 10 s", "GRANT SELECT ON KEYSPACE system_views"));
      later.close();
      assertThat(later.inUse(TABLE).orElseThrow().reasons()).containsExactly("closed");
    }
  }

  @Test
  void closingTurnsReadsToTheFallback() {
    AdaptiveSession adaptive =
        AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
            .tolerate("app.adaptive", 0.05)
            .monitorDeadline(Duration.ofSeconds(5))
            .policy((name, share, safe, local) -> new StaticPolicy(ReadChoice.of(1)))
            .build();
    assertThat(adaptive.inUse(TableName.parse("app.followed"))).isEmpty();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !adaptive.inUse(TABLE).orElseThrow().fallback());
    adaptive.close();
    assertThat(adaptive.inUse(TABLE).orElseThrow().fallback()).isTrue();
    assertThat(adaptive.inUse(TABLE).orElseThrow().level())
        .isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    assertThat(adaptive.inUse(TABLE, 0).orElseThrow().level()).isEqualTo(ConsistencyLevel.ALL);
    assertThat(adaptive.wrapped().isClosed()).isTrue();
  }
}
