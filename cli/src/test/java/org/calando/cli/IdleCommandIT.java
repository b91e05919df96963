package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert;
import org.awaitility.Awaitility;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FileStore;
import org.calando.core.store.TableSpec;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleMeans;
import org.calando.gears.idle.IdleShifter;
import org.calando.gears.idle.IdleStatus;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.store.hbase.HBaseStore;
import org.calando.store.hbase.HBaseStoreConfig;
import org.calando.store.hbase.RegionServers;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The idle commands on a real HBase of two RegionServers that is written to. */
@Timeout(900)
class IdleCommandIT extends LeftRunning {
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final int TRIES = 4;
  private static final long ENOUGH = 50;

  IdleCommandIT() {
    super("hbase");
  }

  private JsonNode json(int exitCode, String... arguments) throws IOException {
    CommandAnswer command = command(arguments);
    assertThat(command.exitCode()).as(command.stderr()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(command.stdout());
  }

  private void refused(String what, String... arguments) {
    CommandAnswer command = command(arguments);
    assertThat(command.exitCode()).as(command.stdout()).isEqualTo(2);
    assertThat(command.stderr()).contains(what).doesNotContain("Exception");
  }

  /**
   * Begins to have n2 sleep, and kills the process once a step is done. Where it was done with the
   * rest before the kill came, it is woken, and done again.
   */
  private void killedAfter(String step) throws IOException {
    Path journal = state().resolve("idle.json.journal");
    for (int tries = 1; ; tries++) {
      long before = count(journal, step);
      CommandProcess down = begin("idle", "down", "--local");
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(POLL)
          .until(() -> count(journal, step) > before || !down.isAlive());
      down.signal("KILL");
      if (down.exitCode() != 0 || tries == TRIES) {
        assertThat(down.exitCode()).as(down.stderr()).isEqualTo(137);
        return;
      }
      CommandAnswer up = command("idle", "up", "--local");
      assertThat(up.exitCode()).as(up.stderr()).isZero();
    }
  }

  private static long count(Path journal, String step) throws IOException {
    return Files.exists(journal)
        ? Files.readString(journal)
            .lines()
            .filter(line -> line.contains("\"event\":\"DONE\""))
            .filter(line -> line.contains("\"step\":\"" + step + "\""))
            .count()
        : 0;
  }

  @Test
  void aServerSleepsAndWakesWhileSomebodyWrites() throws Exception {
    refused("no cluster is named", "idle", "status");
    CommandProcess start = startCluster("heap=256MiB");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    try (LocalHBase cluster = LocalHBase.attach(state());
        LocalIdle idle = LocalIdle.open(cluster, ShiftNews.NONE);
        HBaseStore store = HBaseStore.connect(config(cluster))) {
      store.prepare(new TableSpec("usertable", 1, "field"));
      RegionServers regions = idle.means().regions();
      Map<String, List<RegionServers.Region>> homes = places(regions);
      SteadyWriter writer = new SteadyWriter(store.open(1), store.open(1));
      try (writer) {
        isPlannedOrRefused(idle.means());
        isRefusedWhileABlockIsOnlyThere(cluster.hdfs(), idle.means());
        isTakenBackAfterAKill(idle.means());
        assertThat(places(regions)).isEqualTo(homes);
        sleepsAfterAKill(idle.means());
        writer.awaitMore(ENOUGH);
        wakesWhenTheLoadIsThere(isGovernedByItsLoad());
        namesTheProcessesThatRunNow();
        assertThat(places(regions)).isEqualTo(homes);
        assertThat(regions.balancer()).isTrue();
        writer.awaitMore(ENOUGH);
      }
      assertThat(writer.failed()).as("writes that were not acknowledged").isEmpty();
      assertThat(writer.lost()).as("of " + writer.acknowledged()).isEmpty();
      // A command of its own: this process does not know the processes that others started.
      assertThat(json(0, "idle", "status", "--local", "--json").path("well").asBoolean()).isTrue();
      cluster.kill("n1");
      JsonNode dead = json(1, "idle", "status", "--local", "--json");
      assertThat(dead.at("/findings/0/what").asText()).as(dead.toString()).isEqualTo("node n1");
      String remedy = dead.at("/findings/0/remedy").asText();
      assertThat(remedy).isEqualTo("./calando idle up --local --node n1");
      // The master may hold it for live still, until its session has ended: the remedy waits for
      // that.
      CommandAnswer up = command("idle", "up", "--local", "--node", "n1");
      assertThat(up.exitCode()).as(up.stdout() + up.stderr()).isZero();
      awaitSettled();
      comesBackWithItsDataAfterItsOnlyDataNodeDied(writer);
      awaitSettled();
    }
  }

  private void awaitSettled() {
    // Not all the time: each takes a second of a processor, of which the servers are short.
    Awaitility.await()
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> command("idle", "status", "--local").exitCode() == 0);
  }

