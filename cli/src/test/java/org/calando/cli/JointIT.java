package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One controller of levels and gear on six real nodes in three racks, on a cluster that outlives
 * the study.
 */
class JointIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final List<String> RACK = List.of("n3", "n6");

  @TempDir static Path folder;

  private static Path state;

  @BeforeAll
  static void start() throws IOException {
    state = folder.resolve("cluster");
    LocalCassandra cluster =
        LocalCassandra.start(
            OwnCassandra.config(6, "127.82")
                .replicationFactor(3)
                .racks(3)
                .jmxPort(7980)
                .stateFolder(state)
                .build());
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

  private static boolean isUp() {
    LocalCassandra cluster = LocalCassandra.attach(state);
    return cluster.nodes().stream().allMatch(node -> cluster.isUp(node.index()));
  }

  /** A load that is low for a while, and then more than four nodes are to do. */
  @Test
  void levelsEaseAndTheGearFollowsTheLoadAndCtrlCLeavesAllOn() throws Exception {
    try (CommandProcess command =
        start("study", study().toString(), "--out", "out/joint", "--resume")) {
      awaitWhileAlive(command, "reads at ONE", () -> decisions().contains("joint: 1 replica"));
      awaitWhileAlive(command, "a rack off", JointIT::isOff);
      awaitWhileAlive(command, "all nodes up", JointIT::isUp);
      command.signal("INT");
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isEqualTo(130);
      assertThat(command.stderr()).doesNotContain("left off");
    }
    assertThat(isUp()).isTrue();
  }

  private static void awaitWhileAlive(
      CommandProcess command, String what, Callable<Boolean> condition) {
    await(what).atMost(LONG).until(() -> condition.call() || !command.isAlive());
    assertThat(command.isAlive())
        .as(what + ": " + command.stderr() + command.stdout() + decisions())
        .isTrue();
  }

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

  private static Path study() throws IOException {
    return Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: joint
        store:
          engine: cassandra
          inventory: cluster/inventory.yaml
          rf: 3
          keyspace: joint
          gears: {capacity: 1000/s}
        workload: {preset: ycsb-a, records: 100, fields: 1, field-size: 100B, warm-up: 1s}
        matrix:
          control: [{joint: {residency: 5s}}]
          rate: [{steps: [{rate: 20/s, for: 100s}, {rate: 400/s, for: 1h}]}]
          duration: 10m
        repeats: 1
        promise: {stale: 5%, read-p99: 3s, copies: 2}
        monitor: {period: 500ms, window: 3s}
        power:
          meter: model
          profile: {name: small, off: 8, idle: 75, busy: 150, cores: 1, cpu-scale: 2, boot-seconds: 0, boot-watts: 75}
          baseline: 0s
        """);
  }

  private static CommandProcess start(String... arguments) {
    return CommandProcess.start(folder, CommandProcess.stateIn(folder), arguments);
  }
}
