package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.calando.control.DecisionRow;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One controller of levels, gear and clocks, on the simulator. */
class SimulatedJointTest {
  private static final String STORE =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 9
          rf: 3
          gears: {nodes: [3, 6, 9], capacity: 400/s}
          clocks: {idle-activity: 25%}
          coordinators: token-aware
          write-lag: {mean: 5ms, variation: 1}
      workload: {name: most, mix: {read: 70%, update: 30%}, records: 10000, warm-up: 10s}
      power: {profile: {name: fast, off: 8, idle: 75, busy: 150, cores: 4, boot-seconds: 1, boot-watts: 110}}
      repeats: 1
      """;
  private static final String PROMISE = "promise: {stale: 1%, read-p99: 50ms, copies: 2}\n";

  @TempDir Path folder;

  private TestStudy run(String rest) throws Exception {
    TestStudy study = TestStudy.at(folder, folder.resolve("out"), STORE + rest);
    study.runWell();
    return study;
  }

  private static String matrix(String control, String rate) {
    return "matrix: {control: [%s], rate: [%s], duration: 120s}\n".formatted(control, rate);
  }

  private static JsonNode row(TestStudy study, String consistency) {
    return study.plan().stream()
        .map(study::row)
        .filter(row -> row.path("consistency").asText().equals(consistency))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void savesAtLowLoadKeepsThePromiseAndReplays() throws Exception {
    TestStudy study =
        run(PROMISE + matrix("{beside: [QUORUM, {gear: 3}]}, {joint: {residency: 10s}}", "200/s"));
    JsonNode still = row(study, "QUORUM");
    JsonNode joint = row(study, "joint (residency 10s)");
    assertThat(joint.path("energy_j").asDouble())
        .isLessThan(0.8 * still.path("energy_j").asDouble());
    assertThat(joint.path("promise_broken").asText()).isEqualTo("none");
    assertThat(still.path("promise_broken").asText()).isEqualTo("none");
    assertThat(joint.path("gear").asText()).isEqualTo("joint");
    String run = study.plan().stream().filter(id -> id.contains("joint")).findFirst().orElseThrow();
    List<DecisionRow> rows = study.decisions(run).rows();
    assertThat(rows).hasSizeGreaterThan(120);
    DecisionRow last = rows.get(rows.size() - 1);
    assertThat(last.cell("reasons")).contains("gear 1 would leave 1 copy, 2 are promised");
    assertThat(last.cell("settings")).contains("gear cluster=2").contains("clock n1=");
    assertThat(DecisionReplay.of(study.out()))
        .anyMatch(each -> each.policy().equals("joint") && each.decisions() > 120)
        .allMatch(each -> each.differences().isEmpty());
  }

  @Test
  void goesUpAtOnceWhereTheLoadRises() throws Exception {
    TestStudy study =
        run(
            PROMISE
                + matrix(
                    "{joint: {residency: 10s}}",
                    "{steps: [{rate: 200/s, for: 70s}, {rate: 6000/s, for: 1h}]}"));
    List<DecisionRow> rows = study.decisions(study.plan().get(0)).rows();
    assertThat(rows).anyMatch(row -> row.cell("settings").contains("gear cluster=2"));
    assertThat(rows)
        .anyMatch(
            row -> row.cell("reasons").contains("50 ms are promised: 1 replica, gear 3, 2.2 GHz"));
    assertThat(study.row(study.plan().get(0)).path("promise_broken_share").asDouble())
        .isLessThan(0.15);
  }

  @Test
  void noGearIsChosenThatRefusesWrites() throws Exception {
    TestStudy study =
        run(
            "promise: {stale: 1%, read-p99: 50ms}\n"
                + matrix("{joint: {residency: 10s}}", "200/s"));
    JsonNode row = study.row(study.plan().get(0));
    assertThat(row.path("errors").asLong()).isZero();
    assertThat(row.path("promise_broken").asText()).isEqualTo("none");
    List<DecisionRow> rows = study.decisions(study.plan().get(0)).rows();
    assertThat(rows).anyMatch(each -> each.cell("settings").contains("gear cluster=2"));
  }

  /** Down to one replica, and up to more while nodes boot for two minutes. */
  @Test
  void answersAndIsFreshWhileNodesBootAndAfter() throws Exception {
    TestStudy study =
        TestStudy.at(
            folder,
            folder.resolve("out"),
            STORE.replace("boot-seconds: 1,", "boot-seconds: 120,")
                + "promise: {stale: 1%, read-p99: 50ms}\n"
                + "matrix: {control: [{joint: {write: ONE, residency: 10s}}], rate: [{steps: ["
                + "{rate: 100/s, for: 400s}, {rate: 4000/s, for: 1h}]}], duration: 600s}\n");
    study.runWell();
    List<DecisionRow> rows = study.decisions(study.plan().get(0)).rows();
    assertThat(rows).anyMatch(each -> each.cell("settings").contains("gear cluster=1"));
    assertThat(rows).anyMatch(each -> each.cell("reasons").contains("replicas may lack writes"));
    JsonNode row = study.row(study.plan().get(0));
    assertThat(row.path("errors").asLong()).isZero();
    assertThat(row.path("stale_rate").asDouble()).isLessThan(0.01);
  }

  @Test
  void whatCannotBeKeptIsRefused() {
    String joint = matrix("{joint: {}}", "200/s");
    refused(joint, "matrix.control[0].joint: keeps the study's promise, and there is none");
    refused("promise: {stale: 1%, fresh: 1s}\n" + joint, "promise.fresh: no signal reports");
    refused("promise: {stale: 1%, survive: 2}\n" + joint, "promise.survive: of 3 replicas 1 would");
    refused(
        "promise: {read-p99: 50ms, survive: 1}\n" + matrix("{joint: {write: ONE}}", "200/s"),
        "promise.survive: no stale reads are promised, so they ask 3 of 3 replicas");
    refused(
        PROMISE + matrix("{beside: [QUORUM, {gear: 3}]}", "200/s"),
        "promise.copies: only a joint controller keeps to it");
    refused("promise: {stale: 1%, copies: 4}\n" + joint, "promise.copies: the replication factor");
    refused(
        PROMISE + "matrix: {consistency: [ONE], control: [{joint: {}}], rate: [200/s]}\n",
        "sets consistency, as the key consistency of the matrix does");
    refused(PROMISE + "matrix: {control: [{joint: {}}], threads: [4]}\n", "a closed loop asks");
    refused(
        PROMISE + "matrix: {control: [{joint: {}, beside: [QUORUM]}], rate: [200/s]}\n",
        "control[0]");
  }

  private void refused(String rest, String message) {
    assertThatThrownBy(() -> TestStudy.at(folder, folder.resolve("out"), STORE + rest))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }
}
