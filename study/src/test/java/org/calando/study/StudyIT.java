package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Replication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Studies on a real cluster that is the user's own. */
@ExtendWith(SharedCluster.class)
class StudyIT {
  private static final String SHORT =
      """
      workload: {preset: ycsb-a, records: 10, operations: 10}
      matrix: {consistency: [ONE], threads: [1]}
      """;

  private static final String AT_ONE = "one-poisson-200ps-r1";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "workloada, read update",
    "workloadb, read update",
    "workloadc, read",
    "workloadd, read insert",
    "workloade, scan insert",
    "workloadf, read read_modify_write"
  })
  void ycsbsWorkloadFilesRunAsTheyAre(String file, String kinds) throws Exception {
    Path workload = TestStudy.MODULE.resolveSibling("core/src/test/resources/ycsb").resolve(file);
    TestStudy study =
        TestStudy.onInventory(
            folder,
            SharedCluster.inventory(),
            TestStudy.KEYSPACE,
            """
            workload: {ycsb: "%s", records: 200, operations: 300}
            matrix: {consistency: [ONE], threads: [8]}
            repeats: 1
            """
                .formatted(workload));

    study.runWell();

    String run = study.plan().get(0);
    assertThat(study.row(run).path("status").asText()).isEqualTo("ok");
    assertThat(study.row(run).path("workload").asText()).isEqualTo(file);
    assertThat(study.row(run).path("operations").asText()).isEqualTo("300");
    assertThat(study.row(run).path("errors").asText()).isEqualTo("0");
    Map<String, Long> counts = counts(study.summary(run).path("latency"));
    if (kinds.contains("read_modify_write")) {
      assertThat(counts.get("rmw_read")).isEqualTo(counts.get("read_modify_write"));
      assertThat(counts.get("rmw_write")).isEqualTo(counts.get("read_modify_write"));
      counts.keySet().removeAll(Set.of("rmw_read", "rmw_write"));
    }
    assertThat(counts).containsOnlyKeys(kinds.split(" "));
    assertThat(counts.values()).allMatch(count -> count > 0);
    assertThat(counts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(300);
  }

  @Test
  void workloadsOfTheMatrixEachRunOnTheirOwnRecords() throws Exception {
    TestStudy study =
        TestStudy.onInventory(
            folder,
            SharedCluster.inventory(),
            TestStudy.KEYSPACE,
            """
            workload: {records: 60, operations: 200}
            matrix:
              workload: [heavy-read, {name: wide, mix: {update: 100%}, records: 20, fields: 2, field-size: 900B}]
              consistency: [ONE]
              threads: [4]
            repeats: 1
            """);

    study.runWell();

    JsonNode reads = study.row("heavy-read-one-4t-r1");
    JsonNode wide = study.row("wide-one-4t-r1");
    assertThat(reads.path("workload").asText()).isEqualTo("heavy-read");
    assertThat(reads.path("reads").asLong()).isBetween(120L, 199L);
    assertThat(wide.path("workload").asText()).isEqualTo("wide");
    assertThat(wide.path("reads").asText()).isEqualTo("0");
    for (JsonNode row : new JsonNode[] {reads, wide}) {
      assertThat(row.path("operations").asText()).isEqualTo("200");
      assertThat(row.path("errors").asText()).isEqualTo("0");
    }
    assertThat(study.resume().runs()).isEqualTo(2);
  }

  @Test
  void anInventoryWithProcessesGivesEnergyAndTheFarNodeStaleReadsAtOneOnly() throws Exception {
    TestStudy study =
        TestStudy.untilShown(
            3,
            seconds -> zipfian(seconds, SharedCluster.inventory(), "ONE, QUORUM", "oracle"),
            ran -> assertThat(ran.row(AT_ONE).path("stale_reads").asLong()).isPositive());

    JsonNode one = study.row(AT_ONE);
    JsonNode quorum = study.row("quorum-poisson-200ps-r1");
    assertThat(one.path("stale_p99_ms").asDouble()).isPositive();
    assertThat(quorum.path("stale_reads").asText()).isEqualTo("0");
    assertThat(quorum.path("reads").asLong()).isPositive();
    for (JsonNode row : new JsonNode[] {one, quorum}) {
      // Three idle machines of 75 W cannot draw less, whatever they do.
      assertThat(row.path("power_mean_w").asDouble()).isGreaterThan(3 * 60);
      assertThat(row.path("energy_j").asDouble()).isGreaterThan(3 * 60 * 2.5);
      assertThat(row.path("joules_per_kop").asDouble()).isPositive();
      assertThat(row.path("provenance").asText()).isEqualTo("modelled");
      assertThat(row.path("dual_reads").asText()).isEmpty();
    }
    assertThat(study.summary(AT_ONE).path("energy").path("nodes")).hasSize(3);
    assertThat(study.environment().path("power").path("profile").path("name").asText())
        .isEqualTo("xeon-x3440");
    assertThat(study.text("results.csv").lines()).hasSize(3);
    assertThat(study.text("report.html")).contains(AT_ONE);
  }

  @Test
  void anInventoryWithoutProcessesLeavesEnergyEmptyAndDualReadsCountWhatTheySee() throws Exception {
    String run = AT_ONE;
    TestStudy study =
        TestStudy.untilShown(
            2,
            seconds -> zipfian(seconds, SharedCluster.inventoryWithoutPids(), "ONE", "dual-read"),
            ran -> assertThat(ran.row(run).path("dual_stale_reads").asLong()).isPositive());

    JsonNode row = study.row(run);
    assertThat(row.path("status").asText()).isEqualTo("ok");
    for (String column :
        new String[] {"energy_j", "energy_net_j", "joules_per_kop", "power_mean_w", "cpu_s"}) {
      assertThat(row.path(column).asText()).as(column).isEmpty();
    }
    assertThat(row.path("meter").asText()).isEmpty();
    assertThat(study.summary(run).path("notes").toString()).contains("pid").contains("n1, n2, n3");
    assertThat(study.environment().has("power")).isFalse();
    assertThat(row.path("dual_reads").asLong()).isPositive();
    assertThat(row.path("dual_stale_reads").asLong())
        .isLessThanOrEqualTo(row.path("dual_reads").asLong());
    assertThat(row.path("dual_stale_rate").asDouble()).isBetween(1e-6, 1.0);
    assertThat(counts(study.summary(run).path("latency"))).containsKey("dual_read");
  }

  private TestStudy zipfian(int seconds, String inventory, String levels, String staleness) {
    return TestStudy.onInventory(
        folder.resolve(seconds + "s"),
        inventory,
        TestStudy.KEYSPACE,
        """
        workload: {preset: heavy-update, distribution: zipfian, records: 50}
        matrix: {consistency: [%s], rate: [{poisson: 200/s}], duration: %ds}
        staleness: %s
        repeats: 1
        """
            .formatted(levels, seconds, staleness));
  }

  @Test
  void aStudyThatIsStoppedInARunGoesOnWithThatRun() throws Exception {
    TestStudy study =
        TestStudy.onInventory(
            folder,
            SharedCluster.inventory(),
            TestStudy.KEYSPACE,
            """
            workload: {preset: heavy-update, records: 100, duration: 4s}
            matrix: {consistency: [ONE], threads: [2]}
            repeats: 3
            """);
    StopSignal stop = new StopSignal();
    Progress progress = TestStudy.when("\\[2/3\\].* operations", stop::request);

    assertThatThrownBy(() -> study.run(progress, stop, false))
        .isInstanceOf(StopSignal.StoppedException.class);

    String first = study.plan().get(0);
    assertThat(names(study.out().resolve("runs"))).containsExactly(first);
    Map<String, String> before = files(study.out().resolve("runs").resolve(first));
    assertThat(before).containsKeys("summary.json", "nodes.csv", "ops.csv", "latency.hlog");
    assertThatThrownBy(study::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--resume");

    StudyRunner.Result result = study.resume();

    assertThat(result.runs()).isEqualTo(3);
    assertThat(result.failed()).isEmpty();
    assertThat(files(study.out().resolve("runs").resolve(first))).isEqualTo(before);
    assertThat(names(study.out().resolve("runs")))
        .containsExactlyInAnyOrderElementsOf(study.plan());
    assertThat(names(study.out()))
        .containsExactlyInAnyOrder(
            "study.yaml", "environment.json", "results.csv", "report.html", "runs");
    assertThat(study.environment().path("notes").toString()).contains("resumed at");
    assertThat(study.environment().has("finished")).isTrue();
  }

  @Test
  void aKeyspaceAndATableOfSomebodyElseAreNeverTouched() throws Exception {
    CqlSession cql = SharedCluster.cql();
    cql.execute(
        "CREATE KEYSPACE theirs WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    cql.execute("CREATE TABLE theirs.usertable (id int PRIMARY KEY, name text)");
    cql.execute("INSERT INTO theirs.usertable (id, name) VALUES (1, 'kept')");
    makeOurKeyspace("mixed");
    cql.execute("CREATE TABLE mixed.usertable (id int PRIMARY KEY, name text)");
    cql.execute("INSERT INTO mixed.usertable (id, name) VALUES (1, 'kept too')");

    for (String keyspace : new String[] {"theirs", "mixed"}) {
      TestStudy study =
          TestStudy.onInventory(
              folder.resolve(keyspace), SharedCluster.inventory(), keyspace, SHORT);
      assertThatThrownBy(study::run)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(keyspace)
          .hasMessageContaining("did not create");
      assertThat(names(study.out())).doesNotContain("results.csv", ".lock");
    }

    assertThat(name("theirs")).isEqualTo("kept");
    assertThat(name("mixed")).isEqualTo("kept too");
  }

  @Test
  void aNodeThatTheInventoryDoesNotListIsNamedBeforeAnyLoad() {
    String twoOfThree = SharedCluster.inventory().replaceAll("(?m)^ *- \\{name: n3.*\\n", "");
    TestStudy.write(folder.resolve("cluster.yaml"), twoOfThree);
    String text = TestStudy.onInventory(TestStudy.KEYSPACE, SHORT).replace("rf: 3", "rf: 2");
    assertThatThrownBy(TestStudy.of(folder, text)::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("127.43.0.3:9042")
        .hasMessageContaining("list every node");
  }

  @Test
  void aRunWhoseTableSomebodyEmptiesFails() throws Exception {
    TestStudy study = emptied(6);
    if (study.row(study.plan().get(0)).path("message").asText().isEmpty()) {
      // Emptying it took longer than the run, on a busy machine.
      study = emptied(60);
    }
    JsonNode row = study.row(study.plan().get(0));
    assertThat(row.path("status").asText()).isEqualTo("failed");
    assertThat(row.path("message").asText()).contains("found no record");
  }

  /** A study that has run for so long, and whose table was emptied as soon as its load began. */
  private TestStudy emptied(int seconds) throws Exception {
    TestStudy study =
        TestStudy.onInventory(
            folder.resolve(seconds + "s"),
            SharedCluster.inventory(),
            "emptied",
            """
            workload: {preset: ycsb-c, records: 100}
            matrix: {consistency: [ONE], rate: [200/s], duration: %ds}
            repeats: 1
            """
                .formatted(seconds));
    String run = study.plan().get(0);
    Path log = study.out().resolve("runs/.unfinished-" + run + "/latency.hlog");
    CompletableFuture<StudyRunner.Result> ended =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return study.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    await().atMost(Duration.ofMinutes(3)).until(() -> Files.exists(log) && Files.size(log) > 0);
    SharedCluster.cql().execute("TRUNCATE emptied.usertable");
    assertThat(ended.get(5, TimeUnit.MINUTES).runs()).isEqualTo(1);
    return study;
  }

  @Test
  void aContactPointThatRefusesIsNamedWithARemedyAndLeavesNoFolder() {
    TestStudy study =
        TestStudy.onInventory(
            folder,
            """
            nodes:
              - {name: c1, address: 127.43.0.97}
              - {name: c2, address: 127.43.0.98}
              - {name: c3, address: 127.43.0.99}
            """,
            TestStudy.KEYSPACE,
            SHORT);
    assertThatThrownBy(study::run)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("127.43.0.97:9042")
        .hasMessageContaining("refused")
        .hasMessageContaining("remedy");
    assertThat(study.out()).doesNotExist();
  }

  private static void makeOurKeyspace(String keyspace) {
    CassandraStoreConfig config =
        CassandraStoreConfig.builder()
            .keyspace(keyspace)
            .replication(new Replication.NetworkTopology(Map.of("dc1", 3)))
            .contactPoint("127.43.0.1", 9042)
            .build();
    try (CassandraStore store = CassandraStore.connect(config)) {
      store.prepare(new TableSpec("another", 1, "field"));
    }
  }

  private static String name(String keyspace) {
    return SharedCluster.cql()
        .execute("SELECT name FROM " + keyspace + ".usertable WHERE id = 1")
        .one()
        .getString(0);
  }

  private static Map<String, Long> counts(JsonNode latency) {
    Map<String, Long> counts = new TreeMap<>();
    latency.properties().forEach(e -> counts.put(e.getKey(), e.getValue().path("count").asLong()));
    return counts;
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      Set<String> names = new HashSet<>();
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
      return names;
    }
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : names(folder)) {
      contents.put(name, Files.readString(folder.resolve(name)));
    }
    return contents;
  }
}
