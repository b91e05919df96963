package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.calando.studyfile.profile.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keys of {@code store.sim} change in whole studies, by theory where there is one. */
class SimulatedKeysTest {
  private static final String READS =
      "workload: {mix: {read: 100%}, distribution: uniform, records: 500, operations: 3000, warm-up: 200}\n";
  private static final String UPDATES =
      "workload: {mix: {update: 100%}, distribution: uniform, records: 500, duration: 20s, warm-up: 1s}\n";

  /** Nothing takes any time. */
  private static final String NO_TIMES =
      "latency: 0ms, service: {client: 0ms, coordinator: 0ms, message: 0ms, read: 0ms, write: 0ms}";

  @TempDir Path folder;

  private TestStudy run(String name, String sim, String load, String rest) throws Exception {
    String yaml =
        """
        study: test
        store: {engine: sim, sim: {%s}}
        repeats: 1
        matrix: {consistency: [ONE], %s}
        """
            .formatted(sim, load);
    TestStudy study = TestStudy.at(folder, folder.resolve(name), yaml + rest);
    study.runWell();
    return study;
  }

  private JsonNode row(String name, String sim, String load, String rest) throws Exception {
    TestStudy study = run(name, sim, load, rest);
    return study.row(study.plan().get(0));
  }

  private static JsonNode node(TestStudy study, int number) {
    return study.summary(study.plan().get(0)).at("/energy/nodes").get(number - 1);
  }

  @Test
  void nodesOfOneMachineShareItsCores() throws Exception {
    String cluster = "nodes: 4, rf: 1, latency: 0ms";
    JsonNode own = row("own", cluster, "threads: [40]", READS);
    JsonNode shared =
        row(
            "shared",
            cluster + ", hosts: [{name: m1, cores: 2, nodes: all}]",
            "threads: [40]",
            READS);
    // 40 clients keep two cores busy: a read takes 0.047 + 0.59 + 0.01 + 2.42 ms of them.
    assertThat(shared.path("throughput_ops_s").asDouble()).isCloseTo(2 / 0.003067, within(15.0));
    assertThat(shared.path("cpu_s").asDouble() / shared.path("duration_s").asDouble())
        .isCloseTo(2, within(0.05));
    // Of their own they have 16.
    assertThat(own.path("throughput_ops_s").asDouble())
        .isGreaterThan(5 * shared.path("throughput_ops_s").asDouble());
  }

  @Test
  void theMachineOfClientsBoundsThroughput() throws Exception {
    JsonNode row =
        row("out", "nodes: 3, client-work: {request: 1ms, answer: 1ms}", "threads: [20]", READS);
    assertThat(row.path("throughput_ops_s").asDouble()).isCloseTo(500, within(5.0));
    assertThat(row.path("client_cpu_s").asDouble())
        .isCloseTo(row.path("operations").asDouble() * 2e-3, within(0.05));
  }

  @Test
  void ownWorkTakesCoresBesideOperations() throws Exception {
    String length = READS.replace("operations: 3000", "duration: 30s");
    JsonNode none = row("none", "nodes: 3", "rate: [{poisson: 50/s}]", length);
    JsonNode some =
        row("some", "nodes: 3, background: {cores: 0.5}", "rate: [{poisson: 50/s}]", length);
    double more = some.path("cpu_s").asDouble() - none.path("cpu_s").asDouble();
    // 45 000 bursts of 1 ms: a standard deviation of 0.3 s.
    assertThat(more).isCloseTo(3 * 0.5 * 30, within(1.2));
    JsonNode lingering =
        row(
            "lingering",
            "nodes: 3, background: {cores: 0.5, linger: 5ms}",
            "rate: [{poisson: 50/s}]",
            length);
    assertThat(lingering.path("cpu_s").asDouble())
        .isLessThan((some.path("cpu_s").asDouble() + none.path("cpu_s").asDouble()) / 2)
        .isGreaterThan(none.path("cpu_s").asDouble());
  }

