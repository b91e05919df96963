package org.calando.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleEvent;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.http.Credentials;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real master with two replicas and three Sentinels. */
class RedisIT {
  private static final TableSpec PLAIN = new TableSpec("plain", 1, "field");
  private static final TableSpec WIDE = new TableSpec("wide", 10, "field");

  private static final ProtocolKeyword FAILOVER =
      () -> "FAILOVER".getBytes(StandardCharsets.US_ASCII);

  private static LocalRedis cluster;

  private record End(Outcome outcome, long version) {}

  @BeforeAll
  static void start() {
    cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(3).sentinels(3).auth(true).build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void whatIsWrittenIsReadAtEveryLevel() throws Exception {
    try (RedisStore store = RedisStore.connect(config("levels"))) {
      assertThat(store.engine()).containsPattern("^(redis|valkey) \\d");
      assertThat(store.replicationFactor()).isEqualTo(3);
      for (TableSpec table : List.of(PLAIN, WIDE)) {
        store.prepare(table);
        try (Session session = store.open(2)) {
          assertThat(read(session, 1, Session.ALL_FIELDS, ConsistencyLevel.ALL))
              .isEqualTo(new End(Outcome.NOT_FOUND, Session.NO_VERSION));
          assertThat(write(session, 1, Session.ALL_FIELDS, 5, ConsistencyLevel.ALL))
              .isEqualTo(Outcome.OK);
          for (ConsistencyLevel level :
              List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL)) {
            assertThat(read(session, 1, Session.ALL_FIELDS, level).version()).isEqualTo(5);
            assertThat(read(session, 1, 0, level).version()).isEqualTo(5);
          }
          assertThat(write(session, 1, 0, 6, ConsistencyLevel.QUORUM)).isEqualTo(Outcome.OK);
          assertThat(read(session, 1, 0, ConsistencyLevel.QUORUM).version()).isEqualTo(6);
          assertThat(scan(session, 0, 4).outcome()).isEqualTo(Outcome.OK);
          assertThat(session.errors()).isEmpty();
        }
        store.settle(Duration.ofSeconds(60));
        store.requireHeld();
      }
    }
  }

  @Test
  void readsGoWhereTheyAreToGo() throws Exception {
    try (RedisStore store = RedisStore.connect(config("where"))) {
      store.prepare(PLAIN);
      try (Session master = store.open(SessionRequest.of(1).readFrom(ReadFrom.MASTER));
          Session replica = store.open(SessionRequest.of(1).readFrom(ReadFrom.REPLICA))) {
        assertThat(write(master, 1, 0, 5, ConsistencyLevel.ALL)).isEqualTo(Outcome.OK);
        List<Long> before = gets(store);
        for (int i = 0; i < 20; i++) {
          assertThat(read(master, 1, 0, ConsistencyLevel.ONE).version()).isEqualTo(5);
          assertThat(read(replica, 1, 0, ConsistencyLevel.ONE).version()).isEqualTo(5);
        }
        List<Long> after = gets(store);
        int index = masterIndex(store);
        long ofMaster = after.get(index) - before.get(index);
        long ofAll =
            after.stream().mapToLong(Long::longValue).sum()
                - before.stream().mapToLong(Long::longValue).sum();
        assertThat(ofMaster).isEqualTo(20);
        assertThat(ofAll).isEqualTo(40);
      }
    }
  }

  @Test
  void keysOfOthersAreLeftAlone() {
    on(masterAddress(), commands -> commands.set("theirs:plain:7", "precious"));
    try (RedisStore store = RedisStore.connect(config("theirs"))) {
      assertThatThrownBy(() -> store.prepare(PLAIN))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("theirs:plain");
    }
    on(
        masterAddress(),
        commands -> {
          assertThat(commands.get("theirs:plain:7")).isEqualTo("precious");
          assertThat(commands.exists("theirs:plain", "theirs:plain:claim")).isZero();
        });
  }

