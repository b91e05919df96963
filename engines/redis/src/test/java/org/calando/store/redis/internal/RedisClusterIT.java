package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
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
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.internal.wire.RespCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real Redis Cluster of three masters with a replica each. */
class RedisClusterIT {
  private static final TableSpec WIDE = new TableSpec("wide", 3, "field");
  private static final int KEYS = 50;

  private static LocalRedis cluster;

  @BeforeAll
  static void start() {
    cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(6).shards(3).auth(true).build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void oneNodeTellsOfAllAndKeysGoWhereTheirSlotsAre() throws Exception {
    try (RedisStore store = RedisStore.connect(config("keys", 5))) {
      assertThat(store.nodes())
          .extracting(RedisNode::port)
          .containsExactlyInAnyOrderElementsOf(
              cluster.nodes().stream().map(LocalRedisNode::port).toList());
      assertThat(store.nodes()).extracting(RedisNode::name).contains("n5");
      assertThat(store.replicationFactor()).isEqualTo(2);
      assertThat(store.roles())
          .extracting(NodeView::role)
          .containsOnly(Role.MASTER, Role.REPLICA)
          .filteredOn(Role.MASTER::equals)
          .hasSize(3);
      for (TableSpec table : List.of(new TableSpec("plain", 1, "field"), WIDE)) {
        store.prepare(table);
        try (Session session = store.open(1);
            Session replicas = store.open(SessionRequest.of(1).readFrom(ReadFrom.REPLICA))) {
          writeAll(session, 5);
          store.settle(Duration.ofSeconds(60));
          for (long key = 0; key < KEYS; key++) {
            assertThat(read(session, key, ConsistencyLevel.ALL)).isEqualTo(5);
            assertThat(read(replicas, key, ConsistencyLevel.ONE)).isEqualTo(5);
          }
          CompletableFuture<Outcome> scanned = new CompletableFuture<>();
          session.scan(
              0, 0, KEYS, 0, ConsistencyLevel.ONE, (slot, end, version) -> scanned.complete(end));
          assertThat(scanned.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.OK);
        }
        store.requireHeld();
        store.prepare(table);
        try (Session session = store.open(1)) {
          assertThat(LongStream.range(0, KEYS).map(key -> read(session, key, ConsistencyLevel.ALL)))
              .containsOnly(Session.NO_VERSION);
        }
      }
      assertThat(store.engine()).containsPattern("^(redis|valkey) \\d");
    }
  }

  @Test
  void keysOfOthersOnAnyMasterAreLeftAlone() {
    try (RedisStore store = RedisStore.connect(config("theirs", 1))) {
      for (LocalRedisNode node : cluster.nodes()) {
        try (RespCall call = call(node)) {
          // Only the master of its slot takes it.
          Object unused = call.ask("SET", "theirs:wide:7", "precious");
        }
      }
      assertThatThrownBy(() -> store.prepare(WIDE))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("theirs:wide");
    }
  }

  @Test
  void aMasterThatIsReplacedIsFollowed() {
    try (RedisStore store = RedisStore.connect(config("followed", 1))) {
      store.prepare(WIDE);
      try (Session session = store.open(1)) {
        writeAll(session, 5);
        NodeView replica = anyReplica(store);
        RedisNode node =
            store.nodes().stream()
                .filter(each -> each.name().equals(replica.node()))
                .findFirst()
                .orElseThrow();
        failOver(store, node);
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> writeAll(session, 6));
        for (long key = 0; key < KEYS; key++) {
          assertThat(read(session, key, ConsistencyLevel.ALL)).isEqualTo(6);
        }
      }
    }
  }

