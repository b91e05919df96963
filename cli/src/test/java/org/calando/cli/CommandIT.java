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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command as a user meets it, on real clusters: results, exit codes, and nothing left behind.
 */
class CommandIT {
  private static final String BLOCK = "127.44";
  private static final int JMX_PORT = 7650;
  private static final Duration LONG = Duration.ofMinutes(3);

  @TempDir Path folder;

  private final List<CommandProcess> started = new ArrayList<>();

  @AfterEach
  void endWhatATestLeft() {
    if (Files.exists(folder.resolve("state/local/cassandra"))) {
      command("local", "stop", "cassandra");
    }
    started.forEach(CommandProcess::close);
  }

  /**
   * The demo with fewer operations, ended by each signal in turn and resumed: interrupted in a run,
   * killed and ended while its nodes start. It ends with everything measured, and leaves nothing
   * behind whatever ended it.
   */
  @Test
  void interruptedDemoLeavesNothingBehindAndResumesToAResultThatShowsTheTradeOff()
      throws IOException {
    CommandProcess interrupted = demo();
    awaitRuns(interrupted, 1);
    String first = finishedRuns().get(0);
    byte[] firstSummary = Files.readAllBytes(summary(first));
    awaitLoad(interrupted);
    interrupted.signal("INT");
    assertThat(interrupted.exitCode()).as(interrupted.stderr()).isEqualTo(130);
    assertNothingLeft();

    endedWhileNodesStart("KILL", 137);
    endedWhileNodesStart("TERM", 143);

    CommandProcess last = demo("--resume");
    assertThat(last.exitCode()).as(last.stderr()).isZero();
    assertNothingLeft();
    assertThat(Files.readAllBytes(summary(first))).as("a finished run").isEqualTo(firstSummary);
    assertThat(last.stdout().lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    assertTradeOff();
  }

  private void endedWhileNodesStart(String signal, int exitCode) {
    CommandProcess ended = demo("--resume");
    awaitNodes(ended);
    ended.signal(signal);
    assertThat(ended.exitCode()).as(ended.stderr()).isEqualTo(exitCode);
    assertNothingLeft();
  }

  @Test
  void localClusterOutlivesTheCommandUntilItIsStopped() throws IOException {
    CommandProcess start =
        command(
            "local",
            "start",
            "cassandra",
            "--set",
            "nodes=1",
            "--set",
            "rf=1",
            "--set",
            "loopback=" + BLOCK,
            "--set",
            "ports.jmx=" + JMX_PORT,
            "--set",
            "auth=true",
            "--set",
            "tls=true");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    assertThat(start.stdout()).contains("password-file: ").contains("tls: {ca: ");
    CommandProcess again = command("local", "start", "cassandra");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("calando local stop cassandra");
    CommandProcess status = command("local", "status", "cassandra", "--json");
    assertThat(status.exitCode()).isZero();
    JsonNode answer = new ObjectMapper().readTree(status.stdout());
    assertThat(answer.at("/nodes/0/state").asText()).isEqualTo("up");

    CommandProcess doctor = command("doctor", answer.at("/inventory").asText());
    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.stdout()).contains("PROBLEM  cluster").contains("TLS");
    studyOnInventory(Files.readString(Path.of(answer.at("/store").asText())));
    predictFromTheLiveCluster();

    CommandProcess stop = command("local", "stop", "cassandra");
    assertThat(stop.exitCode()).as(stop.stderr()).isZero();
    assertThat(command("local", "status", "cassandra").exitCode()).isEqualTo(2);
    assertThat(folder.resolve("state/local")).doesNotExist();
    assertNothingLeft();
  }

