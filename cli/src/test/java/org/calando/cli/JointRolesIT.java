package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.calando.engine.redis.LocalRedisClusters;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One controller on a real master and its replicas, which has these answer reads while they are
 * fresh, and their processors slow, whose clocks are files.
 */
class JointRolesIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final List<String> BEFORE =
      List.of(FakeClocks.BEFORE, FakeClocks.BEFORE, FakeClocks.BEFORE);
  private static final List<String> SLOW = List.of("2200000", "1000000", "1000000");

  private static LocalRedis cluster;

  /** What is stopped claims its keys for a minute, so each study has keys of its own. */
  private static int studies;

  @TempDir Path folder;

  private FakeClocks clocks;

  @BeforeAll
  static void start() {
    cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(3).build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void asBefore() {
    clocks = new FakeClocks(folder.resolve("cpu"), 3);
  }

  @Test
  void readsGoToReplicasAndTheirClocksAreSlowUntilTheRunEnds() throws Exception {
    Path study = study("stale: 50%, fresh: 30s, read-p99: 60s", "write: ONE", "20s");
    try (CommandProcess command =
        CommandProcess.start(folder, CommandProcess.stateIn(folder), "study", study.toString())) {
      await()
          .atMost(LONG)
          .failFast(
              () -> assertThat(command.isAlive()).as(command.stderr() + command.stdout()).isTrue())
          .untilAsserted(() -> assertThat(clocks.limits()).isEqualTo(SLOW));
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    assertThat(clocks.limits()).isEqualTo(BEFORE);
    Path out = folder.resolve("out/roles");
    RunRow row = RunRows.read(out).get(0);
    assertThat(row.text("consistency")).isEqualTo("joint/ONE");
    assertThat(row.text("clock")).isEqualTo("joint");
    assertThat(Double.parseDouble(row.text("clock_saving_i1"))).isGreaterThan(0.2);
    String decisions = Files.readString(decisions(out, row));
    assertThat(decisions)
        .contains("reads at the master")
        .contains("joint: reads at replicas, 1 GHz")
        .contains("clock n1=2200000; clock n2=1000000; clock n3=1000000");
    try (CommandProcess replay = command("decisions", "replay", out.toString())) {
      assertThat(replay.exitCode()).as(replay.stdout()).isZero();
      assertThat(replay.stdout()).contains("All decisions are the same.");
    }
  }

  @Test
  void aDryRunDecidesAndSetsNothing() throws Exception {
    Path study = study("stale: 50%, read-p99: 60s", "write: ONE, dry-run: true", "20s");
    try (CommandProcess command = command("study", study.toString())) {
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    Path out = folder.resolve("out/roles");
    RunRow row = RunRows.read(out).get(0);
    assertThat(row.text("consistency")).isEqualTo("joint/ONE (dry run)");
    assertThat(Files.readString(decisions(out, row))).contains("joint: reads at replicas");
    assertThat(Double.parseDouble(row.text("clock_saving_i1"))).isLessThan(0.01);
  }

  @Test
  void whatNothingKeepsIsRefused() throws Exception {
    Path study = study("stale: 1%, survive: 1", "write: ONE", "4s");
    try (CommandProcess command = command("study", study.toString())) {
      assertThat(command.exitCode()).isEqualTo(2);
      assertThat(command.stderr()).contains("promise.survive", "switches no node of Redis");
    }
  }

  private static Path decisions(Path out, RunRow row) {
    return out.resolve("runs").resolve(row.text("run")).resolve("decisions.csv");
  }

  private Path study(String promise, String joint, String duration) throws IOException {
    Files.writeString(folder.resolve("inventory.yaml"), LocalRedisClusters.inventory(cluster));
    return Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: roles
        store: {engine: redis, inventory: inventory.yaml, keyspace: joint%d}
        workload: {preset: ycsb-b, records: 500, warm-up: 8s}
        matrix:
          control: [{joint: {%s}}]
          rate: [200/s]
          duration: %s
        promise: {%s}
        clocks:
          cpus: {n1: 0, n2: 1, n3: 2}
          sysfs: cpu
          states: [{ghz: 2.2, volts: 1.1}, {ghz: 1, volts: 0.8}]
          lower-after: 100ms
          caught-up-after: 100ms
          lag-limit-time: 10s
          silence: 10s
          max-age: 10s
          decide: 100ms
        repeats: 1
        monitor: {period: 500ms, window: 1s}
        power:
          meter: model
          profile: {name: small, off: 5, idle: 50, busy: 100, cores: 2, boot-seconds: 0, boot-watts: 60}
          baseline: 0s
        """
            .formatted(++studies, joint, duration, promise));
  }

  private CommandProcess command(String... arguments) {
    return CommandProcess.run(folder, CommandProcess.stateIn(folder), arguments);
  }
}
