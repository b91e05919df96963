package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.LocalCluster;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.Test;

class LocalHBaseIT extends LeftRunning {
  LocalHBaseIT() {
    super("hbase");
  }

  @Test
  void anHBaseOutlivesTheCommandUntilItIsStopped() throws IOException {
    CommandProcess start = startCluster("nodes=1", "heap=256MiB");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    assertThat(start.stdout()).contains("zookeeper", "master", "n1", "quorum: \"127.0.0.1:");
    CommandAnswer again = command("local", "start", "hbase");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("calando local stop hbase");

    CommandAnswer status = command("local", "status", "hbase", "--json");
    assertThat(status.exitCode()).as(status.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(status.stdout());
    assertThat(answer.at("/hdfs_state").asText()).isEqualTo("up");
    assertThat(answer.at("/nodes")).hasSize(3);
    List<Long> processes = new ArrayList<>();
    for (JsonNode node : answer.at("/nodes")) {
      assertThat(node.path("state").asText()).as(node.toString()).isEqualTo("up");
      processes.add(node.path("pid").asLong());
    }
    assertThat(processes).allMatch(pid -> ProcessIdentity.of(pid).isPresent());

    aStudyUsesItByItsInventory();
    whatIsWrongWithAnInventoryIsToldBeforeAnythingIsWritten();

    CommandAnswer stop = command("local", "stop", "hbase");
    assertThat(stop.exitCode()).as(stop.stderr()).isZero();
    assertThat(processes).allMatch(pid -> ProcessIdentity.of(pid).isEmpty());
    assertThat(command("local", "status", "hbase").exitCode()).isEqualTo(2);
    assertThat(state()).doesNotExist();
  }

  /** As if it were the user's own; YCSB's workloads, with writes of both kinds. */
  private void aStudyUsesItByItsInventory() throws IOException {
    String store = Files.readString(state().resolve("store.yaml"));
    Path file = folder.resolve("study.yaml");
    Files.writeString(
        file,
        "study: own\n"
            + store
            + """
              keyspace: ours
            power: {meter: model, profile: xeon-x3440, baseline: 0s}
            workload: {records: 100, operations: 300, warm-up: 0}
            matrix:
              - workload: [ycsb-a, ycsb-b, ycsb-c, ycsb-d, ycsb-e, ycsb-f]
                consistency: [ONE]
                threads: [4]
              - workload: [ycsb-d, ycsb-f]
                consistency: [ONE]
                threads: [4]
                write-buffer: [{deferred: {bytes: 1MB, delay: 50ms, read-your-writes: true}}]
            repeats: 1
            """);
    CommandAnswer doctor = command("doctor", file.toString());
    assertThat(doctor.exitCode()).as(doctor.stdout() + doctor.stderr()).isZero();
    assertThat(words(doctor)).contains("table ours:usertable: does not exist yet");

    CommandAnswer study = command("study", file.toString(), "--out", "own");
    assertThat(study.exitCode()).as(study.stdout() + study.stderr()).isZero();
    List<JsonNode> rows = rows(folder.resolve("own/runs"));
    assertThat(rows).hasSize(8);
    for (JsonNode row : rows) {
      assertThat(row.path("status").asText()).as(row.toString()).isEqualTo("ok");
      assertThat(row.path("operations").asText()).as(row.toString()).isEqualTo("300");
      assertThat(row.path("errors").asText()).as(row.toString()).isEqualTo("0");
      assertThat(row.path("stale_reads").asText()).as(row.toString()).isEqualTo("0");
      assertThat(row.path("lost_writes").asText()).as(row.toString()).isEqualTo("0");
      assertThat(row.path("nodes").asText()).isEqualTo("2");
      assertThat(Double.parseDouble(row.path("cpu_s").asText())).as(row.toString()).isPositive();
      assertThat(Double.parseDouble(row.path("energy_j").asText())).as(row.toString()).isPositive();
    }
  }

  /** In the midst of a run with a server asleep; what is woken takes longer than an end waits. */
  @Test
  void afterSigtermAllServersAreOnBeforeTheCommandEnds() throws IOException {
    CommandProcess start = startCluster("nodes=2", "heap=256MiB");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    Path file = folder.resolve("study.yaml");
    Files.writeString(
        file,
        "study: gears\n"
            + Files.readString(state().resolve("store.yaml"))
            + """
              keyspace: ours
            power: {meter: model, profile: xeon-x3440, baseline: 0s}
            workload: {preset: ycsb-a, records: 100, warm-up: 0}
            matrix: {consistency: [ONE], gear: [1], rate: [20/s], duration: 300s}
            repeats: 1
            """);
    CommandProcess study = begin("study", file.toString(), "--out", "gears");
    LocalHBase cluster = LocalHBase.attach(state());
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> !LocalIdle.asleep(cluster).isEmpty() || !study.isAlive());
    assertThat(study.isAlive()).as(study.stderr() + study.stdout()).isTrue();
    study.signal("TERM");
    assertThat(study.exitCode()).as(study.stderr() + study.stdout()).isEqualTo(143);
    assertThat(study.stderr()).contains("Stopped.").doesNotContain("left off");
    assertThat(LocalIdle.mayBeAsleep(cluster)).isEmpty();
    LocalHBase now = LocalHBase.attach(state()); // by the processes that there are now
    for (LocalCluster<?> each : List.of(now, now.hdfs())) {
      assertThat(each.nodeNames()).allMatch(each::isUp, "is up");
    }
  }

  private static String words(CommandAnswer told) {
    return told.stdout().replaceAll("\\s+", " ");
  }

  private static List<JsonNode> rows(Path runs) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    try (Stream<Path> folders = Files.list(runs)) {
      for (Path run : folders.toList()) {
        Path summary = run.resolve("summary.json");
        rows.add(new ObjectMapper().readTree(summary.toFile()).path("row"));
      }
    }
    return rows;
  }

  private void whatIsWrongWithAnInventoryIsToldBeforeAnythingIsWritten() throws IOException {
    String inventory = Files.readString(state().resolve("inventory.yaml"));
    Path moved = folder.resolve("moved.yaml");
    Files.writeString(moved, inventory.replaceFirst("port: \\d+", "port: 1"));
    String file = folder.resolve("study.yaml").toString();
    String set = "store.inventory=" + moved;
    CommandAnswer doctor = command("doctor", file, "--set", set);
    assertThat(doctor.exitCode()).as(doctor.stdout() + doctor.stderr()).isEqualTo(1);
    assertThat(words(doctor))
        .contains("PROBLEM node n1: no RegionServer lives at 127.0.0.1:1")
        .contains("PROBLEM inventory: the cluster also has 127.0.0.1:")
        .contains("table ours:usertable: is Calando's");
    CommandAnswer study = command("study", file, "--out", "moved", "--set", set);
    assertThat(study.exitCode()).as(study.stdout() + study.stderr()).isEqualTo(2);
    assertThat(study.stderr()).contains("RegionServers that the inventory does not list");
  }
}
