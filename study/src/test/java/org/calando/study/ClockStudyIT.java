package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.agent.server.AgentServer;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.http.Listening;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study of a real Redis whose clocks are files. */
class ClockStudyIT {
  @TempDir Path folder;

  private FakeCpus cpus;
  private Map<String, String> before;

  @BeforeEach
  void cpus() {
    cpus = new FakeCpus(folder.resolve("cpu"), 3);
    before = cpus.restorable();
  }

  @Test
  void policiesSetTheClocksOfRolesAndEverythingComesBack() throws Exception {
    TestStudy study = study("concerto, all-high", "1500ms");
    study.run();

    List<String> high = List.of("2200000", "2200000", "2200000");
    assertThat(clocks(study, "all-high-one-200ps-r1")).allMatch(high::equals).isNotEmpty();
    JsonNode fast = study.row("all-high-one-200ps-r1");
    assertThat(fast.path("status").asText()).as(fast.path("message").asText()).isEqualTo("ok");
    assertThat(fast.path("clock").asText()).isEqualTo("all-high");
    assertThat(fast.path("clock_saving_i0").asDouble()).isZero();
    assertThat(fast.path("clock_saving_i1").asDouble()).isZero();
    assertThat(fast.path("clock_changes").asLong()).isZero();

    JsonNode concerto = study.row("concerto-one-200ps-r1");
    assertThat(concerto.path("status").asText()).isEqualTo("ok");
    // Two of three cores at 0.278 of the power, where idle ones are charged, too.
    assertThat(concerto.path("clock_saving_i1").asDouble()).isCloseTo(0.48, within(0.02));
    assertThat(concerto.path("clock_energy_i0_j").asDouble())
        .isLessThan(concerto.path("clock_energy_i1_j").asDouble());
    assertThat(concerto.path("master_cpu_us_op").asDouble()).isPositive();
    assertThat(concerto.path("replica_cpu_us_op").asDouble()).isPositive();
    assertThat(concerto.path("lag_p50_bytes").asText()).isNotEmpty();
    assertThat(concerto.path("lag_max_ms").asText()).isNotEmpty();
    assertThat(concerto.path("manager_cpu_s").asDouble()).isPositive();
    assertThat(concerto.path("manager_j").asDouble())
        .isCloseTo(8.5 * concerto.path("manager_cpu_s").asDouble(), within(1e-3));
    List<String> roles = List.of("2200000", "1000000", "1000000");
    assertThat(clocks(study, "concerto-one-200ps-r1")).allMatch(roles::equals).isNotEmpty();

    JsonNode told = study.environment().path("clocks");
    assertThat(told.path("cpus").path("n3").asText()).isEqualTo("2");
    assertThat(told.path("lag_limit_bytes").asLong()).isEqualTo(1 << 20);
    assertThat(told.path("states").path(0).path("ghz").asDouble()).isEqualTo(2.2);
    assertThat(cpus.restorable()).isEqualTo(before);
    assertThat(journals()).isEmpty();
  }

  @Test
  void aStudyThatIsStoppedLeavesTheClocksAsTheyWere() {
    TestStudy study = study("concerto", "60s");
    StopSignal stop = new StopSignal();
    Progress progress =
        TestStudy.when(
            "operations",
            () -> {
              assertThat(cpus.restorable()).isNotEqualTo(before);
              stop.request();
            });
    assertThatThrownBy(() -> study.run(progress, stop, false))
        .isInstanceOf(StopSignal.StoppedException.class);
    assertThat(cpus.restorable()).isEqualTo(before);
    assertThat(journals()).isEmpty();
  }

  /** The agent's machine is this one, whose clocks are files; the study knows its address only. */
  @Test
  void agentsSetTheClocksOfAStudysNodes() throws Exception {
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(3).build());
        AgentServer agent =
            AgentServer.listen(
                Listening.plain("127.0.0.1", 0),
                new AgentServer.Means(
                    Machine.at(cpus.root()),
                    new LeaseFolders(folder.resolve("journals"), folder.resolve("owners")),
                    folder.resolve("fences"),
                    AgentServer.Offers.of(folder.resolve("powercap")),
                    line -> {}))) {
      String nodes =
          cluster.nodes().stream()
              .map(
                  node ->
                      "{name: %s, address: %s, port: %d, pid: %d, agent: \"%s\"}"
                          .formatted(
                              node.name(),
                              node.address(),
                              node.port(),
                              node.pid(),
                              agent.address()))
              .collect(Collectors.joining(", "));
      TestStudy study =
          TestStudy.of(
              folder,
              text("inventory: {nodes: [" + nodes + "]}, keyspace: clocks", "concerto", "2500ms")
                  .replace("  sysfs: cpu\n", ""));
      study.run();
      JsonNode concerto = study.row("one-200ps-r1");
      assertThat(concerto.path("status").asText())
          .as(concerto.path("message").asText())
          .isEqualTo("ok");
      assertThat(concerto.path("clock_saving_i1").asDouble()).isCloseTo(0.48, within(0.02));
      List<String> roles = List.of("2200000", "1000000", "1000000");
      assertThat(clocks(study, "one-200ps-r1")).allMatch(roles::equals).isNotEmpty();
      JsonNode told = study.environment().path("clocks");
      assertThat(told.path("agents").path(0).asText()).isEqualTo(agent.address());
      assertThat(told.path("states").path(0).path("ghz").asDouble()).isEqualTo(2.2);
      // The agent runs on: what was set is given back at the study's end.
      assertThat(cpus.restorable()).isEqualTo(before);
    }
  }

  private TestStudy study(String policies, String duration) {
    return TestStudy.of(folder, text("local: {nodes: 3}", policies, duration));
  }

  private static String text(String store, String policies, String duration) {
    return """
        study: clocks
        store: {engine: redis, %s}
        workload: {preset: heavy-update, records: 50, duration: %s}
        matrix: {consistency: [ONE], rate: [200/s], clock: [%s]}
        clocks:
          cpus: {n1: 0, n2: 1, n3: 2}
          sysfs: cpu
          states: xeon-silver-4114
          lower-after: 100ms
          caught-up-after: 100ms
          lag-limit-time: 10s
          poll: 50ms
          silence: 10s
          max-age: 10s
          decide: 50ms
        repeats: 1
        power: {meter: model, profile: xeon-x3440, baseline: 0s}
        """
        .formatted(store, duration, policies);
  }

  /** The clocks of n1, n2 and n3 in each of a run's seconds; n1 was the master. */
  private static List<List<String>> clocks(TestStudy study, String run) {
    List<String[]> rows =
        study
            .text("runs/" + run + "/clocks.csv")
            .lines()
            .skip(1)
            .map(line -> line.split(",", -1))
            .toList();
    assertThat(rows)
        .allMatch(row -> row[2].equals(row[1].equals("n1") ? "master" : "replica"))
        .as("CPU time is not known in seconds in which an agent was not asked")
        .allMatch(row -> row[4].isEmpty() || Double.parseDouble(row[4]) >= 0)
        .allMatch(row -> row[5].isEmpty() == row[1].equals("n1"));
    return Stream.iterate(0, i -> i + 3 <= rows.size(), i -> i + 3)
        .map(i -> rows.subList(i, i + 3).stream().map(row -> row[3]).toList())
        .toList();
  }

  private List<Path> journals() {
    try (Stream<Path> files = Files.list(folder.resolve("state/journals"))) {
      return files.filter(file -> String.valueOf(file).endsWith(".journal")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