  /** A hand-over for which not enough masters have voted within 5 s is given up: ask again. */
  private static void failOver(RedisStore store, RedisNode node) {
    AtomicInteger looks = new AtomicInteger();
    try (RespCall call = RespCall.open(node, password(), Optional.empty())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                if (looks.getAndIncrement() % 60 == 0) {
                  // Refused if it has become the master just now.
                  Object unused = call.ask("CLUSTER", "FAILOVER");
                }
                return store.roles().stream()
                    .anyMatch(
                        view -> view.node().equals(node.name()) && view.role() == Role.MASTER);
              });
    }
  }

  @Test
  void groupsOfUnequalSizeAreNotServed() throws Exception {
    try (RedisStore store = RedisStore.connect(config("unequal", 1))) {
      store.prepare(WIDE);
      NodeView moved = anyReplica(store);
      String home = moved.word().upstream();
      String away =
          store.roles().stream()
              .filter(view -> view.role() == Role.MASTER && !view.node().equals(home))
              .map(NodeView::node)
              .findFirst()
              .orElseThrow();
      try (Session session = store.open(1)) {
        writeAll(session, 5);
        follow(store, moved.node(), away);
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(upstream(store, moved.node())).isEqualTo(away));
        // The home's keys are fewer nodes' now, and only ALL cannot be had; those of away are
        // more's.
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> assertThat(outcomes(session)).contains(Outcome.OK, Outcome.REFUSED));
        assertThat(session.errors()).anyMatch(error -> error.contains("3 nodes now, and had 2"));
        assertThatThrownBy(() -> RedisStore.connect(config("unequal2", 1)))
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("unequal")
            .hasMessageContaining(away);
      } finally {
        follow(store, moved.node(), home);
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(upstream(store, moved.node())).isEqualTo(home));
      }
      store.settle(Duration.ofSeconds(60));
    }
  }

  /** What comes of reading each key at one replica. */
  private static List<Outcome> outcomes(Session session) throws Exception {
    List<Outcome> ends = new ArrayList<>();
    for (long key = 0; key < KEYS; key++) {
      CompletableFuture<Outcome> read = new CompletableFuture<>();
      session.read(0, key, 0, ConsistencyLevel.ONE, (slot, end, version) -> read.complete(end));
      ends.add(read.get(30, TimeUnit.SECONDS));
    }
    return ends;
  }

  private static NodeView anyReplica(RedisStore store) {
    return store.roles().stream()
        .filter(view -> view.role() == Role.REPLICA)
        .findFirst()
        .orElseThrow();
  }

  private static String upstream(RedisStore store, String node) {
    return store.roles().stream()
        .filter(view -> view.node().equals(node) && view.word().linkUp())
        .map(view -> view.word().upstream())
        .findFirst()
        .orElse("");
  }

  private static void follow(RedisStore store, String replica, String master) {
    try (RespCall asked = call(store, master);
        RespCall told = call(store, replica)) {
      assertThat(told.text("CLUSTER", "REPLICATE", asked.text("CLUSTER", "MYID"))).isEqualTo("OK");
    }
  }

  private static RespCall call(RedisStore store, String name) {
    RedisNode node =
        store.nodes().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    return RespCall.open(node, password(), Optional.empty());
  }

  private static void writeAll(Session session, long version) {
    for (long key = 0; key < KEYS; key++) {
      CompletableFuture<Outcome> written = new CompletableFuture<>();
      session.write(
          0,
          key,
          Session.ALL_FIELDS,
          100,
          version,
          ConsistencyLevel.ALL,
          (slot, end, newest) -> written.complete(end));
      assertThat(written.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(Outcome.OK);
    }
  }

  private static long read(Session session, long key, ConsistencyLevel level) {
    CompletableFuture<Long> read = new CompletableFuture<>();
    session.read(0, key, Session.ALL_FIELDS, level, (slot, end, version) -> read.complete(version));
    return read.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static RespCall call(LocalRedisNode node) {
    return RespCall.open(
        new RedisNode(node.name(), node.address(), node.port()), password(), Optional.empty());
  }

  private static Optional<Credentials> password() {
    return cluster.passwordFile().map(file -> Credentials.withPasswordFile("", file));
  }

  /** Knows one node only. */
  private static RedisStoreConfig config(String prefix, int node) {
    LocalRedisNode seed = cluster.nodes().get(node - 1);
    return RedisStoreConfig.builder()
        .prefix(prefix)
        .cluster(true)
        .credentials(password().orElseThrow())
        .node(new RedisNode(seed.name(), seed.address(), seed.port()))
        .build();
  }
}