  /** n2 sleeps: without n1's DataNode neither its server nor the master can write a log. */
  private void comesBackWithItsDataAfterItsOnlyDataNodeDied(SteadyWriter writer) throws Exception {
    CommandAnswer down = command("idle", "down", "--local", "--node", "n2");
    assertThat(down.exitCode()).as(down.stderr()).isZero();
    // Without a DataNode neither server nor master can write a log: both end, sooner or later. The
    // rest ends with the machine.
    try (LocalHBase cluster = LocalHBase.attach(state())) {
      cluster.hdfs().kill(1);
      cluster.kill("n1");
      cluster.kill(LocalHBase.MASTER);
      cluster.kill(LocalHBase.ZOOKEEPER);
      cluster.hdfs().kill(LocalHdfs.NAME_NODE);
    }
    CommandAnswer status = command("idle", "status", "--local");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.stderr())
        .contains("zookeeper, master, the NameNode, any DataNode", "./calando idle up --local");
    assertThat(command("local", "status", "hbase").stdout()).contains("./calando idle up --local");
    CommandAnswer up = command("idle", "up", "--local", "--node", "n1");
    assertThat(up.exitCode()).as(up.stderr()).isZero();
    assertThat(writer.lost()).as("of " + writer.acknowledged()).isEmpty();
    CommandAnswer all = command("idle", "up", "--local");
    assertThat(all.exitCode()).as(all.stderr()).isZero();
  }

  private static HBaseStoreConfig config(LocalHBase cluster) {
    return HBaseStoreConfig.builder()
        .quorum(cluster.quorum())
        .regions(6)
        .requestTimeout(Duration.ofSeconds(60))
        .build();
  }

  private void isPlannedOrRefused(IdleMeans means) throws IOException {
    JsonNode plan = json(0, "idle", "plan", "--local", "--json");
    assertThat(plan.path("to").toString()).isEqualTo("[\"n2\"]");
    assertThat(plan.path("steps").size()).isGreaterThan(8);
    assertThat(plan.path("moves").size()).isGreaterThanOrEqualTo(3);
    assertThat(plan.path("copies").asInt()).isEqualTo(2);
    assertThat(plan.path("data_nodes").asInt()).isEqualTo(1);
    assertThat(plan.has("obstacle")).as(plan.toString()).isFalse();
    // One node of the built-in profile: idle 75 W, off 8 W.
    assertThat(plan.at("/energy/saved_w").asDouble()).isEqualTo(67);
    IdleShifter shifter = new IdleShifter(means, "a test");
    refused("there is no node 'n9'", () -> shifter.shift(Set.of("n9")));
    refused("leaves no server awake", () -> shifter.shift(Set.of("n1", "n2")));
    refused("it is so already", () -> shifter.shift(Set.of()));
    refused("there is no unfinished plan", shifter::resume);
  }

  private static void isRefusedWhileABlockIsOnlyThere(LocalHdfs hdfs, IdleMeans means)
      throws InterruptedException {
    HdfsAccess access = HdfsAccess.of(hdfs.uri()).http(hdfs.nameNodeHttp()).build();
    try (HdfsCluster cluster = HdfsCluster.open(access);
        HdfsFiles files = HdfsFiles.open(cluster, "/single")) {
      // HDFS takes either node: until one has it that is to sleep.
      String path = "";
      for (int i = 0; i < 40 && path.isEmpty(); i++) {
        try (FileStore.Writer writer = files.create("f" + i, new FileStore.Shape(1, 1 << 20))) {
          writer.write(new byte[100], 0, 100);
        }
        String written = files.absolute("f" + i);
        boolean there =
            means.dataNodes().cluster().file(written).stream()
                .allMatch(block -> block.nodes().equals(new TreeSet<>(Set.of(2))));
        path = there ? written : "";
      }
      assertThat(path).as("a file that is on n2 only").isNotEmpty();
      IdleShifter shifter = new IdleShifter(means, "a test");
      assertThat(shifter.dryRun(Set.of("n2")).obstacle().orElseThrow()).contains(path);
      assertThatThrownBy(() -> shifter.shift(Set.of("n2")))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("are on no node that stays on")
          .hasMessageContaining(path);
      assertThat(shifter.unfinished()).isEmpty();
      assertThat(IdleStatus.of(means).isSettled()).isTrue();
      files.list("").forEach(file -> files.delete(file.path()));
    }
  }

  private static void refused(String what, ThrowableAssert.ThrowingCallable order) {
    assertThatThrownBy(order).isInstanceOf(BadRequestException.class).hasMessageContaining(what);
  }

  private void isTakenBackAfterAKill(IdleMeans means) throws Exception {
    killedAfter("stop-server");
    assertThat(means.regions().balancer()).as("held, as the regions are away").isFalse();
    IdleStatus status = IdleStatus.of(means);
    assertThat(status.isSettled()).isFalse();
    assertThat(status.unfinished().orElseThrow().value()).isEqualTo("off n2");
    assertThat(status.nodes().get(1).server().live()).isFalse();
    IdleShifter shifter = new IdleShifter(means, "a test");
    refused("there is an unfinished plan", () -> shifter.shift(Set.of("n2")));
    shifter.undo();
    assertThat(means.regions().balancer()).isTrue();
    assertThat(means.regions().drained()).isEmpty();
    assertThat(IdleStatus.of(means).isSettled()).isTrue();
  }

  private void sleepsAfterAKill(IdleMeans means) throws Exception {
    killedAfter("move");
    JsonNode went = json(0, "idle", "down", "--local", "--resume", "--json");
    assertThat(went.path("asleep").toString()).isEqualTo("[\"n2\"]");
    assertThat(went.path("near_after").asDouble()).isBetween(0.0, 1.0);
    JsonNode status = json(0, "idle", "status", "--local", "--json");
    JsonNode sleeper = status.at("/nodes/1");
    assertThat(sleeper.path("asleep").asBoolean()).isTrue();
    assertThat(sleeper.path("server_live").asBoolean()).isFalse();
    assertThat(sleeper.path("server_power").asText()).isEqualTo("off");
    assertThat(sleeper.path("data_node_power").asText()).isEqualTo("off");
    assertThat(sleeper.path("service").asText()).isEqualTo("in maintenance");
    assertThat(sleeper.path("regions_away").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(means.regions().balancer()).isTrue();
    assertThat(places(means.regions())).hasSize(1);
  }

  /** Nodes that boot in no time: being off pays at once. */
  private Path clusters(String capacity) throws IOException {
    return Files.writeString(
        folder.resolve("clusters.yaml"),
        """
        listen: off
        clusters:
          - name: rows
            engine: hbase
            inventory: %s
            period: 4s
            power: {profile: {idle: 75, busy: 150, cores: 4}}
            control: [{gear: {load: {residency: 0s}}}]
            gears: {capacity: %s}
        """
            .formatted(state().resolve("inventory.yaml"), capacity));
  }

  /**
   * Up where any load is much; down where any is little, until it is killed in the midst of that:
   * it is not about how fast this machine is.
   *
   * @return whether its plan is open
   */
  private boolean isGovernedByItsLoad() throws IOException {
    Path journal = state().resolve("idle.json.journal");
    Path file = clusters("0.001/s");
    CommandProcess governor = begin("govern", file.toString());
    Awaitility.await()
        .atMost(LONG)
        .until(() -> !governor.isAlive() || governor.stdout().contains("shifted to gear 2"));
    assertThat(governor.stdout())
        .as(governor.stderr())
        .contains("rows: gear 1; shifted to gear 2 (");
    clusters("1000000/s");
    governor.signal("HUP");
    Awaitility.await()
        .atMost(LONG)
        .pollInterval(POLL)
        .until(() -> !Lease.unfinished(journal).isEmpty() || !governor.isAlive());
    governor.signal("KILL");
    assertThat(governor.exitCode()).as(governor.stderr()).isEqualTo(137);
    return !Lease.unfinished(journal).isEmpty();
  }

  /** Resumes what a killed governor left; then any load is more than one server is said to hold. */
  private void wakesWhenTheLoadIsThere(boolean resumes) {
    refused(
        "wants 3 nodes awake of 2",
        "idle",
        "watch",
        "--local",
        "--capacity",
        "1/s",
        "--at",
        "sat,sun 09:30=3");
    CommandProcess watch =
        begin("idle", "watch", "--local", "--capacity", "0.001/s", "--period", "3s");
    Awaitility.await()
        .atMost(LONG)
        .until(() -> !watch.isAlive() || watch.stdout().contains("shifted to gear 2"));
    assertThat(watch.stdout().lines().filter(line -> line.contains("shifted to gear 2")))
        .as(watch.stdout() + watch.stderr())
        .singleElement()
        .asString()
        .contains("rows/s, all on");
    assertThat(watch.stdout().contains("hbase: resumed an unfinished plan: n2 off"))
        .as(watch.stdout())
        .isEqualTo(resumes);
    watch.signal("TERM");
    assertThat(watch.exitCode()).as(watch.stderr()).isEqualTo(143);
  }

  private void namesTheProcessesThatRunNow() throws IOException {
    String inventory = Files.readString(state().resolve("inventory.yaml"));
    // Another look than the test's own, which began before they did.
    try (LocalHBase now = LocalHBase.attach(state())) {
      assertThat(inventory)
          .contains("pid: " + now.nodes().get(1).pid() + ",")
          .contains("companions: [" + now.hdfs().nodes().get(1).pid() + "]");
    }
  }

  private static Map<String, List<RegionServers.Region>> places(RegionServers regions) {
    Map<String, List<RegionServers.Region>> places = new TreeMap<>();
    regions.live().forEach(server -> places.put(server, regions.regions(server)));
    return places;
  }
}
