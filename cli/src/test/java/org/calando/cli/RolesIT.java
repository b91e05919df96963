package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.engine.redis.LocalRedisClusters;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two policies beside each other on a real master and its replicas: one has the processors of
 * replicas slow, whose clocks are files, the other sends reads there while they are fresh.
 */
class RolesIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final List<String> BEFORE =
      List.of(FakeClocks.BEFORE, FakeClocks.BEFORE, FakeClocks.BEFORE);
  private static final List<String> BY_ROLE = List.of("2200000", "1000000", "1000000");
  private static final Pattern READS =
      Pattern.compile("cmdstat_(?:get|hget|hmget|hgetall):calls=(\\d+)");

  private static LocalRedis cluster;

  /** What is killed claims its keys for a minute, so each study has keys of its own. */
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
  void bothDecideInOneFileAndAreUndoneWhenTheRunEnds() throws Exception {
    Path study = study("4s");
    try (CommandProcess command = start("study", study.toString())) {
      awaitSet(command);
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    assertUndone();
    Path out = folder.resolve("out/roles");
    List<RunRow> rows = RunRows.read(out);
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).text("clock")).isEqualTo("concerto");
    assertThat(rows.get(0).text("knob_read_from")).isEqualTo("max-lag 10s back after 1s");
    Path decisions = out.resolve("runs").resolve(rows.get(0).text("run")).resolve("decisions.csv");
    assertThat(Files.readString(decisions))
        .containsPattern("clock,concerto,clocks,clock n1=2200000; clock n2=1000000")
        .containsPattern("read-from roles\\d+:usertable=\"*MASTER")
        .containsPattern("read-from roles\\d+:usertable=\"*REPLICA");
    try (CommandProcess replay = command("decisions", "replay", out.toString())) {
      assertThat(replay.exitCode()).as(replay.stdout()).isZero();
      assertThat(replay.stdout()).contains("All decisions are the same.");
    }
  }

  @Test
  void afterCtrlCBothAreAsBefore() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      command.signal("INT");
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(130);
    }
    assertUndone();
  }

  @Test
  void afterKillTheGuardRestoresTheClocksAndReadsEnd() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      command.signal("KILL");
      assertThat(command.exitCode()).isEqualTo(137);
    }
    await().atMost(LONG).untilAsserted(() -> assertThat(clocks.limits()).isEqualTo(BEFORE));
    assertUndone();
  }

  @Test
  void afterKillOfTheGuardTooTheCommandRestoresTheClocks() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      command.killWithGuard();
      assertThat(command.exitCode()).isEqualTo(137);
    }
    assertThat(clocks.limits()).isEqualTo(BY_ROLE);
    try (CommandProcess restore = command("restore")) {
      assertThat(restore.exitCode()).as(restore.stdout() + restore.stderr()).isZero();
      assertThat(restore.stdout()).contains("policy0").doesNotContain("read-from");
    }
    assertUndone();
    try (CommandProcess restore = command("restore", "--json")) {
      assertThat(restore.stdout()).containsPattern("\"knobs\" : \\[ *]");
    }
  }

  private void assertUndone() {
    assertThat(clocks.limits()).isEqualTo(BEFORE);
    long reads = reads(1);
    assertThat(reads(1)).isEqualTo(reads);
  }

  private void awaitSet(CommandProcess command) {
    long before = reads(1);
    await()
        .atMost(LONG)
        .failFast(
            () -> assertThat(command.isAlive()).as(command.stderr() + command.stdout()).isTrue())
        .untilAsserted(
            () -> {
              assertThat(clocks.limits()).isEqualTo(BY_ROLE);
              assertThat(reads(1)).isGreaterThan(before);
            });
  }

  /** Reads that a node has answered since it was started, by its own counts. */
  private static long reads(int node) {
    LocalRedisNode asked = cluster.nodes().get(node);
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(asked.address(), asked.port()));
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write("INFO commandstats\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      String told = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(told).contains("# Commandstats");
      Matcher reads = READS.matcher(told);
      return reads.results().mapToLong(read -> Long.parseLong(read.group(1))).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path study(String duration) throws IOException {
    Files.writeString(folder.resolve("inventory.yaml"), LocalRedisClusters.inventory(cluster));
    return Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: roles
        store: {engine: redis, inventory: inventory.yaml, keyspace: roles%d}
        workload: {preset: ycsb-b, records: 50, warm-up: 1s}
        matrix:
          consistency: [{read: master, write: WAIT 0}]
          control: [{beside: [concerto, {max-lag: {limit: 10s, back-after: 1s}}]}]
          rate: [100/s]
          duration: %s
        clocks:
          cpus: {n1: 0, n2: 1, n3: 2}
          sysfs: cpu
          lower-after: 100ms
          caught-up-after: 100ms
          lag-limit-time: 10s
          poll: 50ms
          silence: 10s
          max-age: 10s
          decide: 50ms
        repeats: 1
        monitor: {period: 500ms}
        power: {meter: model, profile: xeon-x3440, baseline: 0s}
        """
            .formatted(++studies, duration));
  }

  private CommandProcess start(String... arguments) {
    return CommandProcess.start(folder, CommandProcess.stateIn(folder), arguments);
  }

  private CommandProcess command(String... arguments) {
    return CommandProcess.run(folder, CommandProcess.stateIn(folder), arguments);
  }
}