  @Test
  void whatCalandoMadeItMayEmptyAndNoMore() throws Exception {
    on(masterAddress(), commands -> commands.set("emptiedtoo", "precious"));
    try (RedisStore store = RedisStore.connect(config("emptied"))) {
      store.prepare(PLAIN);
      try (Session session = store.open(1)) {
        assertThat(write(session, 1, 0, 5, ConsistencyLevel.ONE)).isEqualTo(Outcome.OK);
      }
      store.prepare(PLAIN);
      try (Session session = store.open(SessionRequest.of(1).readFrom(ReadFrom.MASTER))) {
        assertThat(read(session, 1, 0, ConsistencyLevel.ONE).outcome())
            .isEqualTo(Outcome.NOT_FOUND);
      }
    }
    on(masterAddress(), commands -> assertThat(commands.get("emptiedtoo")).isEqualTo("precious"));
  }

  @Test
  void twoProcessesDoNotShareKeys() {
    try (RedisStore first = RedisStore.connect(config("shared"))) {
      first.prepare(PLAIN);
      try (RedisStore second = RedisStore.connect(config("shared"))) {
        assertThatThrownBy(() -> second.prepare(PLAIN))
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("another process");
      }
      first.requireHeld();
    }
    try (RedisStore third = RedisStore.connect(config("shared"))) {
      third.prepare(PLAIN);
    }
  }

  @Test
  void theSentinelsTellTheNodes() {
    RedisStoreConfig.Builder config =
        RedisStoreConfig.builder()
            .masterName(LocalRedisConfig.MASTER_NAME)
            .credentials(password())
            .sentinelCredentials(password());
    nodes(cluster.sentinels()).forEach(config::sentinel);
    try (RedisStore store = RedisStore.connect(config.build())) {
      assertThat(store.nodes())
          .extracting(RedisNode::port)
          .containsExactlyInAnyOrderElementsOf(
              cluster.nodes().stream().map(LocalRedisNode::port).toList());
    }
  }

  @Test
  void aListThatTheSentinelsDoNotKnowIsRefused() {
    RedisStoreConfig.Builder config =
        RedisStoreConfig.builder()
            .masterName(LocalRedisConfig.MASTER_NAME)
            .credentials(password())
            .sentinelCredentials(password());
    nodes(cluster.sentinels()).forEach(config::sentinel);
    List<RedisNode> nodes = nodes(cluster.nodes());
    config.node(nodes.get(0)).node(nodes.get(1));
    config.node(new RedisNode("stray", "127.0.0.1", nodes(cluster.sentinels()).get(0).port()));
    assertThatThrownBy(() -> RedisStore.connect(config.build()).close())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("they know " + nodes.get(2).address() + ", which is not listed")
        .hasMessageContaining("they do not know stray");
  }

