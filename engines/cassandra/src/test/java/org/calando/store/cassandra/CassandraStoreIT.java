package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.Requests.Answer;
import org.calando.store.cassandra.internal.Connector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Three real nodes for all tests; the test that kills one comes last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CassandraStoreIT {
  private static final TableSpec TABLE = new TableSpec("usertable", 3, "field");
  private static final ConsistencyLevel ONE = ConsistencyLevel.ONE;
  private static final ConsistencyLevel QUORUM = ConsistencyLevel.QUORUM;
  private static final ConsistencyLevel ALL = ConsistencyLevel.ALL;

  private static LocalCassandra cluster;
  private static CqlSession admin;

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.77")
                .jmxPort(7400)
                .startTimeout(Duration.ofMinutes(5))
                .build());
    LocalNode node = cluster.nodes().get(0);
    admin =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
            .withLocalDatacenter("dc1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    .build())
            .build();
  }

  @AfterAll
  static void stop() {
    if (admin != null) {
      admin.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static CassandraStoreConfig.Builder config(String keyspace) {
    CassandraStoreConfig.Builder builder =
        CassandraStoreConfig.builder()
            .keyspace(keyspace)
            .localDataCentre("dc1")
            .replication(new Replication.Simple(3));
    cluster.nodes().forEach(node -> builder.contactPoint(node.address(), node.cqlPort()));
    return builder;
  }

  /**
   * As claims are: in protocol 5 the error closes the connection, with all that is on its way over
   * it.
   */
  @Test
  void aTransactionThatIsNotDoneInTimeFailsByItselfAlone() {
    admin.execute(
        "CREATE KEYSPACE contended WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    admin.execute("CREATE TABLE contended.rows (id int PRIMARY KEY, v int)");
    try (CqlSession session = Connector.connect(config("contended").build())) {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String text = "UPDATE contended.rows SET v = " + i + " WHERE id = 1 IF v = " + (i - 1);
        all.add(session.executeAsync(text).toCompletableFuture());
      }
      List<Throwable> errors = new ArrayList<>();
      for (CompletableFuture<?> each : all) {
        each.handle((done, error) -> error == null || errors.add(error)).join();
      }
      assertThat(errors)
          .isNotEmpty()
          .allMatch(e -> e instanceof WriteTimeoutException || e instanceof DriverTimeoutException)
          .anyMatch(
              e ->
                  e instanceof WriteTimeoutException late
                      && late.getWriteType() == DefaultWriteType.CAS);
    }
  }

  @Test
  void theNewestWriteDecidesTheVersionReadBack() {
    try (CassandraStore store = CassandraStore.connect(config("rw").build())) {
      store.prepare(TABLE);
      try (Session session = store.open(1)) {
        Requests requests = new Requests(session);
        assertThat(requests.read(1, Session.ALL_FIELDS, ONE))
            .isEqualTo(new Answer(Outcome.NOT_FOUND, Session.NO_VERSION));
        assertThat(requests.write(1, Session.ALL_FIELDS, 5, ALL)).isEqualTo(Outcome.OK);
        assertThat(requests.read(1, Session.ALL_FIELDS, ONE)).isEqualTo(new Answer(Outcome.OK, 5));

        // An older write is acknowledged and loses.
        assertThat(requests.write(1, Session.ALL_FIELDS, 4, ALL)).isEqualTo(Outcome.OK);
        assertThat(requests.read(1, 0, QUORUM)).isEqualTo(new Answer(Outcome.OK, 5));

        // A write of one field raises the version that every field's reader sees.
        assertThat(requests.write(1, 2, 6, ALL)).isEqualTo(Outcome.OK);
        assertThat(requests.read(1, 0, ALL)).isEqualTo(new Answer(Outcome.OK, 6));

        assertThat(requests.scan(0, 10, Session.ALL_FIELDS, ONE))
            .isEqualTo(new Answer(Outcome.OK, Session.NO_VERSION));
      }
      assertThat(store.engine()).startsWith("cassandra 5.0");
    }
  }

  @Test
  void theWriteTimestampIsTheVersionAndTheFieldHoldsTheBytes() {
    try (CassandraStore store = CassandraStore.connect(config("timestamps").build())) {
      store.prepare(TABLE);
      try (Session session = store.open(1)) {
        new Requests(session).write(9, 1, 42, ALL);
      }
    }
    Row row =
        admin
            .execute(
                "SELECT version, writetime(version), writetime(field1), field0, field1"
                    + " FROM timestamps.usertable WHERE key = 9")
            .one();
    assertThat(row.getLong(0)).isEqualTo(42);
    assertThat(row.getLong(1)).isEqualTo(42);
    assertThat(row.getLong(2)).isEqualTo(42);
    assertThat(row.getByteBuffer(3)).isNull();
    assertThat(row.getByteBuffer(4).remaining()).isEqualTo(100);
  }

  @Test
  void manySlotsLoadThousandsOfRecords() throws InterruptedException {
    int records = 3_000;
    int slots = 32;
    try (CassandraStore store = CassandraStore.connect(config("bulk").build())) {
      store.prepare(TABLE);
      try (Session session = store.open(slots)) {
        AtomicLong next = new AtomicLong(slots);
        AtomicInteger failures = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(records);
        Completion completion =
            new Completion() {
              @Override
              public void complete(int slot, Outcome outcome, long version) {
                if (outcome != Outcome.OK) {
                  failures.incrementAndGet();
                }
                long key = next.getAndIncrement();
                if (key < records) {
                  session.write(slot, key, Session.ALL_FIELDS, 333, 1, ALL, this);
                }
                done.countDown();
              }
            };
        for (int slot = 0; slot < slots; slot++) {
          session.write(slot, slot, Session.ALL_FIELDS, 333, 1, ALL, completion);
        }
        assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).hasValue(0);
      }
    }
    assertThat(admin.execute("SELECT count(*) FROM bulk.usertable").one().getLong(0))
        .isEqualTo(records);
  }

  @Test
  void aKeyspaceOfSomebodyElseIsRefusedAndUntouched() {
    admin.execute("CREATE KEYSPACE theirs WITH replication = " + simple(1));
    admin.execute("CREATE TABLE theirs.usertable (id int PRIMARY KEY, name text)");
    admin.execute("INSERT INTO theirs.usertable (id, name) VALUES (1, 'kept')");
    try (CassandraStore store = CassandraStore.connect(config("theirs").build())) {
      assertThatThrownBy(() -> store.prepare(TABLE))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("keyspace theirs")
          .hasMessageContaining("did not create");
    }
    Row row = admin.execute("SELECT name FROM theirs.usertable WHERE id = 1").one();
    assertThat(row.getString(0)).isEqualTo("kept");
    assertThat(
            admin
                .execute(
                    "SELECT table_name FROM system_schema.tables"
                        + " WHERE keyspace_name = 'theirs'")
                .all())
        .hasSize(1);
  }

  @Test
  void aTableOfSomebodyElseInOurKeyspaceIsRefusedAndUntouched() {
    try (CassandraStore store = CassandraStore.connect(config("ours").build())) {
      store.prepare(TABLE);
      admin.execute("CREATE TABLE ours.guest (key bigint PRIMARY KEY, version bigint)");
      admin.execute("INSERT INTO ours.guest (key, version) VALUES (1, 7)");
      assertThatThrownBy(() -> store.prepare(new TableSpec("guest", 1, "field")))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("table ours.guest");
    }
    // Another replication would change the guest's too.
    CassandraStoreConfig other = config("ours").replication(new Replication.Simple(2)).build();
    try (CassandraStore store = CassandraStore.connect(other)) {
      assertThatThrownBy(() -> store.prepare(TABLE))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("guest");
    }
    assertThat(replicationOf("ours")).contains("3");
    assertThat(admin.execute("SELECT version FROM ours.guest WHERE key = 1").one().getLong(0))
        .isEqualTo(7);
  }

  @Test
  void ourOwnTableIsEmptiedAndTakesTheShapeAndReplicationAskedFor() {
    try (CassandraStore store = CassandraStore.connect(config("again").build())) {
      store.prepare(TABLE);
      write(store, 1);
      store.prepare(TABLE);
      assertThat(count("again")).isZero();

      write(store, 2);
      store.prepare(new TableSpec("usertable", 5, "field"));
      assertThat(count("again")).isZero();
      write(store, 3);
    }
    CassandraStoreConfig two =
        config("again").replication(new Replication.NetworkTopology(Map.of("dc1", 2))).build();
    try (CassandraStore store = CassandraStore.connect(two)) {
      store.prepare(TABLE);
      assertThat(count("again")).isZero();
      assertThat(replicationOf("again")).contains("NetworkTopologyStrategy").contains("2");
      // The same again: the options stored by the server compare equal to ours.
      write(store, 4);
      store.prepare(TABLE);
      assertThat(count("again")).isZero();
    }
  }

  @Test
  void aClaimThatWasLostIsToldUntilTheTableIsPreparedAgain() {
    try (CassandraStore store = CassandraStore.connect(config("lost").build())) {
      assertThatThrownBy(store::requireHeld).isInstanceOf(IllegalStateException.class);
      store.prepare(TABLE);
      store.requireHeld();

      // Gone for a while: somebody else may have come and left.
      admin.execute("DELETE FROM lost.calando_claims WHERE table_name = 'usertable' IF EXISTS");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(store::requireHeld)
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("lapsed")
            .hasMessageContaining("remedy");
      }
      store.prepare(TABLE);
      store.requireHeld();

      admin.execute(
          "UPDATE lost.calando_claims SET owner = 'somebody', process = 'theirs'"
              + " WHERE table_name = 'usertable' IF EXISTS");
      assertThatThrownBy(store::requireHeld)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("taken over by somebody");
      assertThatThrownBy(() -> store.prepare(TABLE))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("taken over by somebody");
    }
    assertThat(claimOf("lost")).isEqualTo("theirs");
  }

  /** A row of our own without our knowing: what an insertion leaves whose answer was lost. */
  @Test
  void aClaimOfOurOwnThatWeDoNotKnowOfIsOurs() {
    try (CassandraStore store = CassandraStore.connect(config("mine").build())) {
      store.prepare(TABLE);
      String process = claimOf("mine");
      store.prepare(new TableSpec("second", 1, "field"));
      assertThat(claimOf("mine")).isNull();
      admin.execute(
          "INSERT INTO mine.calando_claims (table_name, owner, process)"
              + " VALUES ('usertable', 'me', ?) IF NOT EXISTS USING TTL 60",
          process);
      store.prepare(TABLE);
      store.requireHeld();
      assertThat(claimOf("mine")).isEqualTo(process);
    }
    assertThat(claimOf("mine")).isNull();
  }

  @Test
  void theReplicationIsNotChangedUnderATableInUseAndClaimsOutliveItsChange() {
    CassandraStoreConfig one = config("grown").replication(new Replication.Simple(1)).build();
    TableSpec second = new TableSpec("second", 1, "field");
    try (CassandraStore three = CassandraStore.connect(config("grown").build())) {
      try (CassandraStore user = CassandraStore.connect(one)) {
        user.prepare(TABLE);
        assertThatThrownBy(() -> three.prepare(second))
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("another study uses the table usertable")
            .hasMessageContaining("remedy");
        assertThat(replicationOf("grown")).contains("replication_factor=1");
        user.requireHeld();
      }
      three.prepare(second);
      assertThat(replicationOf("grown")).contains("replication_factor=3");
      three.requireHeld();
      try (CassandraStore late = CassandraStore.connect(config("grown").build())) {
        assertThatThrownBy(() -> late.prepare(second))
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("in use by another study");
      }
    }
  }

  private static String claimOf(String keyspace) {
    Row row =
        admin
            .execute(
                "SELECT process FROM "
                    + keyspace
                    + ".calando_claims WHERE table_name = 'usertable'")
            .one();
    return row == null ? null : row.getString(0);
  }

  @Test
  void whatCannotBeReachedIsNamedWithARemedy() {
    CassandraStoreConfig nobody =
        CassandraStoreConfig.builder().contactPoint("127.77.0.99", 9042).build();
    assertThatThrownBy(() -> CassandraStore.connect(nobody))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("127.77.0.99:9042")
        .hasMessageContaining("Connection refused")
        .hasMessageContaining("remedy");
    assertThatThrownBy(
            () -> CassandraStore.connect(config("x").localDataCentre("elsewhere").build()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("elsewhere")
        .hasMessageContaining("dc1");
    assertThatThrownBy(
            () -> CassandraStore.connect(config("x").jmxEndpoint("127.0.0.1", 7499).build()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("127.0.0.1:7499");
    try (CassandraStore store =
        CassandraStore.connect(config("x").replication(new Replication.Simple(4)).build())) {
      assertThatThrownBy(() -> store.prepare(TABLE))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("4 replicas");
    }
    assertThat(
            admin.execute("SELECT * FROM system_schema.keyspaces WHERE keyspace_name = 'x'").one())
        .isNull();
  }

  @Test
  void settlingEndsWithAndWithoutJmx() {
    try (CassandraStore store = CassandraStore.connect(config("calm").build())) {
      store.prepare(TABLE);
      store.settle(Duration.ofSeconds(60));
    }
    CassandraStoreConfig.Builder withJmx = config("calm");
    cluster.nodes().forEach(node -> withJmx.jmxEndpoint("127.0.0.1", node.jmxPort()));
    try (CassandraStore store = CassandraStore.connect(withJmx.build())) {
      store.prepare(TABLE);
      write(store, 1);
      store.settle(Duration.ofSeconds(60));
    }
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void withANodeKilledAllIsRefusedQuorumWorksAndHintsAreWorkLeft() {
    CassandraStoreConfig.Builder builder = config("broken");
    cluster.nodes().forEach(node -> builder.jmxEndpoint("127.0.0.1", node.jmxPort()));
    try (CassandraStore store = CassandraStore.connect(builder.build())) {
      store.prepare(TABLE);
      try (Session session = store.open(1)) {
        Requests requests = new Requests(session);
        assertThat(requests.write(1, Session.ALL_FIELDS, 1, ALL)).isEqualTo(Outcome.OK);
        cluster.kill(3);
        awaitRefusal(requests);

        assertThat(requests.read(1, 0, ALL).outcome()).isEqualTo(Outcome.REFUSED);
        for (int version = 2; version < 12; version++) {
          assertThat(requests.write(1, Session.ALL_FIELDS, version, QUORUM)).isEqualTo(Outcome.OK);
          assertThat(requests.read(1, 0, QUORUM)).isEqualTo(new Answer(Outcome.OK, version));
        }
        assertThatThrownBy(() -> store.settle(Duration.ofMillis(200)))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("hints");
        assertThatThrownBy(() -> store.prepare(TABLE))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("127.77.0.3")
            .hasMessageContaining("needs every node");

        cluster.restart(3);
        store.settle(Duration.ofSeconds(90));
        assertThat(requests.read(1, 0, ALL)).isEqualTo(new Answer(Outcome.OK, 11));
      }
    }
  }

  /**
   * Until its peers notice the death, a write at ALL may end without an answer, never as done. Each
   * peer notices for itself: several refusals in a row come from all of them.
   */
  private static void awaitRefusal(Requests requests) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              for (int i = 0; i < 6; i++) {
                Outcome outcome = requests.write(2, Session.ALL_FIELDS, 1, ALL);
                assertThat(outcome).isIn(Outcome.INDETERMINATE, Outcome.REFUSED);
                if (outcome != Outcome.REFUSED) {
                  return false;
                }
              }
              return true;
            });
  }

  private static void write(CassandraStore store, long key) {
    try (Session session = store.open(1)) {
      assertThat(new Requests(session).write(key, Session.ALL_FIELDS, 1, ALL))
          .isEqualTo(Outcome.OK);
    }
  }

  private static long count(String keyspace) {
    return admin.execute("SELECT count(*) FROM " + keyspace + ".usertable").one().getLong(0);
  }

  private static String replicationOf(String keyspace) {
    return admin
        .execute(
            "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = '"
                + keyspace
                + "'")
        .one()
        .getMap(0, String.class, String.class)
        .toString();
  }

  private static String simple(int replicas) {
    return "{'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}";
  }
}
