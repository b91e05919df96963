package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.SlackLimits;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksSchema;
import org.junit.jupiter.api.Test;

class ManagedClocksTest {
  private static final String CPUS = "cpus: {n1: 0, n2: \"2,3\", n3: 4-6}";

  @Test
  void whatIsLeftOutIsAsUsual() {
    StudySpec study = redis("[concerto, all-high]", "{" + CPUS + "}");
    ManagedClocks clocks = study.clocks().orElseThrow();
    assertThat(clocks.cpus())
        .isEqualTo(Map.of("n1", CpuSet.of(0), "n2", CpuSet.of(2, 3), "n3", CpuSet.of(4, 5, 6)));
    assertThat(clocks.isRealTree()).isTrue();
    assertThat(clocks.pin()).isEmpty();
    assertThat(clocks.states()).isEmpty();
    assertThat(clocks.power()).isEqualTo(new CorePower(0, 0));
    assertThat(clocks.coreWatts()).isEqualTo(8.5);
    assertThat(clocks.limits()).isEqualTo(ClockLimits.defaults());
    assertThat(clocks.slack()).isEqualTo(SlackLimits.defaults());
    assertThat(clocks.times()).isEqualTo(times(100, 1000, 1000));
    assertThat(study.matrix().get(0).of(ManagedClocksSchema.AXIS))
        .containsExactly("concerto", "all-high");
    assertThat(study.matrix().get(0).configurations()).isEqualTo(2);
  }

