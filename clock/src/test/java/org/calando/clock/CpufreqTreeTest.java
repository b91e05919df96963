package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.clock.ClockAbilities.Remains;
import org.calando.clock.FakeTree.Kind;
import org.calando.core.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpufreqTreeTest {
  private static final String NICE = "0000000000800000";

  @TempDir Path folder;

  @Test
  void everyDriverIsReadWithItsClocksAndHowItIsSteered() {
    FakeTree tree = new FakeTree(folder.resolve("cpu"));
    int at = 0;
    for (Kind kind : Kind.values()) {
      tree.policy(at, kind, "" + at).core(at, "" + at);
      at++;
    }
    CpufreqTree read = CpufreqTree.read(tree.root, SysfsFiles.real());
    assertThat(read.faults()).isEmpty();
    assertThat(read.policies())
        .extracting(CpufreqPolicy::driver)
        .containsExactly(
            "acpi-cpufreq",
            "intel_cpufreq",
            "intel_pstate",
            "amd-pstate",
            "amd-pstate-epp",
            "cppc_cpufreq",
            "acpi-cpufreq");
    assertThat(read.policies())
        .extracting(CpufreqPolicy::steering)
        .containsExactly(
            Steering.SETSPEED,
            Steering.SETSPEED,
            Steering.CAP,
            Steering.SETSPEED,
            Steering.CAP,
            Steering.SETSPEED,
            Steering.PIN);
    assertThat(read.policies().get(0).frequencies().all()).hasSize(7).startsWith(1_000_000L);
    assertThat(read.policies().get(1).frequencies().all())
        .hasSize(13)
        .startsWith(1_000_000L, 1_100_000L)
        .endsWith(2_200_000L);
  }

  @Test
  void policiesThatShareCoresOverSeveralStepsAreOneDomain() {
    FakeTree tree =
        new FakeTree(folder.resolve("cpu"))
            .policy(0, Kind.ACPI_CPUFREQ, "0")
            .policy(1, Kind.ACPI_CPUFREQ, "1")
            .policy(2, Kind.ACPI_CPUFREQ, "2 3")
            .policy(4, Kind.ACPI_CPUFREQ, "4");
    tree.core(0, "0,2").core(2, "0,2").core(1, "1,3").core(3, "1,3").core(4, "4");
    assertThat(CpufreqTree.read(tree.root, SysfsFiles.real()).domains())
        .extracting(ClockDomain::name)
        .containsExactlyInAnyOrder("policy0+policy1+policy2", "policy4");
  }

  @Test
  void aMachineWithAllItTakesSaysSoForPeopleAndPrograms() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    fake.proc.capabilities(NICE);
    Files.createDirectories(fake.tree.root.resolve("intel_pstate"));
    Files.writeString(fake.tree.root.resolve("intel_pstate/no_turbo"), "0\n");
    ClockAbilities abilities = ClockAbilities.of(fake.machine());
    assertThat(abilities.remains()).isEqualTo(Remains.CLOCKS_AND_THREADS);
    assertThat(abilities.lacks()).isEmpty();
    assertThat(abilities.lines())
        .containsExactly(
            "policy0    usable: intel_pstate, processors 0, 13 steps of 1.0 to 2.2 GHz, governor"
                + " powersave, by cap",
            "policy1    usable: intel_pstate, processors 1, 13 steps of 1.0 to 2.2 GHz, governor"
                + " powersave, by cap",
            "intel_pstate/no_turbo is 0 and stays so",
            "what remains: clocks and threads");
    ObjectNode json = abilities.json();
    assertThat(json.path("remains").asText()).isEqualTo("clocks-and-threads");
    assertThat(json.path("policies").path(1).path("frequencies_khz")).hasSize(13);
    assertThat(json.path("policies").path(1).path("usable").asBoolean()).isTrue();
    assertThat(fake.kernel.writes).isEmpty();
  }

  @Test
  void whatAMachineLacksIsSaidAndWhatRemainsIsOffered() {
    FakeMachine closed = new FakeMachine(folder.resolve("a"), Kind.ACPI_CPUFREQ, 1);
    closed.kernel.readOnly.add("scaling_governor");
    ClockAbilities readOnly = ClockAbilities.of(closed.machine());
    assertThat(readOnly.remains()).isEqualTo(Remains.THREADS);
    assertThat(readOnly.policies().get(0).lack()).contains("scaling_governor may not be written");
    assertThat(readOnly.lacks().toString()).contains("policy0: scaling_governor", "CAP_SYS_NICE");

    FakeMachine none =
        new FakeMachine(folder.resolve("b"), new FakeTree(folder.resolve("b").resolve("cpu")));
    assertThat(ClockAbilities.of(none.machine()).remains()).isEqualTo(Remains.THREADS);
    assertThat(ClockAbilities.of(none.machine()).lacks().toString())
        .contains("cpufreq is not there")
        .contains("virtual machines mostly have none");

    FakeMachine pinned = new FakeMachine(folder.resolve("c"), Kind.ACPI_WITHOUT_USERSPACE, 1);
    assertThat(ClockAbilities.of(pinned.machine()).lacks().toString())
        .contains("modprobe cpufreq_userspace");

    FakeMachine broken = new FakeMachine(folder.resolve("d"), Kind.ACPI_CPUFREQ, 2);
    broken.tree.put(1, "cpuinfo_max_freq", "fast");
    ClockAbilities half = ClockAbilities.of(broken.machine());
    assertThat(half.policies()).hasSize(1);
    assertThat(half.lacks().toString()).contains("policy1 cannot be read").contains("'fast'");
  }

  @Test
  void processorsAreReadAndWrittenAsTheKernelDoes() {
    assertThat(CpuSet.parse("0-3,8 9\n").toString()).isEqualTo("0-3,8-9");
    assertThat(CpuSet.parse("").isEmpty()).isTrue();
    assertThat(CpuSet.parse("5").cpus()).containsExactly(5);
    assertThat(CpuSet.parse("0-3").without(CpuSet.of(1))).isEqualTo(CpuSet.of(0, 2, 3));
    assertThat(CpuSet.of(0, 9).mask()).containsExactly(1, 2);
    for (String wrong : List.of("a", "3-1", "-1", "1-", "99999999", "70000")) {
      assertThatThrownBy(() -> CpuSet.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
