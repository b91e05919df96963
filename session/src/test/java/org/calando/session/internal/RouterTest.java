package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.AdaptiveSession;
import org.calando.session.KeyObserver;
import org.calando.session.TableName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Simple statements and batches; those that are prepared need a server. */
class RouterTest {
  private static final TableName NAME = new TableName("shop", "orders");
  private static final SimpleStatement READ =
      SimpleStatement.newInstance("SELECT v FROM shop.orders WHERE id = 1");

  private final List<String> seen = new ArrayList<>();
  private final KeyObserver observer =
      new KeyObserver() {
        @Override
        public void observed(long hashOfKey, boolean write) {
          seen.add((write ? "write " : "read ") + hashOfKey);
        }

        @Override
        public Optional<KeyPopularity> renew() {
          return Optional.empty();
        }
      };
  private Optional<CqlIdentifier> keyspace = Optional.empty();
  private WatchedTable table;
  private Router router;

  private long now;

  @BeforeEach
  void route() {
    TableLevels levels =
        TableLevels.of(ReplicaPlacement.single(3), ConsistencyLevel.LOCAL_QUORUM, true);
    table = new WatchedTable(NAME, Set.of(), 0.05, false, levels, observer, () -> now);
    router =
        new Router(
            new StatementTables(Map.of(NAME, table), () -> keyspace),
            ConsistencyLevel.LOCAL_QUORUM,
            statement -> ConsistencyLevel.LOCAL_ONE,
            (statement, found, key) -> {});
    table.set(table.main(), levels, ReadChoice.of(1), false, 0, 10, List.of("test"));
  }

  private static Object level(Statement<?> statement) {
    return statement.getConsistencyLevel();
  }