  @Test
  void aFailOverIsFollowed() throws Exception {
    LocalRedisConfig own = LocalRedisConfig.builder().nodes(3).build();
    try (LocalRedis other = LocalRedis.start(own);
        RedisStore store = RedisStore.connect(config("calando", other))) {
      List<RoleEvent> events = new CopyOnWriteArrayList<>();
      store.prepare(PLAIN);
      try (RoleMonitor monitor =
              RoleMonitor.start(
                  RoleMonitorConfig.of(nodes(other.nodes())), System::nanoTime, events::add);
          Session session = store.open(1)) {
        assertThat(write(session, 1, 0, 5, ConsistencyLevel.ALL)).isEqualTo(Outcome.OK);
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> monitor.view().stream().noneMatch(v -> v.role() == Role.UNKNOWN));
        on(
            other.nodes().get(0).port(),
            Optional.empty(),
            commands -> commands.dispatch(FAILOVER, new StatusOutput<>(StringCodec.UTF8)));
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .untilAsserted(
                () ->
                    assertThat(write(session, 1, 0, 6, ConsistencyLevel.QUORUM))
                        .isEqualTo(Outcome.OK));
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .untilAsserted(
                () ->
                    assertThat(monitor.view())
                        .extracting(NodeView::role)
                        .containsOnlyOnce(Role.MASTER)
                        .doesNotContain(Role.UNKNOWN));
        store.settle(Duration.ofSeconds(60));
        // A role is in the view before its event is told.
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .untilAsserted(
                () ->
                    assertThat(events)
                        .anyMatch(
                            event ->
                                event.kind() == RoleEvent.Kind.RAISE
                                    && !event.node().equals("n1")
                                    && event.now().role() == Role.MASTER)
                        .anyMatch(
                            event ->
                                event.kind() == RoleEvent.Kind.LOWER && event.node().equals("n1")));
        assertThat(read(session, 1, 0, ConsistencyLevel.ALL).version()).isEqualTo(6);
      }
    }
  }

  private static int masterIndex(RedisStore store) {
    List<NodeView> roles = store.roles();
    String master =
        roles.stream().filter(v -> v.role() == Role.MASTER).findFirst().orElseThrow().node();
    return store.nodes().stream().map(RedisNode::name).toList().indexOf(master);
  }

  private static List<Long> gets(RedisStore store) {
    List<Long> counts = new ArrayList<>();
    for (RedisNode node : store.nodes()) {
      on(
          node.port(),
          Optional.of(password()),
          commands ->
              counts.add(
                  commands
                      .info("commandstats")
                      .lines()
                      .filter(line -> line.startsWith("cmdstat_get:calls="))
                      .mapToLong(line -> Long.parseLong(line.substring(18, line.indexOf(','))))
                      .sum()));
    }
    return counts;
  }

  private static int masterAddress() {
    return cluster.status().stream()
        .filter(status -> status.role().equals("master"))
        .findFirst()
        .orElseThrow()
        .node()
        .port();
  }

  private static void on(int port, Consumer<RedisCommands<String, String>> work) {
    on(port, Optional.of(password()), work);
  }

  private static void on(
      int port, Optional<Credentials> password, Consumer<RedisCommands<String, String>> work) {
    RedisURI.Builder uri = RedisURI.builder().withHost("127.0.0.1").withPort(port);
    password.ifPresent(one -> uri.withPassword((CharSequence) one.password()));
    RedisClient client = RedisClient.create(uri.build());
    try (var connection = client.connect()) {
      work.accept(connection.sync());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private static Credentials password() {
    return Credentials.withPasswordFile("", cluster.passwordFile().orElseThrow());
  }

  private static RedisStoreConfig config(String prefix) {
    RedisStoreConfig.Builder config =
        RedisStoreConfig.builder().prefix(prefix).credentials(password());
    nodes(cluster.nodes()).forEach(config::node);
    return config.build();
  }

  private static RedisStoreConfig config(String prefix, LocalRedis of) {
    RedisStoreConfig.Builder config = RedisStoreConfig.builder().prefix(prefix);
    nodes(of.nodes()).forEach(config::node);
    return config.build();
  }

  private static List<RedisNode> nodes(List<LocalRedisNode> servers) {
    return servers.stream()
        .map(server -> new RedisNode(server.name(), server.address(), server.port()))
        .toList();
  }

  private static End read(Session session, long key, int field, ConsistencyLevel level)
      throws Exception {
    return await(done -> session.read(0, key, field, level, done));
  }

  private static End scan(Session session, long key, int count) throws Exception {
    return await(done -> session.scan(0, key, count, 0, ConsistencyLevel.ONE, done));
  }

  private static Outcome write(
      Session session, long key, int field, long version, ConsistencyLevel level) throws Exception {
    return await(done -> session.write(0, key, field, 100, version, level, done)).outcome();
  }

  private static End await(Consumer<Completion> operation) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    operation.accept((slot, outcome, version) -> end.complete(new End(outcome, version)));
    return end.get(30, TimeUnit.SECONDS);
  }
}