  private void studyOnInventory(String store) throws IOException {
    Path file = folder.resolve("study.yaml");
    Files.writeString(
        file,
        """
        study: on-inventory
        %s
        workload: {preset: ycsb-a, records: 100, operations: 1000, warm-up: 0}
        matrix: {consistency: [ONE], threads: [2]}
        repeats: 1
        power: {baseline: 1s}
        """
            .formatted(store.strip()));
    CommandProcess doctor = command("doctor", file.toString());
    assertThat(doctor.exitCode()).as(doctor.stdout()).isZero();
    CommandProcess study = command("study", file.toString(), "--json");
    assertThat(study.exitCode()).as(study.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(study.stdout());
    assertThat(answer.path("runs").asInt()).isEqualTo(1);
    assertThat(answer.path("failed")).isEmpty();
    List<Map<String, String>> rows = rows(folder.resolve("out/on-inventory/results.csv"));
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0)).containsEntry("operations", "1000").containsEntry("status", "ok");
    assertThat(Double.parseDouble(rows.get(0).get("energy_j"))).isPositive();
  }

  private void predictFromTheLiveCluster() throws IOException {
    CommandProcess silent = command(predict("calando.usertable", "--for", "2s"));
    assertThat(silent.exitCode()).as(silent.stderr()).isEqualTo(1);
    assertThat(silent.stdout()).isEmpty();
    assertThat(silent.stderr()).contains("cannot be predicted", "--writes-per-s");

    CommandProcess own =
        command(
            predict(
                "calando.usertable",
                "--for",
                "2s",
                "--reads-per-s",
                "40",
                "--writes-per-s",
                "5",
                "--json"));
    assertThat(own.exitCode()).as(own.stderr()).isZero();
    JsonNode told = new ObjectMapper().readTree(own.stdout());
    assertThat(told.at("/live/replicas").asInt()).isEqualTo(1);
    assertThat(told.at("/live/canaries").asInt()).isPositive();
    assertThat(told.at("/live/reads_per_s").asDouble()).isZero();
    assertThat(told.at("/lags/stale_rate").asDouble()).isZero();

    CommandProcess foreign = command(predict("system_auth.roles"));
    assertThat(foreign.exitCode()).isEqualTo(2);
    assertThat(foreign.stderr()).contains("keyspace system_auth", "--canary", "--propagation");

    CommandProcess interrupted =
        started(
            CommandProcess.start(
                folder,
                Map.of(),
                predict("system_auth.roles", "--propagation", "1ms", "--for", "1h")));
    await().atMost(LONG).until(() -> interrupted.stderr().contains("Looking at"));
    interrupted.signal("INT");
    assertThat(interrupted.exitCode()).as(interrupted.stderr()).isEqualTo(130);
    assertThat(interrupted.stdout()).isEmpty();
  }

  private String[] predict(String table, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "predict",
                "stale",
                "--live",
                folder.resolve("study.yaml").toString(),
                "--table",
                table));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private CommandProcess demo(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "demo",
                "--set",
                "store.local.loopback=" + BLOCK,
                "--set",
                "store.local.ports.jmx=" + JMX_PORT,
                // So far that levels differ by links, also where a busy machine is slow by itself.
                "--set",
                "store.local.link-delay=[[0ms, 20ms, 60ms], [20ms, 0ms, 60ms], [60ms, 60ms, 0ms]]",
                "--set",
                "matrix[0].operations=250",
                "--set",
                "matrix[1].rate=[{poisson: 150/s}]",
                "--set",
                "matrix[1].duration=4s",
                // Over such links a write at ALL takes 0.1 s, and each run writes them anew.
                "--set",
                "workload.records=200",
                "--set",
                "workload.warm-up=1s",
                "--set",
                "power.baseline=1s"));
    arguments.addAll(List.of(more));
    return started(CommandProcess.start(folder, Map.of(), arguments.toArray(String[]::new)));
  }

  private CommandProcess command(String... arguments) {
    Map<String, String> environment = Map.of("CALANDO_STATE", folder.resolve("state").toString());
    return started(CommandProcess.run(folder, environment, arguments));
  }

  private CommandProcess started(CommandProcess command) {
    started.add(command);
    return command;
  }

  /** Until the nodes' processes run; they take connections much later. */
  private void awaitNodes(CommandProcess command) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(command.isAlive()).as(command.stderr()).isTrue();
              return Traces.processes(folder.resolve("tmp")).stream()
                      .filter(process -> process.contains("CassandraDaemon"))
                      .count()
                  >= 3;
            });
  }

  private void awaitRuns(CommandProcess command, int count) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(command.isAlive()).as(command.stderr()).isTrue();
              return finishedRuns().size() >= count;
            });
  }

  /** Until a run has begun that is not finished: its files are in a folder of another name. */
  private void awaitLoad(CommandProcess command) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(command.isAlive()).as(command.stderr()).isTrue();
              try (var folders = Files.list(folder.resolve("out/demo/runs"))) {
                return folders.anyMatch(
                    run -> run.getFileName().toString().startsWith(".unfinished-"));
              }
            });
  }

  private List<String> finishedRuns() throws IOException {
    Path runs = folder.resolve("out/demo/runs");
    if (!Files.exists(runs)) {
      return List.of();
    }
    try (var folders = Files.list(runs)) {
      return folders
          .map(run -> run.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .toList();
    }
  }

  private Path summary(String run) {
    return folder.resolve("out/demo/runs").resolve(run).resolve("summary.json");
  }

  private void assertNothingLeft() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(Traces.of(BLOCK, folder.resolve("tmp"), 3, JMX_PORT)).isEmpty());
  }

  private void assertTradeOff() throws IOException {
    Map<String, Double> joules = new HashMap<>();
    long staleAtOne = 0;
    List<Map<String, String>> rows = rows(folder.resolve("out/demo/results.csv"));
    assertThat(rows).hasSize(6).allSatisfy(row -> assertThat(row).containsEntry("status", "ok"));
    for (Map<String, String> row : rows) {
      String level = row.get("consistency");
      assertThat(Long.parseLong(row.get("reads"))).as("reads at " + level).isPositive();
      if (level.equals("ONE")) {
        staleAtOne += Long.parseLong(row.get("stale_reads"));
      } else {
        assertThat(row.get("stale_reads")).as("stale reads at " + level).isEqualTo("0");
      }
      if (!row.get("threads").isEmpty()) {
        joules.put(level, Double.parseDouble(row.get("joules_per_kop")));
      }
    }
    assertThat(staleAtOne).as("stale reads at ONE").isPositive();
    assertThat(joules.get("ONE")).isLessThan(joules.get("QUORUM"));
    assertThat(joules.get("QUORUM")).isLessThan(joules.get("ALL"));
    assertThat(folder.resolve("out/demo/report.html")).isNotEmptyFile();
  }

  /** The cells of a results file, none of which holds a comma here. */
  private static List<Map<String, String>> rows(Path csv) throws IOException {
    List<String> lines = Files.readAllLines(csv);
    String[] columns = lines.get(0).split(",", -1);
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertThat(cells).hasSameSizeAs(columns);
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < columns.length; i++) {
        row.put(columns[i], cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }
}
