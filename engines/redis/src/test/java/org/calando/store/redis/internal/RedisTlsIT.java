package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleEvent;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStore;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RoleMonitor;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.internal.wire.RespCall;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.calando.store.redis.internal.wire.TlsWire;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real master, replicas and a Sentinel that speak TLS only. */
class RedisTlsIT {
  private static final TableSpec PLAIN = new TableSpec("plain", 1, "field");
  private static final int MOST_BYTES = 100_000;
  private static final int LARGEST_RECORD = 16_384;

  private static LocalRedis cluster;

  @BeforeAll
  static void start() {
    cluster =
        LocalRedis.start(
            LocalRedisConfig.builder().nodes(3).sentinels(1).auth(true).tls(true).build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void recordsAreWrittenAndReadAtAll() throws Exception {
    RedisStoreConfig.Builder config =
        RedisStoreConfig.builder()
            .credentials(password())
            .sentinelCredentials(password())
            .masterName(LocalRedisConfig.MASTER_NAME)
            .tls(trusting());
    nodes(cluster.nodes(), "127.0.0.1").forEach(config::node);
    nodes(cluster.sentinels(), "127.0.0.1").forEach(config::sentinel);
    try (RedisStore store = RedisStore.connect(config.build())) {
      store.prepare(PLAIN);
      try (Session session = store.open(1)) {
        CompletableFuture<Outcome> written = new CompletableFuture<>();
        session.write(
            0, 1, 0, 100, 5, ConsistencyLevel.ALL, (slot, end, version) -> written.complete(end));
        assertThat(written.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.OK);
        CompletableFuture<Long> read = new CompletableFuture<>();
        session.read(0, 1, 0, ConsistencyLevel.ALL, (slot, end, version) -> read.complete(version));
        assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(5);
      }
    }
  }

  @Test
  void aChoiceOfTheSentinelIsHeardAndFollowed() {
    List<RoleEvent> events = new CopyOnWriteArrayList<>();
    RoleMonitorConfig config =
        monitor("127.0.0.1")
            .withSentinels(nodes(cluster.sentinels(), "127.0.0.1"), LocalRedisConfig.MASTER_NAME)
            .withTls(trusting());
    try (RoleMonitor monitor = RoleMonitor.start(config, System::nanoTime, events::add);
        RespCall sentinel =
            RespCall.open(
                nodes(cluster.sentinels(), "127.0.0.1").get(0),
                Optional.of(password()),
                Optional.of(TlsKeys.read(trusting())))) {
      awaitRoles(monitor);
      String master = master(monitor);
      assertThat(sentinel.text("SENTINEL", "FAILOVER", LocalRedisConfig.MASTER_NAME))
          .isEqualTo("OK");
      // Chosen is told before the node itself says that it is the master.
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () ->
                  assertThat(events)
                      .anyMatch(
                          event ->
                              event.kind() == RoleEvent.Kind.RAISE
                                  && event.was().role() == Role.REPLICA
                                  && event.now().role() == Role.REPLICA
                                  && !event.node().equals(master)));
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () ->
                  monitor.view().stream()
                      .anyMatch(view -> view.role() == Role.MASTER && !view.node().equals(master)));
      assertThat(monitor.problems()).isEmpty();
    }
  }

