package org.calando.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.store.hbase.Requests.buffers;
import static org.calando.store.hbase.Requests.flush;
import static org.calando.store.hbase.Requests.missing;
import static org.calando.store.hbase.Requests.read;
import static org.calando.store.hbase.Requests.write;
import static org.calando.store.hbase.Requests.writeAll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;
import org.calando.control.ControlLoop;
import org.calando.control.DeferringSession;
import org.calando.control.FixedBufferPolicy;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;
import org.calando.core.time.RealTimeScheduler;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hbase.LocalHBaseNode;
import org.calando.store.hbase.HBaseStore.Ownership;
import org.calando.store.hbase.Requests.End;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** On a real HBase of two RegionServers; each test has keys of its own. What hurts comes last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseIT {
  private static final TableSpec TABLE = new TableSpec("usertable", 1, "field");
  private static final WriteBuffering LARGE = WriteBuffering.deferred(12_000_000);
  private static final Duration LONG = Duration.ofMinutes(2);

  /** What the servers refuse, below what the client refuses. */
  private static final int LARGEST_ON_SERVER = 50_000;

  @TempDir private static Path folder;

  private static LocalHBase cluster;
  private static HBaseStore store;
  private static Session reader;

  private final List<FailedWrite> failed = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    cluster =
        LocalHBase.start(
            LocalHBaseConfig.builder()
                .nodes(2)
                .sessionTimeout(Duration.ofSeconds(6))
                .setting("hbase.server.keyvalue.maxsize", Integer.toString(LARGEST_ON_SERVER))
                .build());
    store = HBaseStore.connect(config("calando").build());
    store.prepare(TABLE);
    reader = store.open(1);
  }

  @AfterAll
  static void stop() {
    if (reader != null) {
      reader.close();
      store.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A session with one slot, whose failed writes the test collects. */
  private Session open(HBaseStore from, WriteBuffering writes) {
    return from.open(SessionRequest.of(1).writes(writes).failedWrites(failed::add));
  }

  private static HBaseStoreConfig.Builder config(String namespace) {
    return HBaseStoreConfig.builder()
        .quorum(cluster.quorum())
        .namespace(namespace)
        .regions(4)
        .requestTimeout(Duration.ofSeconds(60));
  }

  @Test
  @Order(1)
  void theNewestVersionIsReadWhateverCameLast() throws Exception {
    assertThat(store.engine()).startsWith("hbase 2.");
    HBaseClusterState state = store.cluster();
    assertThat(state.servers())
        .extracting(HBaseServer::port)
        .containsExactlyInAnyOrderElementsOf(
            cluster.nodes().stream().map(LocalHBaseNode::port).toList());
    assertThat(state.servers()).allMatch(server -> server.host().equals("127.0.0.1"));
    assertThat(state.master())
        .hasValue(new HBaseServer("127.0.0.1", cluster.server(LocalHBase.MASTER).port()));
    assertThat(state.dead()).isEmpty();
    assertThat(read(reader, 1)).isEqualTo(new End(Outcome.NOT_FOUND, Session.NO_VERSION));
    assertThat(write(reader, 0, 1, 1_000, 10)).isEqualTo(Outcome.OK);
    assertThat(write(reader, 0, 1, 1_000, 5)).isEqualTo(Outcome.OK);
    assertThat(read(reader, 1)).isEqualTo(new End(Outcome.OK, 10));
    CompletableFuture<Outcome> scanned = new CompletableFuture<>();
    reader.scan(0, 0, 5, 0, ConsistencyLevel.ONE, (s, o, v) -> scanned.complete(o));
    assertThat(scanned.get(60, TimeUnit.SECONDS)).isEqualTo(Outcome.OK);
    store.settle(LONG);
    store.requireHeld();
  }

  @Test
  @Order(2)
  void readsFromACopyAreRefusedAsThereIsNone() {
    assertThatThrownBy(() -> store.open(SessionRequest.of(1).readFrom(ReadFrom.REPLICA)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("HBase does not support");
  }

  @Test
  @Order(2)
  void aDeferredWriteIsAtRiskUntilItIsSentAndOnlyItsOwnClientCanSeeIt() throws Exception {
    try (Session own = open(store, new WriteBuffering(LARGE.setting(), false, true));
        Session blind = open(store, LARGE)) {
      assertThat(write(own, 0, 100, 1_000, 7)).isEqualTo(Outcome.OK);
      assertThat(write(blind, 0, 101, 1_000, 7)).isEqualTo(Outcome.OK);
      assertThat(buffers(own).atRisk()).isEqualTo(1);
      assertThat(read(own, 100)).isEqualTo(new End(Outcome.OK, 7));
      assertThat(read(blind, 101).outcome()).isEqualTo(Outcome.NOT_FOUND);
      assertThat(read(reader, 100).outcome()).isEqualTo(Outcome.NOT_FOUND);
      flush(own);
      assertThat(read(reader, 100)).isEqualTo(new End(Outcome.OK, 7));
    }
    // A close sends what is left.
    assertThat(read(reader, 101)).isEqualTo(new End(Outcome.OK, 7));
  }

  @Test
  @Order(3)
  void anOldWriteIsSentByTheTimerAndNotBefore() throws Exception {
    long delayNanos = TimeUnit.MILLISECONDS.toNanos(50);
    try (Session session =
        store.open(
            SessionRequest.of(2)
                .writes(
                    new WriteBuffering(
                        new BufferSetting(LARGE.bytes(), delayNanos), true, false)))) {
      buffers(session).beginWindow();
      assertThat(write(session, 0, 200, 1_000, 1)).isEqualTo(Outcome.OK);
      assertThat(write(session, 1, 201, 1_000, 1)).isEqualTo(Outcome.OK);
      Awaitility.await().atMost(LONG).until(() -> buffers(session).atRisk() == 0);
      DeferralFigures figures = buffers(session).figures();
      assertThat(figures.visible()).isEqualTo(2);
      assertThat(figures.freshnessMaxNanos()).isGreaterThanOrEqualTo(delayNanos);
      assertThat(figures.flushes()).isBetween(1L, 2L);
      assertThat(missing(reader, 200, 2)).isEmpty();
    }
  }

  @Test
  @Order(4)
  void theKnobChangesHowWritesAreSentAndSendsWhatWasCollected() throws Exception {
    try (Session session = open(store, LARGE)) {
      BufferedWrites buffers = buffers(session);
      BufferKnob knob = new BufferKnob(buffers, "usertable", false, false);
      assertThat(write(session, 0, 300, 1_000, 1)).isEqualTo(Outcome.OK);
      Plan plan = knob.plan(knob.current(), BufferSetting.STRONG);
      assertThat(plan.steps()).hasSize(1);
      plan.steps().get(0).perform();
      assertThat(plan.steps().get(0).isDone()).isTrue();
      Awaitility.await().atMost(LONG).until(() -> buffers(session).atRisk() == 0);
      assertThat(read(reader, 300).outcome()).isEqualTo(Outcome.OK);
      assertThat(write(session, 0, 301, 1_000, 1)).isEqualTo(Outcome.OK);
      assertThat(read(reader, 301).outcome()).isEqualTo(Outcome.OK);
      plan.steps().get(0).undo();
      assertThat(buffers.buffering()).isEqualTo(LARGE);
      assertThat(knob.current()).isEqualTo(LARGE.setting());
    }
  }

  @Test
  @Order(4)
  void aLoopLeavesWritesStrongWhenItIsClosedAndWhenItsKnobCannotBeSet() throws Exception {
    BufferPolicy always = new FixedBufferPolicy(new BufferSetting(500_000, 5_000_000_000L));
    try (Session session = store.open(1);
        Lease lease = Lease.ofProcess("a test");
        RealTimeScheduler scheduler = new RealTimeScheduler("buffers")) {
      BufferedWrites buffers = buffers(session);
      BufferKnob knob = new BufferKnob(buffers, "usertable", true, false);
      DeferringSession client = new DeferringSession(buffers, knob, 100, lease);
      ControlLoop<?> loop = HeldBuffer.start(scheduler, always, "usertable", client, told -> {});
      Awaitility.await().atMost(LONG).until(() -> !buffers.buffering().isStrong());
      assertThat(buffers.buffering().shared()).isTrue();
      assertThat(write(session, 0, 400, 1_000, 1)).isEqualTo(Outcome.OK);
      loop.close();
      assertThat(buffers.buffering()).isEqualTo(WriteBuffering.STRONG);
      assertThat(loop.failure()).isEmpty();
      Awaitility.await().atMost(LONG).until(() -> buffers(session).atRisk() == 0);
      assertThat(missing(reader, 400, 1)).isEmpty();

      buffers.buffering(LARGE);
      DeferringSession stuck =
          new DeferringSession(buffers, knob, 100, lease) {
            @Override
            public void set(BufferSetting to) {
              throw new FailedWorkException("the disk is full", "journal", "make room");
            }
          };
      try (ControlLoop<?> failing =
          HeldBuffer.start(scheduler, always, "usertable", stuck, told -> {})) {
        Awaitility.await().atMost(LONG).until(() -> failing.failure().isPresent());
        assertThat(failing.failure().orElseThrow()).hasMessageContaining("the disk is full");
        assertThat(buffers.buffering()).isEqualTo(WriteBuffering.STRONG);
      } catch (FailedWorkException toldAgainAtTheEnd) {
        assertThat(buffers.buffering()).isEqualTo(WriteBuffering.STRONG);
      }
    }
  }

  @Test
  @Order(5)
  void whenTheBoundIsReachedWritersWaitAndNothingIsLost() throws Exception {
    long bound = 1 << 17;
    try (HBaseStore small = HBaseStore.connect(config("calando").boundBytes(bound).build())) {
      small.join(TABLE);
      try (Session session = open(small, LARGE)) {
        buffers(session).beginWindow();
        writeAll(session, 1_000, 500);
        flush(session);
        assertThat(buffers(session).figures().mostAtRisk()).isBetween(1L, bound / 1_000);
        assertThat(failed).isEmpty();
      }
    }
    assertThat(missing(reader, 1_000, 500)).isEmpty();
  }

  @Test
  @Order(6)
  void aRowThatIsTooLargeFailsAloneAndIsNamedOnce() throws Exception {
    try (Session session = open(store, LARGE)) {
      assertThat(write(session, 0, 2_000, 11_000_000, 1)).isEqualTo(Outcome.FAILED);
      assertThat(buffers(session).atRisk()).isZero();
      writeAll(session, 2_001, 50);
      assertThat(write(session, 0, 2_060, 2 * LARGEST_ON_SERVER, 3)).isEqualTo(Outcome.OK);
      flush(session);
      assertThat(failed).hasSize(1);
      assertThat(failed.get(0).key()).isEqualTo(2_060);
      assertThat(failed.get(0).version()).isEqualTo(3);
      assertThat(failed.get(0).maybeApplied()).isFalse();
    }
    assertThat(missing(reader, 2_001, 50)).isEmpty();
    assertThat(read(reader, 2_060).outcome()).isEqualTo(Outcome.NOT_FOUND);
  }

  @Test
  @Order(7)
  void whatOthersMadeIsLeftAloneAndADroppedTableNamesEveryRow() throws Exception {
    AsyncAdmin admin = store.connection().getAdmin();
    try (HBaseStore other =
        HBaseStore.connect(config("other").regions(2).user("somebody").build())) {
      assertThat(other.ownership("usertable")).isEqualTo(Ownership.ABSENT);
      other.prepare(TABLE);
      assertThat(other.ownership("usertable")).isEqualTo(Ownership.OURS);
      // The master notes on whose behalf it works.
      assertThat(admin.getProcedures().get(60, TimeUnit.SECONDS)).contains("somebody");
      TableName dropped = TableName.valueOf("other", "usertable");
      TableName theirs = TableName.valueOf("other", "theirs");
      admin
          .createTable(
              TableDescriptorBuilder.newBuilder(theirs)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build())
          .get(60, TimeUnit.SECONDS);
      assertThatThrownBy(() -> other.join(new TableSpec("theirs", 1, "field")))
          .isInstanceOf(BadRequestException.class);
      assertThatThrownBy(() -> other.prepare(new TableSpec("theirs", 1, "field")))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("other:theirs");
      assertThat(other.ownership("theirs")).isEqualTo(Ownership.FOREIGN);
      assertThat(admin.isTableEnabled(theirs).get(60, TimeUnit.SECONDS)).isTrue();

      other.prepare(TABLE);
      try (Session session = open(other, LARGE)) {
        List<Long> keys = writeAll(session, 0, 100);
        admin.disableTable(dropped).get(60, TimeUnit.SECONDS);
        admin.deleteTable(dropped).get(60, TimeUnit.SECONDS);
        flush(session);
        assertThat(failed).extracting(FailedWrite::key).containsExactlyInAnyOrderElementsOf(keys);
      }
      assertThatThrownBy(other::requireHeld)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("dropped");
    }
  }

  @Test
  @Order(8)
  void regionsThatMoveOrSplitMeanwhileTakeAllWrites() throws Exception {
    AsyncAdmin admin = store.connection().getAdmin();
    TableName name = TableName.valueOf("calando", "usertable");
    List<RegionInfo> regions = admin.getRegions(name).get(60, TimeUnit.SECONDS);
    try (Session session = open(store, WriteBuffering.deferred(100_000))) {
      CompletableFuture<Void> split =
          admin.splitRegion(regions.get(0).getRegionName(), new byte[] {0, 1});
      CompletableFuture<Void> moved = admin.move(regions.get(1).getEncodedNameAsBytes());
      writeAll(session, 3_000, 1_000);
      flush(session);
      moved.get(60, TimeUnit.SECONDS);
      split.get(60, TimeUnit.SECONDS);
      assertThat(failed).as(session.errors().toString()).isEmpty();
    }
    assertThat(missing(reader, 3_000, 1_000)).isEmpty();
    // A split is told as done before the new regions are listed.
    Awaitility.await()
        .atMost(LONG)
        .until(() -> admin.getRegions(name).get(60, TimeUnit.SECONDS).size() > regions.size());
  }

  @Test
  @Order(9)
  void aClientThatIsAskedToEndLosesNothing() throws Exception {
    Client client = Client.begin(10_000, 600);
    client.process.destroy();
    assertThat(client.process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    long[] last = client.last();
    assertThat(missing(reader, 10_000, last[0])).isEmpty();
  }

  @Test
  @Order(10)
  void aClientThatIsKilledLosesNoMoreThanItSaidToBeAtRisk() throws Exception {
    Client client = Client.begin(20_000, 600);
    client.process.destroyForcibly();
    assertThat(client.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    long[] last = client.last();
    assertThat(missing(reader, 20_000, last[0]).size()).isLessThanOrEqualTo((int) last[1]);
  }

  @Test
  @Order(11)
  void zookeeperMayGoAndComeBack() throws Exception {
    // Buffers of a few writes are sent while it is gone.
    try (Session session = open(store, WriteBuffering.deferred(20_000))) {
      cluster.kill(LocalHBase.ZOOKEEPER);
      writeAll(session, 30_000, 200);
      cluster.launch(LocalHBase.ZOOKEEPER);
      flush(session);
      assertThat(failed).as(session.errors().toString()).isEmpty();
    }
    healed();
    assertThat(missing(reader, 30_000, 200)).isEmpty();
  }

  @Test
  @Order(12)
  void noWriteIsLostWithARegionServer() throws Exception {
    try (HBaseStore strict = HBaseStore.connect(config("calando").sameServers(true).build());
        Session session = open(store, LARGE);
        Session strong = store.open(1);
        StrongWriter writer = new StrongWriter(strong, 42_000)) {
      strict.join(TABLE);
      strict.requireHeld();
      writeAll(session, 41_000, 1_000);
      assertThat(buffers(session).atRisk()).isEqualTo(1_000);
      writer.awaitMore(200);
      // Strong writes are under way: regions of both servers are written.
      cluster.kill("n2");
      flush(session);
      writer.awaitMore(200);
      assertThat(failed).as(session.errors().toString()).isEmpty();
      List<Long> acknowledged = writer.end();
      for (long key : acknowledged) {
        assertThat(read(reader, key)).isEqualTo(new End(Outcome.OK, 1));
      }
      store.requireHeld();
      assertThatThrownBy(strict::requireHeld)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("ended [127.0.0.1," + cluster.server("n2").port());
    }
    assertThat(missing(reader, 41_000, 1_000)).isEmpty();
  }

  @Test
  @Order(13)
  void aMasterThatHangsKeepsNobodyLongerThanAskedForRegions() throws Exception {
    healed();
    String server = "127.0.0.1:" + cluster.server("n1").port();
    String master = Long.toString(cluster.server(LocalHBase.MASTER).pid());
    try (RegionServers servers = RegionServers.connect(config("calando").build())) {
      assertThat(servers.regions(server)).isNotEmpty();
      signal("-STOP", master);
      // A thread that has not stopped yet may still answer.
      Awaitility.await().until(() -> isStopped(master));
      try {
        assertThatThrownBy(() -> servers.regions(server, Duration.ofSeconds(1)))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("no answer within 1 s");
      } finally {
        signal("-CONT", master);
      }
    }
  }

  /** Whether all threads of a process are stopped. */
  private static boolean isStopped(String pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc", pid, "task"))) {
      return threads.allMatch(
          thread -> {
            try {
              return Files.readString(thread.resolve("status")).contains("State:\tT");
            } catch (IOException e) {
              // It has ended.
              return true;
            }
          });
    }
  }

  private static void signal(String signal, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor()).isZero();
  }

  /** Writes one key after another by itself until it is ended, and notes what was acknowledged. */
  private static final class StrongWriter implements AutoCloseable {
    private final List<Long> acknowledged = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> done;

    StrongWriter(Session session, long firstKey) {
      done =
          CompletableFuture.runAsync(
              () -> {
                for (long key = firstKey; !ended.get(); key++) {
                  if (outcome(session, key) == Outcome.OK) {
                    acknowledged.add(key);
                  }
                }
              });
    }

    private static Outcome outcome(Session session, long key) {
      try {
        return write(session, 0, key, 1_000, 1);
      } catch (Exception e) {
        throw new IllegalStateException("a strong write was not answered", e);
      }
    }

    void awaitMore(int writes) {
      int before = acknowledged.size();
      Awaitility.await()
          .atMost(LONG)
          .until(() -> done.isDone() || acknowledged.size() >= before + writes);
    }

    List<Long> end() throws Exception {
      ended.set(true);
      done.get(120, TimeUnit.SECONDS);
      return List.copyOf(acknowledged);
    }

    @Override
    public void close() {
      ended.set(true);
    }
  }

  /** A server that was too long without ZooKeeper ends itself, as it should. */
  private static void healed() {
    List<String> servers = List.of(LocalHBase.MASTER, "n1", "n2");
    BooleanSupplier up =
        () -> {
          servers.stream().filter(name -> !cluster.isRunning(name)).forEach(cluster::launch);
          return servers.stream().allMatch(cluster::isUp);
        };
    Awaitility.await().atMost(LONG).until(up::getAsBoolean);
  }

  /** A process that defers writes, and where it tells of them. */
  private record Client(Process process, Path told) {
    /** Begins one, and returns when it has done so many writes. */
    static Client begin(long firstKey, long writes) throws IOException {
      String path =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      // A file, since the JDK closes the pipes of processes that it ends.
      Path told = folder.resolve("client-" + firstKey);
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  path,
                  DeferringClient.class.getName(),
                  cluster.quorum(),
                  "calando",
                  "usertable",
                  Long.toString(firstKey))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(told.toFile())
              .start();
      Client client = new Client(process, told);
      try {
        Awaitility.await()
            .atMost(LONG)
            .until(() -> !process.isAlive() || client.last()[0] >= writes);
        assertThat(process.isAlive()).as("the client runs until it is ended").isTrue();
        return client;
      } catch (RuntimeException | AssertionError e) {
        process.destroyForcibly();
        throw e;
      }
    }

    /** The last line that it told in full: writes done, and of those at risk. */
    long[] last() throws IOException {
      String text = Files.readString(told);
      String whole = "0 0\n" + text.substring(0, text.lastIndexOf('\n') + 1);
      String[] lines = whole.split("\n", -1);
      String[] last = lines[lines.length - 2].split(" ", -1);
      return new long[] {Long.parseLong(last[0]), Long.parseLong(last[1])};
    }
  }
}