  @Test
  void readsGetTheLevelOfTheirTable() {
    assertThat(level(router.route(READ))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    // And again, from what is kept of it.
    assertThat(level(router.route(READ))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    assertThat(router.route(READ).getTimeout()).isEqualTo(READ.getTimeout());
  }

  @Test
  void theKeyspaceIsTheStatementsOrTheSessions() {
    SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM orders");
    assertThat(router.route(read)).isSameAs(read);
    assertThat(level(router.route(read.setKeyspace("shop"))))
        .isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    keyspace = Optional.of(CqlIdentifier.fromCql("shop"));
    assertThat(level(router.route(read))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    assertThat(level(router.route(read.setKeyspace("other")))).isNull();
  }

  @Test
  void whatHasALevelOrAProfileOfItsOwnKeepsIt() {
    List<SimpleStatement> own =
        List.of(
            READ.setConsistencyLevel(DefaultConsistencyLevel.ALL),
            READ.setConsistencyLevel(DefaultConsistencyLevel.SERIAL),
            READ.setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE),
            READ.setExecutionProfileName("strong"));
    for (SimpleStatement each : own) {
      assertThat(router.route(each)).isSameAs(each);
    }
  }

  @Test
  void allElseGoesOnAsItCame() {
    List<String> others =
        List.of(
            "INSERT INTO shop.orders (id) VALUES (1)",
            "UPDATE shop.orders SET v = 2 WHERE id = 1 IF v = 1",
            "UPDATE shop.counts SET c = c + 1 WHERE id = 1",
            "SELECT v FROM shop.others",
            "CREATE TABLE shop.more (id int PRIMARY KEY)",
            "nonsense");
    for (String query : others) {
      SimpleStatement statement = SimpleStatement.newInstance(query);
      assertThat(router.route(statement)).isSameAs(statement);
    }
    BatchStatement batch =
        BatchStatement.newInstance(
            BatchType.LOGGED,
            SimpleStatement.newInstance("INSERT INTO shop.orders (id) VALUES (1)"));
    assertThat(router.route(batch)).isSameAs(batch);
  }

  @Test
  void aStatementMayTolerateMoreOrLessThanItsTable() {
    // Undecided yet, so safe.
    Statement<?> strict = router.route(AdaptiveSession.tolerating(READ, 0.01));
    assertThat(level(strict)).isNull();
    assertThat(strict.getCustomPayload()).isEmpty();
    table.set(
        table.target(0.01),
        table.levels(),
        ReadChoice.of(3),
        false,
        0,
        10,
        List.of("stricter than needed"));
    assertThat(level(router.route(AdaptiveSession.tolerating(READ, 0.01))))
        .isEqualTo(DefaultConsistencyLevel.ALL);
    assertThat(level(router.route(READ))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    SimpleStatement other = SimpleStatement.newInstance("SELECT v FROM shop.others");
    assertThat(
            router
                .route(
                    AdaptiveSession.tolerating(
                        other.setCustomPayload(Map.of("mine", ByteBuffer.allocate(1))), 0.5))
                .getCustomPayload())
        .containsOnlyKeys("mine");
  }

  @Test
  void anExactReadThatCannotBeIsRefused() {
    Map<String, String> refused =
        Map.of(
            "SELECT v FROM shop.others WHERE id = 1", "no plain SELECT of one partition",
            "INSERT INTO shop.orders (id) VALUES (1)", "it writes",
            "nonsense", "no plain SELECT of one partition");
    refused.forEach(
        (query, why) -> {
          SimpleStatement statement = SimpleStatement.newInstance(query);
          assertThatThrownBy(() -> router.route(AdaptiveSession.tolerating(statement, 0)))
              .isInstanceOf(BadRequestException.class)
              .hasMessageContaining(why)
              .hasMessageContaining("set a consistency level");
          assertThat(router.route(AdaptiveSession.tolerating(statement, 0.01)).getCustomPayload())
              .isEmpty();
        });
    SimpleStatement own = READ.setConsistencyLevel(DefaultConsistencyLevel.ONE);
    assertThatThrownBy(() -> router.route(AdaptiveSession.tolerating(own, 0)))
        .hasMessageContaining("a level or an execution profile of its own");
    BatchStatement batch = BatchStatement.newInstance(BatchType.LOGGED);
    assertThatThrownBy(() -> router.route(AdaptiveSession.tolerating(batch, 0)))
        .hasMessageContaining("it writes");
  }

  @Test
  void writesWeakerThanDeclaredAreNoticed() {
    SimpleStatement write = SimpleStatement.newInstance("DELETE FROM shop.orders WHERE id = 1");
    router.route(write);
    assertThat(level(router.route(READ))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    router.route(write.setExecutionProfileName("weak"));
    // The fallback: the session's own level is the quorum.
    assertThat(router.route(READ)).isSameAs(READ);
    assertThat(level(router.route(AdaptiveSession.tolerating(READ, 0))))
        .isEqualTo(DefaultConsistencyLevel.ALL);
    assertThat(table.levels().write()).isEqualTo(ConsistencyLevel.LOCAL_ONE);
  }

  @Test
  void aReadAtAChosenLevelMayBeRetriedAsItCame() {
    Statement<?> sent = router.route(READ);
    assertThat(level(sent)).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    assertThat(level(router.asAsked(READ, sent, false).orElseThrow())).isNull();
    assertThat(table.inUse(table.main()).unavailable()).isEqualTo(1);
    SimpleStatement exact = AdaptiveSession.tolerating(READ, 0);
    assertThat(router.asAsked(exact, router.route(exact), true)).isEmpty();
    SimpleStatement own = READ.setConsistencyLevel(DefaultConsistencyLevel.ALL);
    assertThat(router.asAsked(own, router.route(own), true)).isEmpty();
    assertThat(table.inUse(table.main()).unavailable()).isEqualTo(1);
  }

  @Test
  void readsThatAskMoreReplicasThanTheApplicationAreSentAsItAskedOnceTooManyWereRetried() {
    assertThat(router.asksMore(READ, router.route(READ))).as("LOCAL_ONE").isFalse();
    SimpleStatement write = SimpleStatement.newInstance("DELETE FROM shop.orders WHERE id = 1");
    router.route(write.setExecutionProfileName("weak"));
    TableLevels levels = table.levels();
    table.set(table.main(), levels, ReadChoice.of(3), false, 0, 10, List.of("test"));
    Statement<?> sent = router.route(READ);
    assertThat(level(sent)).isEqualTo(DefaultConsistencyLevel.ALL);
    assertThat(router.asksMore(READ, sent)).isTrue();
    SimpleStatement exact = AdaptiveSession.tolerating(READ, 0);
    assertThat(router.asksMore(exact, router.route(exact))).isFalse();
    int retried = 0;
    while (router.asAsked(READ, sent, false).isPresent()) {
      retried++;
    }
    assertThat(retried).isEqualTo(100);
    assertThat(router.asksMore(READ, sent)).as("sent before").isTrue();
    assertThat(router.asAsked(READ, sent, true)).as("sent before").isPresent();
    assertThat(level(router.route(exact))).as("never stale").isEqualTo(DefaultConsistencyLevel.ALL);
    long counted = table.inUse(table.main()).unavailable();
    for (int i = 1; i < 4; i++) {
      assertThat(level(router.route(READ))).as("as the application asked").isNull();
    }
    assertThat(table.inUse(table.main()).unavailable()).isEqualTo(counted + 3);
    assertThat(level(router.route(READ)))
        .as("two reads earn one, and one was owed")
        .isEqualTo(DefaultConsistencyLevel.ALL);
  }

  @Test
  void aDebtOfRetriesIsForgivenInTime() {
    decideOnAll();
    Statement<?> sent = router.route(READ);
    for (int i = 0; i < 50_000; i++) {
      assertThat(router.asAsked(READ, sent, true)).as("under way as nodes went").isPresent();
    }
    for (int i = 0; i < 300; i++) {
      assertThat(level(router.route(READ))).as("as the application asked").isNull();
    }
    now += 11_000_000_000L;
    decideOnAll();
    assertThat(level(router.route(READ))).isEqualTo(DefaultConsistencyLevel.ALL);
  }

  private void decideOnAll() {
    table.set(table.main(), table.levels(), ReadChoice.of(3), false, now, 10, List.of("test"));
  }

  @Test
  void aReadOfSeveralPartitionsStaysAsItIsAsked() {
    TableLevels levels = table.levels();
    WatchedTable keyed =
        new WatchedTable(NAME, Set.of("id", "part"), 0.05, false, levels, observer, () -> 0);
    List<Long> sampled = new ArrayList<>();
    Router keyedRouter =
        new Router(
            new StatementTables(Map.of(NAME, keyed), () -> keyspace),
            ConsistencyLevel.LOCAL_ONE,
            statement -> ConsistencyLevel.LOCAL_ONE,
            (statement, found, key) -> sampled.add(key));
    for (String where :
        new String[] {
          "",
          " WHERE id = 1",
          " WHERE id IN (1) AND part = 2",
          " WHERE v = 3",
          " WHERE token(id, part) = 4",
          " WHERE id = 1 AND part > 2"
        }) {
      SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM shop.orders" + where);
      assertThat(keyedRouter.route(read)).as(where).isSameAs(read);
    }
    assertThat(sampled).isEmpty();
    SimpleStatement point =
        SimpleStatement.newInstance("SELECT v FROM shop.orders WHERE part = 1 AND id = ? LIMIT 1");
    assertThat(level(keyedRouter.route(point))).isEqualTo(DefaultConsistencyLevel.LOCAL_QUORUM);
    assertThat(sampled).containsExactly(KeyHash.NONE);
  }

  @Test
  void aBatchsLevelIsThatOfItsWrites() {
    router.route(
        BatchStatement.newInstance(
                BatchType.UNLOGGED,
                SimpleStatement.newInstance("DELETE FROM shop.orders WHERE id = 1"))
            .setConsistencyLevel(DefaultConsistencyLevel.ANY));
    assertThat(table.levels().write()).isEqualTo(ConsistencyLevel.ONE);
  }

  @Test
  void routingKeysTellWhichKeysAreUsed() {
    ByteBuffer key = ByteBuffer.allocate(8).putLong(0, 7);
    router.route(READ);
    router.route(READ.setRoutingKey(key));
    router.route(
        BatchStatement.newInstance(
            BatchType.LOGGED,
            SimpleStatement.newInstance("DELETE FROM shop.orders WHERE id = 7")
                .setRoutingKey(key)));
    assertThat(table.keylessReads())
        .contains("1 of 2 reads are text without a routing key: prepare them");
    long hash = KeyHash.of(key);
    assertThat(seen).containsExactly("read " + hash, "write " + hash);
    assertThat(key.position()).isZero();
  }

  @Test
  void manyQueriesWithTheirValuesInsideAreEachUnderstood() {
    for (int i = 0; i < 5000; i++) {
      SimpleStatement read =
          SimpleStatement.newInstance("SELECT v FROM shop.orders WHERE id = " + i);
      assertThat(level(router.route(read))).isEqualTo(DefaultConsistencyLevel.LOCAL_ONE);
    }
  }
}