  private static ManagedClocks.Times times(long poll, long silence, long decide) {
    return new ManagedClocks.Times(millis(poll), millis(silence), millis(decide));
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void everythingMayBeSaidAndIsReadAgainAsTheSame() {
    StudySpec study =
        redis(
            "[slack]",
            "{"
                + CPUS
                + ", sysfs: tree/cpu, pin: false, states: [{ghz: 2, volts: 1}, {ghz: 1, volts:"
                + " 0.9}], core-watts: 6, static-share: 30%, lag-limit-bytes: 256KB,"
                + " lag-limit-time: 200ms, resume-share: 25%, lower-after: 500ms, caught-up-after:"
                + " 1s, max-age: 1s, busy-limit: 40%, lag-share: 30%, read-limit: 1ms, poll: 50ms,"
                + " silence: 500ms, decide: 200ms}");
    ManagedClocks clocks = study.clocks().orElseThrow();
    assertThat(clocks.tree()).isEqualTo(Path.of("/studies/tree/cpu"));
    assertThat(clocks.isRealTree()).isFalse();
    assertThat(clocks.pin()).contains(false);
    assertThat(clocks.states())
        .contains(new PStates(List.of(new PStates.State(2, 1), new PStates.State(1, 0.9))));
    assertThat(clocks.power()).isEqualTo(new CorePower(0.3, 0));
    assertThat(clocks.coreWatts()).isEqualTo(6);
    assertThat(clocks.limits())
        .isEqualTo(
            new ClockLimits(millis(1000), millis(500), millis(1000), 256 << 10, millis(200), 0.25));
    assertThat(clocks.slack()).isEqualTo(new SlackLimits(0.4, 0.3, millis(1)));
    assertThat(clocks.times()).isEqualTo(times(50, 500, 200));

    StudySpec again = parse(study.canonicalText());
    assertThat(again.clocks()).contains(clocks);
    assertThat(again.fingerprint()).isEqualTo(study.fingerprint());
  }

  @Test
  void aProcessorMayNameTheStates() {
    String states = "{" + CPUS + ", states: xeon-silver-4114}";
    assertThat(redis("[all-low]", states).clocks().orElseThrow().states())
        .isEqualTo(Optional.of(PStates.xeonSilver4114()));
  }

  @Test
  void everyNodeNeedsProcessorsOfItsOwn() {
    refused("{cpus: {n1: 0, n2: 1}}", "clocks.cpus", "no processors of n3");
    refused("{cpus: {n1: 0, n2: 1, n3: 2, n4: 3}}", "clocks.cpus.n4", "no node n4");
    refused("{cpus: {n1: 0, n2: 0-1, n3: 2}}", "clocks.cpus.n2", "processor 0 is that of n1 too");
    refused("{cpus: {n1: 0, n2: 1-, n3: 2}}", "clocks.cpus.n2", "is no list of processors");
    refused("{cpus: {n1: 0, n2: 1, n3: 9999999}}", "clocks.cpus.n3", "is no list of processors");
    refused("{}", "clocks.cpus", "no processors of n1, n2, n3");
  }

  @Test
  void readsAreOffLoadedToProcessorsOfNoNode() {
    ManagedClocks clocks =
        redis("[concerto]", "{" + CPUS + ", read-offload: 7}").clocks().orElseThrow();
    assertThat(clocks.readOffload()).contains(CpuSet.of(7));
    assertThat(clocks.all()).isEqualTo(CpuSet.parse("0,2-7"));
    refused("{" + CPUS + ", read-offload: 3-4}", "clocks.read-offload", "processors of n2");
    refused("{" + CPUS + ", read-offload: 7, pin: false}", "clocks.read-offload", "pin forbids");
  }

  @Test
  void limitsThatCouldNotWorkAreRefused() {
    refused(
        "{" + CPUS + ", lower-after: 6s}", "clocks.caught-up-after", "shorter than lower-after");
    refused("{" + CPUS + ", decide: 3s}", "clocks.decide", "not shorter than max-age");
    refused("{" + CPUS + ", busy-limit: 100%}", "clocks.busy-limit", "all of the time");
    refused("{" + CPUS + ", lag-share: 0}", "clocks.lag-share", "is nothing");
    refused(
        "{" + CPUS + ", states: [{ghz: 1, volts: 1}, {ghz: 2, volts: 1}]}",
        "clocks.states[1].ghz",
        "not below the state before");
  }

  @Test
  void aPolicyNeedsTheSectionAndTheSectionAPolicy() {
    assertThatThrownBy(() -> parse(study("{engine: redis, local: {}}", ", clock: [concerto]", "")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.clock")
        .hasMessageContaining("add clocks: {cpus:");
    assertThatThrownBy(
            () -> parse(study("{engine: redis, local: {}}", "", "clocks: {" + CPUS + "}\n")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clocks: is valid only with matrix.clock");
    assertThatThrownBy(() -> redis("[concert]", "{" + CPUS + "}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.clock[0]")
        .hasMessageContaining("concerto");
  }

  @Test
  void otherEnginesHaveNoMasterToRunFast() {
    assertThatThrownBy(
            () ->
                parse(
                    study(
                        "{engine: cassandra, local: {}}",
                        ", clock: [concerto]",
                        "clocks: {" + CPUS + "}\n")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.clock: is supported only by redis")
        .hasMessageContaining("clocks: is supported only by redis");
  }

  @Test
  void partsMayDifferInTheirPolicyAlone() {
    String parts =
        """
        study: clocks
        store: {engine: redis, local: {}}
        workload: {preset: heavy-update, records: 100, operations: 100}
        matrix:
          - {consistency: [ONE], threads: [1]}
          - {consistency: [ONE], threads: [1], clock: [%s]}
          - {consistency: [ONE], threads: [1], clock: [all-high]}
        clocks: {%s}
        """;
    assertThat(parse(parts.formatted("concerto, slack", CPUS)).runs()).isEqualTo(4 * 3);
    assertThatThrownBy(() -> parse(parts.formatted("concerto, all-high", CPUS)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix[2]: has a configuration that matrix[1] has too");
  }

  private static void refused(String clocks, String path, String message) {
    assertThatThrownBy(() -> redis("[concerto]", clocks))
        .as(clocks)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(path + ": ")
        .hasMessageContaining(message);
  }

  private static StudySpec redis(String policies, String clocks) {
    return parse(
        study("{engine: redis, local: {}}", ", clock: " + policies, "clocks: " + clocks + "\n"));
  }

  private static String study(String store, String clock, String more) {
    return """
    study: clocks
    store: %s
    workload: {preset: heavy-update, records: 100, operations: 100}
    matrix: {consistency: [ONE], threads: [1]%s}
    """
            .formatted(store, clock)
        + more;
  }

  private static StudySpec parse(String yaml) {
    return StudyFile.parse(yaml, "study.yaml", Path.of("/studies"), List.of());
  }
}