  @Test
  void slowerClocksTakeLongerAndSaveByTheSquareOfTheVoltage() throws Exception {
    String cluster = "nodes: 3, latency: 0ms, service: {coordinator: 0.5ms, read: 2ms}";
    JsonNode fast = row("fast", cluster + ", clocks: {}", "threads: [1]", READS);
    TestStudy slow = run("slow", cluster + ", clocks: {ghz: 1.4}", "threads: [1]", READS);
    JsonNode row = slow.row(slow.plan().get(0));
    double longer = row.path("duration_s").asDouble() / fast.path("duration_s").asDouble();
    assertThat(longer).isCloseTo(2.2 / 1.4, within(1e-3));
    double net = row.path("energy_net_j").asDouble() / fast.path("energy_net_j").asDouble();
    assertThat(net).isCloseTo(0.94 * 0.94 / (1.1 * 1.1), within(1e-3));

    TestStudy mixed =
        run(
            "mixed",
            cluster + ", read-all: true, digests: false, clocks: {ghz: 1.4, nodes: {n1: 2.2}}",
            "threads: [1]",
            READS);
    double ratio =
        node(mixed, 2).path("cpu_s").asDouble() / node(mixed, 1).path("cpu_s").asDouble();
    assertThat(ratio).isCloseTo(2.2 / 1.4, within(1e-2));
  }

  @Test
  void replicasOfMastersAreBehindByTheirLag() throws Exception {
    String workload =
        "workload: {mix: {read: 50%, update: 50%}, distribution: uniform, records: 20, duration: 40s, warm-up: 1s}\n";
    String cluster = "nodes: 3, " + NO_TIMES + ", masters: {lag: 50ms, reads: %s}";
    JsonNode replica =
        row("replica", cluster.formatted("replica"), "rate: [{poisson: 400/s}]", workload);
    // A key is written 10 times a second.
    assertThat(replica.path("stale_rate").asDouble()).isCloseTo(1 - Math.exp(-0.5), within(0.03));
    JsonNode master =
        row("master", cluster.formatted("master"), "rate: [{poisson: 400/s}]", workload);
    assertThat(master.path("reads").asInt()).isPositive();
    assertThat(master.path("stale_rate").asDouble()).isZero();
  }

  @Test
  void bufferedWritesAreAcknowledgedAtOnceAndAtRiskUntilTheBufferIsFull() throws Exception {
    String load = "rate: [{poisson: 400/s}]";
    JsonNode by20 =
        row("by20", "nodes: 3, " + NO_TIMES + ", write-buffer: {writes: 20}", load, UPDATES);
    // As many as 0 to 19, each as long.
    assertThat(by20.path("at_risk").asDouble()).isCloseTo(9.5, within(0.4));
    JsonNode byAge =
        row(
            "byAge",
            "nodes: 3, write-buffer: {writes: 100000, age: 100ms, cost-share: 20%}",
            load,
            UPDATES);
    JsonNode none = row("none", "nodes: 3", load, UPDATES);
    assertThat(none.path("at_risk").asText()).isEmpty();
    assertThat(none.path("write_p50_us").asDouble()).isGreaterThan(1000);
    assertThat(byAge.path("write_p99_us").asDouble()).isLessThan(10);
    // The first for 100 ms, then 40 for half of that: 2.1 in 102.5 ms; and the 41 until they are
    // written.
    assertThat(byAge.path("at_risk").asDouble()).isBetween(20.0, 24.0);
    // Coordinators save 0.8 of 0.047 + 0.59 + 3 * 0.01 ms for each write.
    double saved = none.path("cpu_s").asDouble() - byAge.path("cpu_s").asDouble();
    double writes = byAge.path("operations").asDouble();
    assertThat(saved / writes * 1e3).isCloseTo(0.8 * 0.667, within(0.02));
  }

