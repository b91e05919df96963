package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.knob.ManagedClocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of policies of clocks on a simulated master with its replicas. */
class SimulatedClocksTest {
  private static final String STORE =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 3
          rf: 3
          masters: {placement: groups}
          service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, write: {mean: 1ms, variation: 0.5}}
          detection: 500ms
      workload: {name: set, mix: {update: 100%}, records: 100, fields: 1, field-size: 1KB, warm-up: 4s}
      power: {profile: {name: core, off: 0, idle: 2, busy: 8.5, cores: 1}}
      """;
  private static final String MATRIX =
      "matrix: {consistency: [ONE], clock: [all-high, all-low, concerto, slack],"
          + " rate: [{poisson: 100/s}], duration: 8s}\n";
  private static final String EVENTS =
      "events: [{at: 1500ms, kill-node: n1}, {at: 6s, start-node: n1}]\n";

  @TempDir Path folder;

  private TestStudy study(String name, String yaml) {
    return TestStudy.at(folder, folder.resolve(name), yaml);
  }

  @Test
  void energyAndLagOfEachPolicyAreTold() throws Exception {
    TestStudy study = study("out", STORE + MATRIX + "repeats: 1\n");
    assertThat(SimulatedStudyTest.run(study, 2, false).failed()).isEmpty();
    JsonNode high = row(study, "all-high");
    JsonNode low = row(study, "all-low");
    JsonNode concerto = row(study, "concerto");
    // Three cores of 8.5 W for 8 s; of P-states 0.278 of it at the lowest.
    assertThat(number(high, "clock_energy_i1_j")).isCloseTo(204, within(0.01));
    assertThat(number(low, "clock_energy_i1_j")).isCloseTo(204 * 0.27784, within(0.1));
    assertThat(number(concerto, "clock_energy_i1_j")).isCloseTo(68 + 136 * 0.27784, within(0.1));
    assertThat(number(concerto, "clock_saving_i1")).isCloseTo(0.4814, within(1e-3));
    assertThat(number(high, "clock_saving_i0")).isZero();
    assertThat(number(concerto, "replica_cpu_us_op"))
        .isCloseTo(2.2 * number(high, "replica_cpu_us_op"), within(30.0));
    assertThat(number(concerto, "master_cpu_us_op"))
        .isCloseTo(number(high, "master_cpu_us_op"), within(1e-3));
    assertThat(number(concerto, "lag_max_bytes")).isBetween(1000.0, 100_000.0);
    assertThat(concerto.path("manager_cpu_s").asText()).isEmpty();
    assertThat(concerto.path("provenance").asText()).isEqualTo("simulated");
    assertThat(study.environment().path("clocks").path("states")).hasSize(7);
  }

  @Test
  void aFailOverIsSeenSecondBySecondWithTheSameBytesOnOneThreadAndOnTwo() throws Exception {
    String two = MATRIX.replace("all-high, all-low, ", "");
    TestStudy one = study("one", STORE + two + EVENTS + "repeats: 1\n");
    TestStudy other = study("two", STORE + two + EVENTS + "repeats: 1\n");
    SimulatedStudyTest.run(one, 1, false);
    SimulatedStudyTest.run(other, 2, false);
    Map<String, String> bytes = SimulatedStudyTest.bytes(one);
    assertThat(bytes).isEqualTo(SimulatedStudyTest.bytes(other));
    String concerto = run(one, "concerto");
    List<String> rows =
        Files.readAllLines(one.out().resolve("runs").resolve(concerto).resolve("clocks.csv"));
    assertThat(rows.get(0)).isEqualTo("second,node,role,khz,cpu_s,lag_bytes,lag_ms");
    assertThat(rows).anyMatch(row -> row.startsWith("0,n1,master,2200000,"));
    assertThat(rows).anyMatch(row -> row.startsWith("0,n2,replica,1000000,"));
    assertThat(rows).anyMatch(row -> row.startsWith("3,n1,unknown,2200000,"));
    assertThat(rows).anyMatch(row -> row.startsWith("3,n2,master,2200000,"));
    assertThat(rows).noneMatch(row -> row.contains(",master,1000000,"));
    assertThat(number(row(one, "concerto"), "clock_changes")).isGreaterThanOrEqualTo(3);
  }

  @Test
  void whatHoldsForRealMachinesOnlyIsRefused() {
    String on = STORE + MATRIX;
    assertRefused(on + "clocks: {cpus: {n1: 0}}\n", "clocks.cpus: is valid only for a real");
    assertRefused(on + "clocks: {silence: 1s}\n", "clocks.silence: is valid only for a real");
    assertRefused(on.replace("placement: groups", "placement: ring"), "add store.sim.masters");
    assertRefused(on.replace("nodes: 3", "nodes: 4"), "4 nodes do not make groups of 3");
    assertRefused(
        on.replace("detection: 500ms", "clocks: {ghz: 1.4}"), "matrix.clock's policies set");
    assertRefused(
        on.replace("duration: 8s", "duration: 8s, layout: [even]"),
        "layout[0]: is not supported with masters");
  }

  private void assertRefused(String yaml, String words) {
    assertThatThrownBy(() -> study("refused", yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }

  @Test
  void whatIsNotSaidIsAsTheReferenceHasIt() {
    ManagedClocks said =
        study("said", STORE + MATRIX + "clocks: {core-watts: 8.5}\n").spec().clocks().orElseThrow();
    assertThat(said).isEqualTo(ManagedClocks.SIMULATED);
    assertThat(study("unsaid", STORE + MATRIX).spec().clocks()).isEmpty();
  }

  private static String run(TestStudy study, String policy) {
    return study.plan().stream().filter(id -> id.startsWith(policy)).findFirst().orElseThrow();
  }

  private static JsonNode row(TestStudy study, String policy) {
    return study.row(run(study, policy));
  }

  private static double number(JsonNode row, String column) {
    return Double.parseDouble(row.path(column).asText());
  }
}
