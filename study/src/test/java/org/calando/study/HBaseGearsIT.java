package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.engine.Engines;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleShifter;
import org.calando.gears.idle.LocalIdle;
import org.calando.kept.KeptCluster;
import org.calando.local.LocalCluster;
import org.calando.local.hbase.LocalHBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Studies power idle servers of a real HBase of two down and up. */
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class HBaseGearsIT {
  private static final String POWER =
      """
      repeats: 1
      monitor: {period: 500ms}
      power: {baseline: 1s, meter: model,
        profile: {name: small, off: 5, idle: 50, busy: 100, cores: 4, boot-seconds: 1, boot-watts: 70}}
      """;

  private static final String WORK =
      "workload: {preset: ycsb-a, fields: 1, field-size: 100, records: 200, warm-up: 1s}\n";

  @TempDir Path folder;

  /** The policy takes one server for enough, and its load for one that pays to sleep by. */
  @Test
  void aLocalClusterRunsInEachGearAndByItsLoad() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: test
            store: {engine: hbase, local: {nodes: 2, heap: 320MB}, gears: {capacity: 1000/s}}
            matrix:
              - {consistency: [ONE], gear: [1, 2], rate: [20/s], duration: 4s}
              - {consistency: [ONE], gear: [{load: {residency: 1s}}], rate: [20/s], duration: 45s}
              - {control: [{joint: {write: ONE, residency: 1s}}], rate: [20/s], duration: 60s}
            promise: {fresh: 2s, read-p99: 30s}
            """
                + WORK
                + POWER);
    study.runWell();
    JsonNode low = row(study, "1");
    JsonNode full = row(study, "2");
    // Of three nodes, the master among them, one is off: two draw 50 W to 100 W, and it draws 5 W.
    assertThat(number(low, "power_mean_w")).isBetween(100.0, 210.0);
    assertThat(number(low, "power_max_min")).isGreaterThanOrEqualTo(45.0);
    assertThat(number(full, "power_mean_w")).isBetween(145.0, 300.0);
    assertThat(number(low, "gear_shifts")).isEqualTo(2);
    assertThat(number(low, "shift_s")).isPositive();
    // The boot of the server that comes, and idle power of it.
    assertThat(number(low, "shift_energy_j")).isGreaterThan(70);
    assertThat(low.path("moved_bytes").asText()).as("what regions fetch is not counted").isEmpty();
    assertThat(number(full, "gear_shifts")).isZero();
    JsonNode load = row(study, "load(20%, residency 1s)");
    assertThat(number(load, "gear_shifts")).isPositive();
    for (JsonNode row : List.of(low, full, load)) {
      assertThat(number(row, "errors")).isZero();
      assertThat(row.path("stale_reads").asText()).isEqualTo("0");
    }
    String run = id(study, load.path("gear").asText());
    assertThat(study.decisions(run).rows())
        .extracting(decision -> decision.cell("in_force") + " -> " + decision.cell("settings"))
        .anyMatch(line -> line.startsWith("gear 2 -> ") && line.endsWith("=1"));
    oneControllerOfBoth(study);
    assertThat(DecisionReplay.of(study.out()))
        .hasSize(2)
        .allMatch(each -> each.decisions() > 10 && each.differences().isEmpty());
    assertThat(study.out().resolve("report.html"))
        .content()
        .contains("Shifts one by one", "gear 2 to 1", "gear 1 to 2");
  }

  /** Writes are deferred as far as is promised, and a server sleeps. */
  private static void oneControllerOfBoth(TestStudy study) {
    JsonNode joint = row(study, "joint");
    assertThat(joint.path("consistency").asText()).startsWith("joint/ONE");
    assertThat(number(joint, "gear_shifts")).isPositive();
    assertThat(number(joint, "errors")).isZero();
    assertThat(study.decisions(id(study, "joint")).rows())
        .extracting(decision -> decision.cell("settings"))
        .anyMatch(line -> line.contains("write-buffer") && line.contains("delayNanos"))
        .anyMatch(line -> line.contains("gear") && line.contains("=1"));
  }

  /** Its servers are as before, and have the regions that they had. */
  @Test
  void aClusterThatStaysHasAllServersOnAfterwards() throws Exception {
    Path state = folder.resolve("cluster");
    KeptCluster kept =
        Engines.of("hbase")
            .local()
            .orElseThrow()
            .plan(List.of("nodes=2", "heap=320MB"))
            .start(state);
    try {
      for (Map.Entry<String, String> file : kept.files().entrySet()) {
        Files.writeString(state.resolve(file.getKey()), file.getValue());
      }
      TestStudy study = TestStudy.of(folder, onInventory("gear: [1]"));
      study.runWell();
      JsonNode low = row(study, "1");
      assertThat(number(low, "power_mean_w")).isBetween(100.0, 210.0);
      assertThat(number(low, "gear_shifts")).isEqualTo(2);
      assertThat(number(low, "errors")).isZero();
      LocalHBase cluster = LocalHBase.attach(state);
      requireAllOn(cluster);
      isRefusedWhileAServerSleeps(cluster);
    } finally {
      kept.shutdown();
    }
  }

  private void isRefusedWhileAServerSleeps(LocalHBase cluster) throws InterruptedException {
    try (LocalIdle idle = LocalIdle.open(cluster, ShiftNews.NONE)) {
      IdleShifter shifter = new IdleShifter(idle.means(), "a test");
      shifter.shift(Set.of("n2"));
      TestStudy study =
          TestStudy.at(folder, folder.resolve("another"), onInventory("gear: [1, 2]"));
      assertThatThrownBy(study::run)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("nodes of it are off: n2 off")
          .hasMessageContaining("./calando idle status --local, then ./calando idle up --local");
      shifter.wake(Set.of());
    }
    requireAllOn(cluster);
  }

  private static void requireAllOn(LocalHBase cluster) {
    for (LocalCluster<?> each : List.of(cluster, cluster.hdfs())) {
      assertThat(each.nodeNames()).allMatch(each::isUp, "is up");
    }
    assertThat(LocalIdle.mayBeAsleep(cluster)).isEmpty();
  }

  private static String onInventory(String gear) {
    return """
        study: test
        store: {engine: hbase, inventory: cluster/inventory.yaml, keyspace: calando}
        matrix: {consistency: [ONE], %s, rate: [20/s], duration: 4s}
        """
            .formatted(gear)
        + WORK
        + POWER;
  }

  private static String id(TestStudy study, String gear) {
    return study.plan().stream()
        .filter(run -> study.row(run).path("gear").asText().equals(gear))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode row(TestStudy study, String gear) {
    JsonNode row = study.row(id(study, gear));
    assertThat(row.path("status").asText()).as(row.toPrettyString()).isEqualTo("ok");
    return row;
  }

  private static double number(JsonNode row, String column) {
    return Double.parseDouble(row.path(column).asText());
  }
}