  @Test
  void aCertificateOfSomebodyElsesCaIsRefused() {
    TlsSettings theJdks =
        new TlsSettings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            true);
    refused("127.0.0.1", theJdks, "certification path");
  }

  @Test
  void aCertificateMustNameTheHostUnlessThatIsNotAskedFor() {
    refused("localhost", trusting(), "localhost");
    TlsSettings lenient =
        new TlsSettings(
            trusting().ca(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);
    try (RoleMonitor monitor =
        RoleMonitor.start(monitor("localhost").withTls(lenient), System::nanoTime, event -> {})) {
      awaitRoles(monitor);
    }
  }

  @Test
  void whoSpeaksPlainlyGetsNoAnswerAndIsTold() {
    try (RoleMonitor monitor =
        RoleMonitor.start(monitor("127.0.0.1"), System::nanoTime, event -> {})) {
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> assertThat(monitor.problems()).hasSize(3).allMatch(p -> p.contains("answer")));
    }
    RedisNode node = nodes(cluster.nodes(), "localhost").get(0);
    assertThatThrownBy(
            () ->
                RespCall.open(node, Optional.of(password()), Optional.of(TlsKeys.read(trusting()))))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("localhost");
  }

  @Test
  void filesThatAreNoneAreNamed() {
    TlsSettings password = TlsSettings.trusting(cluster.passwordFile().orElseThrow());
    assertThatThrownBy(() -> TlsKeys.read(password))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("certificate");
    TlsSettings missing = TlsSettings.trusting(cluster.folder().resolve("none.pem"));
    assertThatThrownBy(() -> TlsKeys.read(missing))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("none.pem");
  }

  /** Both ends of a connection that takes and gives bytes by the handful. */
  @Test
  void whateverPiecesItComesInItComesWhole() throws Exception {
    long seed = Long.getLong("calando.seed", System.nanoTime());
    Random random = new Random(seed);
    ArrayDeque<Byte> there = new ArrayDeque<>();
    ArrayDeque<Byte> back = new ArrayDeque<>();
    TlsWire client = client(new Pieces(back, there, random));
    TlsWire server = server(new Pieces(there, back, random));
    byte[] question = new byte[1 + random.nextInt(MOST_BYTES)];
    random.nextBytes(question);
    ByteBuffer sent = ByteBuffer.wrap(question);
    ByteBuffer echo = ByteBuffer.allocate(question.length);
    ByteBuffer received = ByteBuffer.allocate(question.length);
    for (int turn = 0; received.hasRemaining() && turn < 1_000_000; turn++) {
      client.write(sent);
      int heard = server.read(echo);
      echo.flip();
      server.write(echo);
      echo.compact();
      assertThat(heard).as("seed %d", seed).isNotNegative();
      assertThat(client.read(received)).as("seed %d", seed).isNotNegative();
    }
    assertThat(received.array()).as("seed %d", seed).isEqualTo(question);
    client.close();
    server.close();
  }

  /** No selector would tell of it: the bytes are here, and nobody has looked into them. */
  @Test
  void aSmallRecordBehindOneThatFillsTheBufferIsNotForgotten() throws Exception {
    ArrayDeque<Byte> there = new ArrayDeque<>();
    ArrayDeque<Byte> back = new ArrayDeque<>();
    TlsWire client = client(new Whole(back, there));
    TlsWire server = server(new Whole(there, back));
    ByteBuffer hello = ByteBuffer.wrap(new byte[] {1});
    ByteBuffer heard = ByteBuffer.allocate(1);
    ByteBuffer none = ByteBuffer.allocate(1);
    for (int turn = 0; heard.hasRemaining() && turn < 100; turn++) {
      client.write(hello);
      server.read(heard);
      assertThat(client.read(none)).isZero();
    }
    server.write(ByteBuffer.allocate(0));
    assertThat(client.read(none)).isZero();
    assertThat(client.hasMore()).isFalse();

    server.write(ByteBuffer.allocate(LARGEST_RECORD));
    server.write(ByteBuffer.wrap(new byte[] {7}));
    assertThat(client.read(ByteBuffer.allocate(LARGEST_RECORD))).isEqualTo(LARGEST_RECORD);
    assertThat(there).isEmpty();
    assertThat(back).isEmpty();
    assertThat(client.hasMore()).isTrue();
    assertThat(client.read(none)).isEqualTo(1);
    assertThat(none.get(0)).isEqualTo((byte) 7);
    assertThat(client.hasMore()).isFalse();
    assertThat(client.read(ByteBuffer.allocate(1))).isZero();
    assertThat(client.hasMore()).isFalse();
  }

  private static TlsWire client(ByteChannel channel) {
    RedisNode node = nodes(cluster.nodes(), "127.0.0.1").get(0);
    return new TlsWire(channel, TlsKeys.read(trusting()).engine(node));
  }

  private static TlsWire server(ByteChannel channel) throws SSLException {
    return new TlsWire(
        channel,
        SslContextBuilder.forServer(
                cluster.folder().resolve("redis.pem").toFile(),
                cluster.folder().resolve("redis.key").toFile())
            .build()
            .newEngine(UnpooledByteBufAllocator.DEFAULT));
  }

  /** A connection whose every call moves all that there is room for. */
  private record Whole(ArrayDeque<Byte> in, ArrayDeque<Byte> out) implements ByteChannel {
    @Override
    public int read(ByteBuffer into) {
      int bytes = Math.min(into.remaining(), in.size());
      for (int i = 0; i < bytes; i++) {
        into.put(in.remove());
      }
      return bytes;
    }

    @Override
    public int write(ByteBuffer from) {
      int bytes = from.remaining();
      while (from.hasRemaining()) {
        out.add(from.get());
      }
      return bytes;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A connection whose every call moves a few bytes, or none. */
  private record Pieces(ArrayDeque<Byte> in, ArrayDeque<Byte> out, Random random)
      implements ByteChannel {
    private static final int ROOM = 20_000;

    @Override
    public int read(ByteBuffer into) {
      int most = Math.min(into.remaining(), in.size());
      int bytes = most == 0 ? 0 : random.nextInt(Math.min(most, 5_000) + 1);
      for (int i = 0; i < bytes; i++) {
        into.put(in.remove());
      }
      return bytes;
    }

    @Override
    public int write(ByteBuffer from) {
      int most = Math.min(from.remaining(), ROOM - out.size());
      int bytes = most == 0 ? 0 : random.nextInt(Math.min(most, 5_000) + 1);
      for (int i = 0; i < bytes; i++) {
        out.add(from.get());
      }
      return bytes;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static void refused(String host, TlsSettings tls, String reason) {
    try (RoleMonitor monitor =
        RoleMonitor.start(monitor(host).withTls(tls), System::nanoTime, event -> {})) {
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> assertThat(monitor.problems()).hasSize(3).allMatch(p -> p.contains(reason)));
      assertThat(monitor.view()).extracting(NodeView::role).containsOnly(Role.UNKNOWN);
    }
  }

  private static void awaitRoles(RoleMonitor monitor) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(monitor.view())
                    .extracting(NodeView::role)
                    .containsOnlyOnce(Role.MASTER)
                    .doesNotContain(Role.UNKNOWN));
  }

  private static String master(RoleMonitor monitor) {
    return monitor.view().stream()
        .filter(view -> view.role() == Role.MASTER)
        .map(NodeView::node)
        .findFirst()
        .orElseThrow();
  }

  private static RoleMonitorConfig monitor(String host) {
    return RoleMonitorConfig.of(nodes(cluster.nodes(), host)).withCredentials(password());
  }

  private static TlsSettings trusting() {
    return TlsSettings.trusting(cluster.caFile().orElseThrow());
  }

  private static Credentials password() {
    return Credentials.withPasswordFile("", cluster.passwordFile().orElseThrow());
  }

  private static List<RedisNode> nodes(List<LocalRedisNode> servers, String host) {
    return servers.stream()
        .map(server -> new RedisNode(server.name(), host, server.port()))
        .toList();
  }
}
