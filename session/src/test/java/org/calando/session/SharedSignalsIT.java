package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.calando.core.policy.Decision;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Instances of one keyspace; before each test the lease of those before is given up, or has ended.
 */
class SharedSignalsIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final TableName TABLE = TableName.parse("crowd.orders");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<AdaptiveSession> sessions = new ArrayList<>();

  @BeforeEach
  void untilNobodyLeads() {
    Awaitility.await().atMost(PATIENCE).until(() -> owner().isEmpty());
  }

  @AfterEach
  void close() {
    sessions.forEach(AdaptiveSession::close);
  }

  private AdaptiveSession started(AdaptiveSessionBuilder settings) {
    AdaptiveSession session =
        settings.tolerate(TABLE.toString(), 0.8).monitorDeadline(Duration.ofSeconds(5)).build();
    sessions.add(session);
    return session;
  }

  /** One that measures, decides and follows so often that a test need not wait for it. */
  private static AdaptiveSessionBuilder quick(CqlSession driver) {
    return AdaptiveSession.wrap(driver)
        .period(Duration.ofMillis(200))
        .popularityWindow(Duration.ofSeconds(1))
        .canariesPerSecond(20);
  }

  private AdaptiveSession open(CqlSession driver) {
    return started(quick(driver).restAfter(Duration.ofMinutes(10)));
  }

  private AdaptiveSession open() {
    return open(CLUSTER.connect("cassandra", "cassandra"));
  }

  /** Who has the lease; nobody before there is the table. */
  private static Optional<UUID> owner() {
    return owner("LOCAL_ONE");
  }

  private static Optional<UUID> owner(String writeLevel) {
    boolean isThere =
        CLUSTER
                .admin()
                .execute(
                    "SELECT comment FROM system_schema.tables"
                        + " WHERE keyspace_name = 'crowd' AND table_name = 'calando_signals'")
                .one()
            != null;
    if (!isThere) {
      return Optional.empty();
    }
    return CLUSTER
        .admin()
        .execute("SELECT owner FROM crowd.calando_signals WHERE part = '2 dc1 " + writeLevel + "'")
        .all()
        .stream()
        .flatMap(row -> Stream.ofNullable(row.getUuid(0)))
        .findFirst();
  }

  /** By prepared statements: others do not tell their keys. */
  private static void use(AdaptiveSession session) {
    PreparedStatement write =
        session.prepare("INSERT INTO crowd.orders (id, status) VALUES (?, ?)");
    PreparedStatement read = session.prepare("SELECT status FROM crowd.orders WHERE id = ?");
    for (long key = 0; key < 10; key++) {
      session.execute(write.bind(key, "new"));
      session.execute(read.bind(key));
    }
  }

  private static LevelInUse inUse(AdaptiveSession session) {
    return session.inUse(TABLE).orElseThrow();
  }

  private void untilAllAreWeak() {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              sessions.forEach(SharedSignalsIT::use);
              assertThat(sessions)
                  .extracting(SharedSignalsIT::inUse)
                  .allMatch(used -> used.choice().equals(ReadChoice.of(1)));
            });
  }

  /** The one that sends most requests, by far: it runs the canary. */
  private AdaptiveSession leader() {
    List<Long> before = sessions.stream().map(each -> each.cost().requests()).toList();
    Awaitility.await().atMost(PATIENCE).until(() -> most(before) > 100);
    int leader = 0;
    for (int i = 1; i < sessions.size(); i++) {
      leader = sent(before, i) > sent(before, leader) ? i : leader;
    }
    for (int i = 0; i < sessions.size(); i++) {
      assertThat(i == leader || sent(before, i) < sent(before, leader) / 4).isTrue();
    }
    return sessions.get(leader);
  }

  private long most(List<Long> before) {
    long most = 0;
    for (int i = 0; i < before.size(); i++) {
      most = Math.max(most, sent(before, i));
    }
    return most;
  }

  private long sent(List<Long> before, int session) {
    return sessions.get(session).cost().requests() - before.get(session);
  }

  private UUID newOwner(UUID former) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              sessions.forEach(
                  each -> {
                    if (!each.wrapped().isClosed()) {
                      use(each);
                    }
                  });
              return owner();
            },
            now -> now.isPresent() && !now.get().equals(former))
        .orElseThrow();
  }

  @Test
  void oneMeasuresForAllAndAnotherTakesOverWhenItIsClosed() {
    AdaptiveSession one = open();
    AdaptiveSession other = open();
    untilAllAreWeak();
    AdaptiveSession leader = leader();
    AdaptiveSession follower = leader == one ? other : one;
    // Both decide from the same lags, and not from none.
    assertThat(inUse(follower).reasons().get(0)).startsWith("pbs: ").contains("stale at 1 replica");
    assertThat(inUse(leader).choice()).isEqualTo(inUse(follower).choice());

    UUID former = owner().orElseThrow();
    leader.close();
    sessions.remove(leader);
    newOwner(former);
    assertThat(leader()).isSameAs(follower);
    untilAllAreWeak();
  }

  @Test
  void anotherTakesOverFromOneThatIsSilent() {
    open();
    open();
    untilAllAreWeak();
    AdaptiveSession leader = leader();
    UUID former = owner().orElseThrow();
    // As if its process were killed: it cannot even give up the lease.
    leader.wrapped().close();
    newOwner(former);
    sessions.remove(leader);
    leader.close();
    assertThat(leader()).isSameAs(sessions.get(0));
    untilAllAreWeak();
  }

  /**
   * One that is not done in time ends in an error that closes the connection which it came over.
   */
  @Test
  void manyThatBidAndLeaveAtOnceUseNoLightweightTransaction() {
    CqlSession driver = CLUSTER.connect("cassandra", "cassandra");
    for (int i = 0; i < 30; i++) {
      started(quick(driver).restAfter(Duration.ofSeconds(5)));
    }
    untilAllAreWeak();
    Awaitility.await().atMost(PATIENCE).until(() -> owner().isEmpty());
    untilAllAreWeak();
    assertThat(owner()).isPresent();
    assertThat(transactions()).isZero();
  }

  /** Of the table by which instances agree, as all nodes have noted them. */
  private static long transactions() {
    CqlSession admin = CLUSTER.admin();
    UUID table =
        Objects.requireNonNull(
                admin
                    .execute(
                        "SELECT id FROM system_schema.tables"
                            + " WHERE keyspace_name = 'crowd' AND table_name = 'calando_signals'")
                    .one())
            .getUuid(0);
    return admin.getMetadata().getNodes().values().stream()
        .map(node -> SimpleStatement.newInstance("SELECT cf_id FROM system.paxos").setNode(node))
        .flatMap(each -> admin.execute(each).all().stream())
        .filter(row -> Objects.equals(row.getUuid(0), table))
        .count();
  }

  @Test
  void instancesThatStartAtOnceMakeTheTablesOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<CqlSession> drivers =
          IntStream.range(0, 4).mapToObj(i -> CLUSTER.connect("cassandra", "cassandra")).toList();
      for (int round = 0; round < 3; round++) {
        String keyspace = "fresh" + round;
        CLUSTER
            .admin()
            .execute(
                "CREATE KEYSPACE "
                    + keyspace
                    + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
        CLUSTER.admin().execute("CREATE TABLE " + keyspace + ".rows (id int PRIMARY KEY)");
        drivers.forEach(CqlSession::refreshSchema);
        List<Callable<AdaptiveSession>> starts =
            drivers.stream()
                .<Callable<AdaptiveSession>>map(
                    driver ->
                        () ->
                            AdaptiveSession.wrap(driver)
                                .tolerate(keyspace + ".rows", 0.5)
                                .monitorDeadline(Duration.ofSeconds(20))
                                .build())
                .toList();
        // One that fails to start fails the test.
        for (Future<AdaptiveSession> each : threads.invokeAll(starts)) {
          sessions.add(each.get());
          assertThat(each.get().inUse(TableName.parse(keyspace + ".rows"))).isPresent();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void tenInstancesCostHardlyMoreThanOne() {
    CqlSession driver = CLUSTER.connect("cassandra", "cassandra");
    for (int i = 0; i < 10; i++) {
      // As usual: it is about what that costs.
      started(AdaptiveSession.wrap(driver).restAfter(Duration.ofMinutes(10)));
    }
    untilAllAreWeak();
    leader();
    List<Long> before = sessions.stream().map(each -> each.cost().requests()).toList();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              sessions.forEach(SharedSignalsIT::use);
              return most(before) > 600;
            });
    long all = 0;
    for (int i = 0; i < sessions.size(); i++) {
      all += sent(before, i);
    }
    assertThat(all).isLessThan(most(before) * 3 / 2);
  }

  @Test
  void whatNobodyReadsCostsNothingUntilItIsReadAgain() {
    AdaptiveSession session =
        started(quick(CLUSTER.connect("cassandra", "cassandra")).restAfter(Duration.ofSeconds(5)));
    untilAllAreWeak();
    Awaitility.await().atMost(PATIENCE).until(() -> owner().isEmpty());
    // Requests that were under way end within their time.
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(3))
        .until(
            new Callable<Boolean>() {
              private long before = -1;

              @Override
              public Boolean call() {
                long now = session.cost().requests();
                boolean quiet = now == before;
                before = now;
                return quiet;
              }
            });
    assertThat(owner()).isEmpty();
    use(session);
    Awaitility.await().atMost(PATIENCE).until(() -> owner().isPresent());
    untilAllAreWeak();
  }

  @Test
  void aWeakerWriteMovesAnInstanceToTheGroupOfThatLevel() {
    CqlSession driver = CLUSTER.connect("cassandra", "cassandra");
    AdaptiveSession session =
        started(quick(driver).writeLevel(TABLE.toString(), ConsistencyLevel.LOCAL_QUORUM));
    Awaitility.await().atMost(PATIENCE).until(() -> owner("LOCAL_QUORUM").isPresent());
    assertThat(owner("LOCAL_ONE")).isEmpty();
    use(session); // at LOCAL_ONE, the session's own level
    Awaitility.await().atMost(PATIENCE).until(() -> owner("LOCAL_ONE").isPresent());
    Awaitility.await().atMost(PATIENCE).until(() -> owner("LOCAL_QUORUM").isEmpty());
    untilAllAreWeak();
  }

  @Test
  void whoMayNotUseTheRowsMeasuresAloneAndSaysSo() {
    open();
    untilAllAreWeak();
    CqlSession admin = CLUSTER.admin();
    admin.execute("CREATE ROLE hermit WITH LOGIN = true AND PASSWORD = 'h'");
    admin.execute("GRANT SELECT ON KEYSPACE system_views TO hermit");
    for (String table : List.of("orders", "calando_canary")) {
      admin.execute("GRANT SELECT ON TABLE crowd." + table + " TO hermit");
      admin.execute("GRANT MODIFY ON TABLE crowd." + table + " TO hermit");
    }
    AdaptiveSession alone = open(CLUSTER.connect("hermit", "h"));
    untilAllAreWeak();
    assertThat(inUse(alone).reasons()).anyMatch(each -> each.startsWith("measures alone: "));
    assertThat(inUse(sessions.get(0)).reasons()).noneMatch(each -> each.contains("alone"));
    assertThat(alone.cost().requests()).isGreaterThan(100);
  }

  @Test
  void whoMayNotMakeTheRowsIsToldTheRemedyOnceHoweverOftenItPrepares() {
    CqlSession admin = CLUSTER.admin();
    admin.execute("CREATE ROLE loner WITH LOGIN = true AND PASSWORD = 'l'");
    admin.execute("GRANT SELECT ON KEYSPACE system_views TO loner");
    for (String keyspace : List.of("lone", "lonely")) {
      admin.execute(
          "CREATE KEYSPACE "
              + keyspace
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      admin.execute("CREATE TABLE " + keyspace + ".orders (id bigint PRIMARY KEY, status text)");
    }
    makeCanary("lone");
    List<String> told = new CopyOnWriteArrayList<>();
    AdaptiveSession loner =
        AdaptiveSession.wrap(CLUSTER.connect("loner", "l"))
            .tolerate("lone.orders", 0.8)
            .tolerate("lonely.orders", 0.8)
            .monitorDeadline(Duration.ofSeconds(5))
            .startWithin(Duration.ZERO)
            .listener(
                new DecisionListener() {
                  @Override
                  public void decided(TableName table, double share, Decision<?> decision) {}

                  @Override
                  public void measuresAlone(String keyspace, String message) {
                    told.add(keyspace + ": " + message);
                  }
                })
            .build();
    sessions.add(loner);
    TableName lone = TableName.parse("lone.orders");
    // Only the second keyspace is not ready: the first has been looked at.
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(loner.inUse(lone).orElseThrow().reasons())
                    .anyMatch(each -> each.contains("tried again every 10 s"))
                    .anyMatch(each -> each.contains("lonely.calando_canary")));
    makeCanary("lonely");
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(loner.inUse(lone).orElseThrow().reasons())
                    .anyMatch(
                        each ->
                            each.matches(
                                "measures alone: table lone.calando_signals: .*CREATE permission"
                                    + ".*"))
                    .noneMatch(each -> each.contains("CREATE TABLE")));
    assertThat(told)
        .satisfiesExactlyInAnyOrder(
            each -> assertThat(each).contains("lone: ", "CREATE TABLE lone.calando_signals"),
            each -> assertThat(each).contains("lonely: ", "CREATE TABLE lonely.calando_signals"));
  }

  private static void makeCanary(String keyspace) {
    CqlSession admin = CLUSTER.admin();
    Canary.builder(admin, keyspace).start().close();
    admin.execute("GRANT SELECT ON TABLE " + keyspace + ".calando_canary TO loner");
    admin.execute("GRANT MODIFY ON TABLE " + keyspace + ".calando_canary TO loner");
  }

  @Test
  void whoseCanaryMayNotWriteSaysSoUntilItMay() {
    open();
    untilAllAreWeak();
    CqlSession admin = CLUSTER.admin();
    admin.execute("CREATE ROLE mute WITH LOGIN = true AND PASSWORD = 'm'");
    admin.execute("GRANT SELECT ON KEYSPACE system_views TO mute");
    admin.execute("GRANT SELECT ON TABLE crowd.orders TO mute");
    admin.execute("GRANT SELECT ON TABLE crowd.calando_canary TO mute");
    admin.execute("GRANT MODIFY ON TABLE crowd.orders TO mute");
    AdaptiveSession mute = open(CLUSTER.connect("mute", "m"));
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(inUse(mute).reasons())
                  .anyMatch(
                      each ->
                          each.startsWith("the canary fails: ")
                              && each.contains("no MODIFY permission on <table crowd.calando"));
              assertThat(inUse(mute).fallback()).isTrue();
            });
    admin.execute("GRANT MODIFY ON TABLE crowd.calando_canary TO mute");
    untilAllAreWeak();
    assertThat(inUse(mute).reasons()).noneMatch(each -> each.contains("the canary fails"));
  }
}