  @Test
  void nodesThatAreOffDrawNextToNothingAndBootWhenTheyAreSwitchedOn() throws Exception {
    String rest =
        """
        power: {profile: {idle: 100, busy: 200, cores: 4, off: 10, boot-seconds: 2, boot-watts: 150}}
        workload: {preset: moderate, records: 100, duration: 6s}
        """;
    String load = "rate: [{poisson: 100/s}]";
    TestStudy off = run("off", "nodes: 3, off: [n3]", load, rest);
    assertThat(node(off, 3).path("cpu_s").asDouble()).isZero();
    assertThat(node(off, 3).path("energy_j").asDouble()).isCloseTo(60, within(1e-6));
    assertThat(node(off, 1).path("energy_j").asDouble()).isGreaterThan(600);

    TestStudy on =
        run(
            "on",
            "nodes: 3, off: [n3]",
            load,
            rest + "events: [{at: 1s, switch-on: n3}, {at: 5s, switch-off: n3}]\n");
    assertThat(on.text("runs/" + on.plan().get(0) + "/events.csv"))
        .isEqualTo(
            """
            second,event
            1.000,node n3 switched on
            3.000,node n3 is up
            5.000,node n3 switched off
            """);
    double busy = node(on, 3).path("cpu_s").asDouble();
    assertThat(busy).isPositive();
    assertThat(node(on, 3).path("energy_j").asDouble())
        .isCloseTo(10 + 2 * 150 + 2 * 100 + 10 + busy * 100 / 4, within(1e-3));
  }

  @Test
  void whatStandsForARealClusterReadsFromItsCoordinator() throws Exception {
    String yaml =
        """
        study: test
        store: {engine: cassandra, local: {nodes: 3, racks: 3, rf: 3, link-delay: 20ms}%s}
        repeats: 1
        matrix: {consistency: [ONE], threads: [3]}
        """;
    TestStudy study =
        TestStudy.at(
            folder,
            folder.resolve("standin"),
            yaml.formatted("").replace("cassandra", "sim") + READS);
    study.run();
    assertThat(study.row(study.plan().get(0)).path("read_p99_us").asDouble()).isLessThan(20_000);

    TestStudy random =
        TestStudy.at(
            folder,
            folder.resolve("random"),
            yaml.formatted(", sim: {replicas: random}").replace("cassandra", "sim") + READS);
    random.run();
    // Two of three are there and back again.
    JsonNode row = random.row(random.plan().get(0));
    assertThat(row.path("read_p50_us").asDouble()).isBetween(40_000.0, 60_000.0);
  }

  @Test
  void aStudyOfEveryKeyGivesTheSameBytesOnOneThreadAndOnTwo() throws Exception {
    TestStudy.write(folder.resolve("profile.yaml"), TestProfile.text());
    String yaml =
        """
        study: test
        store:
          engine: sim
          sim:
            profile: profile.yaml
            nodes: 4
            hosts: [{name: m1, cores: 3, nodes: [n1, n2], order: any}, {name: m2, cores: 2}]
            client-work: {host: m2, request: 0.1ms, answer: {mean: 0.1ms, variation: 1}}
            clocks: {ghz: 1.4, idle-activity: 10%, nodes: {n2: 2.2}}
            masters: {lag: {mean: 20ms, variation: 1}, reads: any}
            write-buffer: {writes: 5, age: 20ms, cost-share: 50%}
            off: [n4]
        power: {profile: calibrated}
        repeats: 2
        workload: {preset: moderate, records: 100, duration: 500ms}
        matrix: {consistency: [ONE, QUORUM], rate: [{poisson: 300/s}]}
        events: [{at: 100ms, switch-off: n3}, {at: 200ms, switch-on: n3}]
        """;
    TestStudy one = TestStudy.at(folder, folder.resolve("one"), yaml);
    TestStudy two = TestStudy.at(folder, folder.resolve("two"), yaml);
    assertThat(SimulatedStudyTest.run(one, 1, false).failed()).isEmpty();
    assertThat(SimulatedStudyTest.run(two, 2, false).failed()).isEmpty();
    assertThat(SimulatedStudyTest.bytes(one)).isEqualTo(SimulatedStudyTest.bytes(two));
  }
}
