package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.engine.Finding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockBoundsTest {
  @TempDir Path folder;

  private FakeCpus cpus;

  @BeforeEach
  void cpus() {
    cpus = new FakeCpus(folder.resolve("cpu"), 3);
  }

  @Test
  void clocksThatCanBeSetAreToldAndNotTouched() {
    Map<String, String> before = cpus.restorable();
    ClockBounds bounds = ClockBounds.require(study("cpu").spec()).orElseThrow();
    assertThat(bounds.words())
        .isEqualTo(
            "3 nodes on processors 0-2, 1.0 to 2.2 GHz; their threads are left where they are");
    assertThat(bounds.pins()).isFalse();
    assertThat(bounds.states().fastestGhz()).isEqualTo(2.2);
    // Voltages are on the same line as those that Concerto gives for these clocks.
    assertThat(bounds.states().relativePower(1.0))
        .isCloseTo(PStates.xeonSilver4114().relativePower(1.0), within(1e-9));
    assertThat(cpus.restorable()).isEqualTo(before);
    assertThat(new StudyDoctor(study("cpu").spec(), folder).examine())
        .contains(new Finding(true, "clocks", bounds.words()));
  }

  @Test
  void theMachinesClocksAreRecordedBesideTheLimitsThatAStudyDeclares() {
    TestStudy study = study("cpu", "n3: 2", ", lag-limit-bytes: 4KB, busy-limit: 0.5");
    EnvironmentFile environment =
        EnvironmentFile.begin(
            study.request(false),
            null,
            "redis 7.0.15",
            List.of(),
            new MeterChoice(Optional.empty(), List.of(), false),
            List.of());
    environment.addClocks(ClockBounds.require(study.spec()).orElseThrow());
    JsonNode clocks = environment.json().path("clocks");
    assertThat(clocks.path("lag_limit_bytes").asLong()).isEqualTo(4096);
    assertThat(clocks.path("lag_limit_ms").asDouble()).isEqualTo(500);
    assertThat(clocks.path("busy_limit").asDouble()).isEqualTo(0.5);
    assertThat(clocks.path("cpus").path("n3").asText()).isEqualTo("2");
    assertThat(clocks.path("states_by").asText()).isEqualTo("machine");
    assertThat(clocks.path("states_text").asText()).startsWith("2.2 GHz at ");
    assertThat(clocks.path("states").findValuesAsText("ghz")).containsExactly("2.2", "1.6", "1.0");
  }

  @Test
  void aMachineWithoutClocksIsToldWhatIsMissingAndWhatRemains() {
    assertThatThrownBy(() -> ClockBounds.require(study("none").spec()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no clock can be set")
        .hasMessageContaining("cpufreq is not there")
        .hasMessageContaining("what remains is")
        .hasMessageContaining("docs/clock.md");
    assertThat(new StudyDoctor(study("none").spec(), folder).examine())
        .anySatisfy(
            finding -> {
              assertThat(finding.subject()).isEqualTo("clocks");
              assertThat(finding.ok()).isFalse();
            });
  }

  @Test
  void aProcessorWithoutAClockIsNamed() {
    assertThatThrownBy(() -> ClockBounds.require(study("cpu", "n3: 7", "").spec()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clocks.cpus.n3")
        .hasMessageContaining("processors 7");
  }

  @Test
  void threadsAreNotMovedToProcessorsThatTheMachineHasNot() {
    int beyond = Runtime.getRuntime().availableProcessors() + 512;
    new FakeCpus(folder.resolve("cpu"), beyond, 1);
    assertThatThrownBy(
            () -> ClockBounds.require(study("cpu", "n3: " + beyond, ", pin: true").spec()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clocks.pin");
  }

  @Test
  void aNodeOfAnotherMachineIsRefused() {
    String yaml =
        text("cpu", "n3: 2", "")
            .replace(
                "local: {nodes: 3}",
                "inventory: {nodes: [{name: n1, address: 127.0.0.1, port: 6379},"
                    + " {name: n2, address: 127.0.0.1, port: 6380},"
                    + " {name: n3, address: 10.0.0.1, port: 6381}]}");
    assertThatThrownBy(() -> ClockBounds.require(TestStudy.of(folder, yaml).spec()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("node n3")
        .hasMessageContaining("another machine");
  }

  private TestStudy study(String tree) {
    return study(tree, "n3: 2", "");
  }

  private TestStudy study(String tree, String third, String more) {
    return TestStudy.of(folder, text(tree, third, more));
  }

  private static String text(String tree, String third, String more) {
    return """
    study: clocks
    store: {engine: redis, local: {nodes: 3}}
    workload: {preset: heavy-update, records: 10, operations: 10}
    matrix: {consistency: [ONE], threads: [1], clock: [concerto]}
    clocks: {cpus: {n1: 0, n2: 1, %s}, sysfs: %s%s}
    """
        .formatted(third, tree, more);
  }
}
