package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.PolicyOutcome.Result;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeasedClocksTest {
  private static final long SLOW = 1_200_000;
  private static final long MIDDLE = 1_600_000;
  private static final long FAST = 2_200_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  @ParameterizedTest
  @EnumSource(names = {"ACPI_CPUFREQ", "INTEL_PASSIVE", "AMD_PASSIVE", "CPPC"})
  void aGovernorThatObeysIsToldTheClockAfterTheLimitsAreWideOpen(Kind kind) throws IOException {
    assertThat(writes(kind))
        .containsExactly(
            // taken
            "scaling_max_freq=2200000",
            "scaling_min_freq=1000000",
            "scaling_governor=userspace",
            "scaling_setspeed=2200000",
            // set
            "scaling_setspeed=1200000",
            "scaling_setspeed=1600000",
            // given back: never below its lower limit, and never without limits
            "scaling_min_freq=1200000",
            "scaling_max_freq=2000000",
            "scaling_governor=schedutil");
  }

  @ParameterizedTest
  @EnumSource(names = {"INTEL_ACTIVE", "AMD_ACTIVE"})
  void aProcessorThatChoosesItsClockItselfIsCappedAndItsGovernorStays(Kind kind)
      throws IOException {
    assertThat(writes(kind))
        .containsExactly(
            "scaling_max_freq=2200000",
            "scaling_min_freq=1000000",
            "scaling_max_freq=2200000",
            "scaling_max_freq=1200000",
            "scaling_max_freq=1600000",
            "scaling_max_freq=2000000",
            "scaling_min_freq=1200000");
  }

  @Test
  void whereNoGovernorObeysBothLimitsAreTheClockAndNeverCross() throws IOException {
    assertThat(writes(Kind.ACPI_WITHOUT_USERSPACE))
        .containsExactly(
            "scaling_max_freq=2200000",
            "scaling_min_freq=1000000",
            "scaling_min_freq=2200000",
            "scaling_max_freq=2200000",
            // lower: the lower limit first
            "scaling_min_freq=1200000",
            "scaling_max_freq=1200000",
            // raise: the upper limit first
            "scaling_max_freq=1600000",
            "scaling_min_freq=1600000",
            "scaling_max_freq=2000000",
            "scaling_min_freq=1200000");
  }

  /** Writes of a lease of one policy at FAST, SLOW and MIDDLE, which must be as before then. */
  private List<String> writes(Kind kind) throws IOException {
    FakeMachine fake = new FakeMachine(folder, kind, 1);
    Map<String, String> before = fake.tree.saved();
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
      assertThat(clocks.kiloHertz("n")).isEqualTo(FAST);
      for (long wanted : List.of(FAST, SLOW, SLOW, MIDDLE)) {
        ClockOutcome outcome = clocks.set("n", wanted);
        assertThat(outcome.ok()).as(outcome.faults()).isTrue();
        assertThat(outcome.kiloHertz()).isEqualTo(wanted).isEqualTo(clocks.kiloHertz("n"));
      }
    }
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.tree.get(0, "scaling_setspeed")).isEqualTo("<unsupported>");
    assertThat(fake.clean()).isTrue();
    return fake.kernel.writes.stream().map(write -> write.substring("policy0/".length())).toList();
  }

  @Test
  void aClockThatUserspaceHadBeforeIsRestoredToo() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 1);
    fake.tree.put(0, "scaling_governor", "userspace").put(0, "scaling_setspeed", "1400000");
    try (MachineLease lease = fake.begin()) {
      lease.clocks(Map.of("n", CpuSet.of(0))).set("n", SLOW);
      assertThat(fake.tree.get(0, "scaling_setspeed")).isEqualTo("1200000");
    }
    assertThat(fake.tree.get(0, "scaling_setspeed")).isEqualTo("1400000");
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aClockBetweenTwoIsTheNextHigherAndOneAboveAllTheHighest() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 1);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
      assertThat(clocks.set("n", 1_500_000).kiloHertz()).isEqualTo(MIDDLE);
      assertThat(clocks.set("n", 9_000_000).kiloHertz()).isEqualTo(FAST);
      assertThat(clocks.set("n", 1).kiloHertz()).isEqualTo(FakeTree.MIN);
    }
  }

  @Test
  void theFastestOfThoseThatShareAPolicyWinsAndTheOthersAreTold() {
    FakeTree tree =
        new FakeTree(folder.resolve("cpu"))
            .policy(0, Kind.ACPI_CPUFREQ, "0 1")
            .policy(2, Kind.ACPI_CPUFREQ, "2 3");
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.core(cpu, String.valueOf(cpu));
    }
    FakeMachine fake = new FakeMachine(folder, tree);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks =
          lease.clocks(Map.of("m", CpuSet.of(0), "r", CpuSet.of(1), "s", CpuSet.of(2, 3)));
      assertThat(clocks.conflicts()).containsExactly(Set.of("m", "r"));

      // m was not told yet, and counts as fast
      assertThat(clocks.set("r", SLOW).heldBy()).containsExactly("m");
      assertThat(clocks.kiloHertz("r")).isEqualTo(FAST);
      assertThat(clocks.set("m", MIDDLE).heldBy()).isEmpty();
      assertThat(clocks.kiloHertz("r")).isEqualTo(MIDDLE);
      assertThat(clocks.set("s", SLOW).kiloHertz()).isEqualTo(SLOW);

      // fail-over: r becomes the master
      clocks.set("r", FAST);
      assertThat(clocks.set("m", SLOW).heldBy()).containsExactly("r");
      assertThat(clocks.kiloHertz("m")).isEqualTo(FAST);
    }
  }

  @Test
  void processorsOfOneCoreHaveOneClockAlsoWhereEachHasAPolicy() {
    FakeTree tree = FakeTree.of(folder.resolve("cpu"), Kind.INTEL_ACTIVE, 4);
    tree.core(0, "0,2").core(2, "0,2").core(1, "1,3").core(3, "1,3");
    FakeMachine fake = new FakeMachine(folder, tree);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks =
          lease.clocks(Map.of("m", CpuSet.of(0), "r", CpuSet.of(2), "s", CpuSet.of(1)));
      clocks.set("m", FAST);
      ClockOutcome outcome = clocks.set("r", SLOW);
      assertThat(outcome.heldBy()).containsExactly("m");
      assertThat(outcome.policies())
          .extracting(PolicyOutcome::policy)
          .containsExactly("policy0", "policy2");
      assertThat(clocks.set("s", SLOW).kiloHertz()).isEqualTo(SLOW);
      // its sibling, on which nobody runs, would keep the core fast
      assertThat(fake.tree.get(3, "scaling_max_freq")).isEqualTo("1200000");
    }
  }

  @Test
  void aRefusedClockIsToldWithItsFileAndTheOthersAreSet() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0, 1)));
      fake.kernel.refuse.add("policy0/scaling_setspeed");
      ClockOutcome outcome = clocks.set("n", SLOW);
      assertThat(outcome.ok()).isFalse();
      assertThat(outcome.faults())
          .contains(fake.tree.folder(0).resolve("scaling_setspeed").toString())
          .contains("1200000")
          .contains("Invalid argument");
      assertThat(outcome.policies())
          .extracting(PolicyOutcome::result)
          .containsExactly(Result.REFUSED, Result.SET);
      assertThat(outcome.policies().get(0).readKHz()).isEqualTo(FAST);

      // the next look sets it as soon as it can be
      fake.kernel.refuse.clear();
      assertThat(clocks.verify())
          .extracting(Drift::words)
          .containsExactly("policy0: set, after it could not be set before");
      assertThat(fake.tree.get(0, "scaling_setspeed")).isEqualTo("1200000");
      assertThat(clocks.verify()).isEmpty();
    }
  }

  @Test
  void aClockThatTheHardwareDoesNotKeepCountsAsWhatItIs() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 1);
    MachineLease lease = fake.begin();
    LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
    clocks.set("n", SLOW);
    fake.kernel.ceiling.put("policy0", 1_800_000L);
    ClockOutcome outcome = clocks.set("n", FAST);
    assertThat(outcome.ok()).isFalse();
    assertThat(outcome.policies())
        .extracting(PolicyOutcome::result)
        .containsExactly(Result.CHANGED);
    assertThat(outcome.faults()).isEqualTo("policy0 took 2200000 kHz and reads back 1800000");
    assertThat(outcome.kiloHertz()).isEqualTo(1_800_000);
    lease.close();
  }

  @Test
  void whatSomebodyElseChangesIsToldOnceAChangeAndSetAgain() {
    FakeMachine fake = new FakeMachine(folder, Kind.CPPC, 2);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(FakeMachine.pair());
      clocks.set("r", SLOW);
      assertThat(clocks.verify()).isEmpty();
      for (long other : List.of(1_900_000L, 1_800_000L, 1_800_000L)) {
        fake.tree.put(1, "scaling_setspeed", "" + other);
        assertThat(clocks.verify())
            .extracting(Drift::what, Drift::from, Drift::to, Drift::then)
            .containsExactly(
                tuple("policy1", "setspeed=" + SLOW, "setspeed=" + other, "set again"));
        assertThat(fake.tree.get(1, "scaling_setspeed")).isEqualTo("1200000");
        assertThat(clocks.verify()).isEmpty();
      }
    }
  }

  @Test
  void aLimitOrAGovernorThatSomebodyElseSetsIsToldOnceAndStays() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(FakeMachine.pair());
      clocks.set("r", SLOW);
      fake.tree.put(1, "scaling_governor", "performance").put(1, "scaling_min_freq", "1100000");
      assertThat(clocks.verify())
          .extracting(Drift::words)
          .containsExactly(
              "policy1 was changed from governor=powersave min=1000000 to governor=performance"
                  + " min=1100000, not by its owner: the clock is set, the rest is left as it is");
      assertThat(clocks.verify()).isEmpty();
      assertThat(fake.tree.get(1, "scaling_governor")).isEqualTo("performance");
      fake.tree.put(1, "scaling_governor", "powersave").put(1, "scaling_min_freq", "1000000");
      assertThat(clocks.verify()).extracting(Drift::to).hasSize(1);
    }
  }

  @Test
  void aGovernorThatTakesNoClockIsToldOnceAndTheClockIsSetOnceItObeysAgain() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(FakeMachine.pair());
      clocks.set("r", SLOW);
      fake.tree.put(1, "scaling_governor", "performance");
      List<Drift> told = clocks.verify();
      assertThat(told).extracting(Drift::what).containsExactly("policy1");
      assertThat(told.get(0).from()).contains("governor=userspace");
      assertThat(told.get(0).to()).contains("governor=performance");
      assertThat(told.get(0).then()).contains("scaling_setspeed does not take 1200000");
      assertThat(clocks.verify()).isEmpty();
      fake.tree.put(1, "scaling_governor", "userspace");
      assertThat(clocks.verify()).hasSize(1);
      assertThat(fake.tree.get(1, "scaling_setspeed")).isEqualTo("1200000");
      assertThat(clocks.verify()).isEmpty();
    }
  }

  @Test
  void aCapOfHeatIsToldWhenItComesAndWhenItGoesAndNotInEachLook() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 1);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
      fake.kernel.ceiling.put("policy0", 1_800_000L);
      assertThat(clocks.verify())
          .extracting(Drift::words)
          .containsExactly(
              "policy0 was changed from max=2200000 to max=1800000, not by its owner: policy0 took"
                  + " 2200000 kHz and reads back 1800000");
      assertThat(clocks.verify()).isEmpty();
      assertThat(clocks.verify()).isEmpty();
      fake.kernel.ceiling.clear();
      assertThat(clocks.verify())
          .extracting(Drift::from, Drift::to)
          .containsExactly(tuple("max=1800000", "max=2200000"));
      assertThat(clocks.verify()).isEmpty();
    }
  }

  @Test
  void aPolicyThatIsGoneIsToldAndTheLeaseStaysOpenUntilItIsBack() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    Map<String, String> before = fake.tree.saved();
    MachineLease lease = fake.begin();
    LeasedClocks clocks = lease.clocks(FakeMachine.pair());
    fake.tree.vanish(1);
    assertThat(clocks.set("r", SLOW).policies())
        .extracting(PolicyOutcome::result)
        .containsExactly(Result.GONE);
    assertThatThrownBy(lease::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("policy1")
        .hasMessageContaining("is gone");
    assertThat(fake.restore().ok()).isFalse();

    fake.tree.comeBack(1);
    assertThat(fake.restore().ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aSecondOwnerIsRefusedAndToldWhoHasTheClock() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    try (MachineLease first = fake.begin();
        MachineLease second = fake.begin()) {
      first.clocks(Map.of("m", CpuSet.of(0)));
      assertThatThrownBy(() -> second.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("a test")
          .hasMessageContaining("policy0");
      second.clocks(Map.of("r", CpuSet.of(1)));
    }
  }

  @Test
  void processorsWithoutAClockAreRefused() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    try (MachineLease lease = fake.begin()) {
      assertThatThrownBy(() -> lease.clocks(Map.of("n", CpuSet.of(1, 5))))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("node n")
          .hasMessageContaining("processors 5");
      assertThatThrownBy(() -> lease.clocks(Map.of("n", CpuSet.none())))
          .hasMessageContaining("no processor");
    }
    assertThat(fake.kernel.writes).isEmpty();
  }

  @Test
  void aMachineThatRefusesTheLeaseIsAsItWas() throws IOException {
    for (String refused : List.of("scaling_min_freq", "scaling_governor", "scaling_setspeed")) {
      FakeMachine fake = new FakeMachine(folder.resolve(refused), Kind.ACPI_CPUFREQ, 2);
      Map<String, String> before = fake.tree.saved();
      fake.kernel.refuse.add("policy1/" + refused);
      try (MachineLease lease = fake.begin()) {
        assertThatThrownBy(() -> lease.clocks(FakeMachine.pair()))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining(refused);
        assertThat(fake.tree.get(0, "scaling_governor")).isEqualTo("schedutil");
        // given back: another may have it
        lease.clocks(Map.of("m", CpuSet.of(0)));
        fake.kernel.refuse.clear();
        lease.clocks(Map.of("r", CpuSet.of(1)));
      }
      assertThat(fake.tree.saved()).isEqualTo(before);
      assertThat(fake.clean()).isTrue();
    }
  }

  @Test
  void nothingIsWrittenAnyMoreOnceTheLeaseHasEnded() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    Map<String, String> before = fake.tree.saved();
    MachineLease lease = fake.begin();
    LeasedClocks clocks = lease.clocks(FakeMachine.pair());
    lease.close();
    ClockOutcome outcome = clocks.set("r", SLOW);
    assertThat(outcome.ok()).isFalse();
    assertThat(outcome.faults()).isEqualTo("policy1: the lease has ended");
    assertThat(clocks.verify()).isEmpty();
    assertThatThrownBy(() -> lease.clocks(FakeMachine.pair()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(fake.tree.saved()).isEqualTo(before);
    lease.close();
  }

  @Test
  void aDryRunTellsWhatItWouldWriteAndWritesNothingAlsoWithoutAnyClock() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    List<String> told = new ArrayList<>();
    LeasedClocks clocks = LeasedClocks.dryRun(fake.machine(), FakeMachine.pair(), told::add);
    assertThat(clocks.set("r", SLOW).kiloHertz()).isEqualTo(SLOW);
    assertThat(told)
        .containsExactly(
            "would write 1200000 to " + fake.tree.folder(1).resolve("scaling_max_freq"));
    assertThat(fake.kernel.writes).isEmpty();

    FakeMachine none = new FakeMachine(folder.resolve("none"), new FakeTree(folder.resolve("n")));
    LeasedClocks nothing = LeasedClocks.dryRun(none.machine(), FakeMachine.pair(), told::add);
    assertThat(nothing.set("r", SLOW).policies()).isEmpty();
  }
}
