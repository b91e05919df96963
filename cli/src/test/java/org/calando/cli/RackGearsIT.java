package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Studies and a governor power a rack of three real nodes down and up, on a cluster that outlives
 * them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RackGearsIT {
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final List<String> RACK = List.of("n3");
  private static final int KEYS = 50;

  /** Little load, which two nodes serve. */
  private static final Duration FEW = Duration.ofMillis(200);

  /**
   * More than they serve by {@link #govern}, and no more than that: a node that boots needs the
   * rest.
   */
  private static final Duration MANY = Duration.ofMillis(5);

  @TempDir static Path folder;

  private static Path state;

  @BeforeAll
  static void start() throws IOException {
    state = folder.resolve("cluster");
    LocalCassandra cluster =
        LocalCassandra.start(
            OwnCassandra.config(3, "127.81").racks(3).jmxPort(7960).stateFolder(state).build());
    cluster.keep();
    Files.writeString(state.resolve("inventory.yaml"), LocalClusters.inventory(cluster));
  }

  @AfterAll
  static void stop() {
    LocalCassandra.attach(state).shutdown();
  }

  private static boolean isOff() {
    LocalCassandra cluster = LocalCassandra.attach(state);
    return RACK.stream().noneMatch(cluster::isRunning);
  }

  private static void requireAllOn() {
    LocalCassandra cluster = LocalCassandra.attach(state);
    assertThat(cluster.nodes())
        .as("nodes that are up")
        .allMatch(node -> cluster.isUp(node.index()), "is up");
  }

  /** Of two runs the first is in gear 1; its nodes are told apart from failed ones. */
  @Test
  @Order(1)
  void aStudyHasARunInEachGear() throws Exception {
    Path study = study("gear: [1, 2]", "3s");
    try (CommandProcess command = command("study", study.toString())) {
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    requireAllOn();
    Map<String, RunRow> rows = new ConcurrentHashMap<>();
    RunRows.read(folder.resolve("out/racks")).forEach(row -> rows.put(row.text("gear"), row));
    assertThat(rows).containsOnlyKeys("1", "2");
    RunRow low = rows.get("1");
    RunRow full = rows.get("2");
    assertThat(low.text("status")).isEqualTo("ok");
    assertThat(low.text("errors")).isEqualTo("0");
    assertThat(low.text("gear_shifts")).isEqualTo("2");
    assertThat(low.text("moved_bytes")).as("bytes of hints, which nobody counts").isEmpty();
    assertThat(full.text("gear_shifts")).isEqualTo("0");
    // Two nodes draw 75 W at least, and one that is off 8 W.
    assertThat(watts(low)).isBetween(2 * 75.0 + 8 - 1, watts(full) - 50);
  }

  /** The policy takes two racks for enough, and what it decided is decided again. */
  @Test
  @Order(2)
  void decisionsOfARunWhoseRackGoesOffAreTheSameWhenRepeated() throws Exception {
    String study = study("gear: [{load: {residency: 1s}}]", "20s").toString();
    try (CommandProcess command = command("study", study, "--out", "out/decided")) {
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    requireAllOn();
    try (CommandProcess replay = command("decisions", "replay", "out/decided")) {
      assertThat(replay.exitCode()).as(replay.stderr() + replay.stdout()).isZero();
      assertThat(replay.stdout()).contains("decisions, the same", "All decisions are the same.");
    }
  }

  private static double watts(RunRow row) {
    return Double.parseDouble(row.text("power_mean_w"));
  }

  /** An end waits 25 s for what is closed, and a rack that comes back takes longer. */
  @Test
  @Order(3)
  void afterCtrlCTheRackIsBackBeforeTheCommandEnds() throws Exception {
    String study = study("gear: [1]", "120s").toString();
    try (CommandProcess command = start("study", study, "--out", "out/ended", "--resume")) {
      awaitOff(command);
      command.signal("INT");
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isEqualTo(130);
      requireAllOn();
      assertThat(command.stderr())
          .contains("a second Ctrl-C ends it now", "none was lost", "Stopped.")
          .doesNotContain("not everything ended in time", "left off");
    }
  }

  @Test
  @Order(4)
  void afterKillTheNextStudySaysHowTheRackComesBack() throws Exception {
    String study = study("gear: [{schedule: [{at: \"00:00\", gear: 1}]}]", "120s").toString();
    try (CommandProcess command = start("study", study, "--out", "out/policy")) {
      awaitOff(command);
      command.signal("KILL");
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isEqualTo(137);
    }
    try (CommandProcess refused = command("study", study, "--out", "out/policy", "--resume")) {
      assertThat(refused.exitCode()).as(refused.stdout() + refused.stderr()).isEqualTo(2);
      assertThat(refused.stderr()).contains("./calando gear up");
    }
    String inventory = state.resolve("inventory.yaml").toString();
    try (CommandProcess resumed = command("gear", "down", "--inventory", inventory, "--resume")) {
      // It may have been killed behind the plan's last step.
      assertThat(resumed.exitCode()).as(resumed.stderr()).isIn(0, 2);
    }
    // The study names the inventory, and would have its logins.
    try (CommandProcess up = command("gear", "up", "--inventory", study)) {
      assertThat(up.exitCode()).as(up.stderr()).isZero();
    }
    requireAllOn();
  }

  private static void awaitOff(CommandProcess command) {
    await().atMost(LONG).until(() -> isOff() || !command.isAlive());
    assertThat(command.isAlive()).as(command.stderr() + command.stdout() + decisions()).isTrue();
  }

  /** What policies decided, for whoever reads why a test has failed. */
  private static String decisions() {
    try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(each -> each.endsWith("decisions.csv")).toList()) {
        text.append(Files.readString(file));
      }
      return text.toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** A timetable has the rack off, and a load that is more than the rest serves has it on. */
  @Test
  @Order(5)
  void aGovernorShiftsByItsPolicyWithoutAFailedRequestOrALostWrite() throws Exception {
    try (CommandProcess refused =
        command("govern", govern("promise: {survive: 1}", "QUORUM").toString(), "--dry-run")) {
      assertThat(refused.exitCode()).as(refused.stdout() + refused.stderr()).isEqualTo(2);
      assertThat(refused.stdout() + refused.stderr()).contains("no rack may be off");
    }
    try (Client client = new Client();
        CommandProcess command = start("govern", govern("", "QUORUM").toString())) {
      await().atMost(LONG).until(() -> isOff() || !command.isAlive());
      assertThat(command.isAlive()).as(command.stderr() + command.stdout()).isTrue();
      await().atMost(LONG).until(() -> command.stdout().contains("shifted to gear 1"));
      client.gapNanos = MANY.toNanos();
      await()
          .atMost(LONG)
          .until(() -> command.stdout().contains("shifted to gear 2") || !command.isAlive());
      assertThat(command.isAlive()).as(command.stderr() + command.stdout()).isTrue();
      requireAllOn();
      command.signal("TERM");
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(143);
      client.stop();
      assertThat(client.failed).hasValue(0);
      assertThat(client.stale).hasValue(0);
      client.requireAll();
    }
  }

  private Path govern(String promise, String reads) throws IOException {
    return Files.writeString(
        folder.resolve("govern.yaml"),
        """
        clusters:
          - name: shop
            engine: cassandra
            inventory: cluster/inventory.yaml
            rf: 3
            period: 1s
            control: [{gear: {schedule: [{at: "00:00", gear: 1}]}}]
            gears: {capacity: 30/s}
            clients: {reads: %s, writes: QUORUM}
            %s
        listen: 127.0.0.1:0
        """
            .formatted(reads, promise));
  }

  private Path study(String gear, String duration) throws IOException {
    return Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: racks
        store:
          engine: cassandra
          inventory: cluster/inventory.yaml
          rf: 3
          keyspace: racks%s
          gears: {capacity: 1000/s}
        workload: {preset: ycsb-a, records: 50, warm-up: 1s}
        matrix: {consistency: [QUORUM], %s, rate: [50/s], duration: %s}
        repeats: 1
        monitor: {period: 500ms}
        power: {meter: model, profile: xeon-x3440, baseline: 1s}
        """
            .formatted(duration, gear, duration));
  }

  private static CommandProcess start(String... arguments) {
    return CommandProcess.start(folder, CommandProcess.stateIn(folder), arguments);
  }

  private static CommandProcess command(String... arguments) {
    return CommandProcess.run(folder, CommandProcess.stateIn(folder), arguments);
  }

  /** Writes and reads at QUORUM on the plain driver, with books of its own. */
  private static final class Client implements AutoCloseable {
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();
    private final Map<Integer, Integer> books = new ConcurrentHashMap<>();
    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;
    private final Thread thread = new Thread(this::go, "client");
    private volatile long gapNanos = FEW.toNanos();
    private volatile boolean ended;

    Client() {
      session = OwnCassandra.session(LocalCassandra.attach(state), Duration.ofSeconds(20));
      session.execute(
          "CREATE KEYSPACE shop WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 3}");
      session.execute("CREATE TABLE shop.carts (id int PRIMARY KEY, items int)");
      write = session.prepare("INSERT INTO shop.carts (id, items) VALUES (?, ?)");
      read = session.prepare("SELECT items FROM shop.carts WHERE id = ?");
      thread.start();
    }

    private void go() {
      for (int i = 0; !ended; i++) {
        int id = i % KEYS;
        int next = i + 1;
        try {
          int known = books.getOrDefault(id, 0);
          if (items(id, ConsistencyLevel.QUORUM) < known) {
            stale.incrementAndGet();
          }
          session.execute(
              write
                  .bind(id, next)
                  .setConsistencyLevel(ConsistencyLevel.QUORUM)
                  .setIdempotent(true));
          books.put(id, next);
        } catch (DriverException e) {
          failed.incrementAndGet();
          System.out.println(e);
        }
        LockSupport.parkNanos(gapNanos);
      }
    }

    private int items(int id, ConsistencyLevel level) {
      // As applications mark them: a node that stops taking requests refuses those on their way.
      Row row = session.execute(read.bind(id).setConsistencyLevel(level).setIdempotent(true)).one();
      return row == null ? 0 : row.getInt("items");
    }

    void requireAll() {
      books.forEach(
          (id, last) ->
              assertThat(items(id, ConsistencyLevel.ALL)).as("key " + id).isEqualTo(last));
    }

    void stop() throws InterruptedException {
      ended = true;
      thread.join();
    }

    @Override
    public void close() {
      ended = true;
      session.close();
    }
  }
}
