package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.calando.clock.FakeTree.Kind;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heat, firmware and a busy kernel beside a lease: what was asked for before is so again. */
class CapsTest {
  private static final long SLOW = 1_400_000;
  private static final long CAP = 1_600_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  @Test
  void aLimitThatHeatOrFirmwareHidesIsNeverTakenForTheFormerOne() {
    FakeMachine fake = machine(Kind.INTEL_ACTIVE);
    Map<String, String> before = fake.kernel.asked(fake.tree);
    fake.kernel.ceiling.put("policy0", CAP);
    fake.tree.cooling(2);
    assertRefused(fake, "cooling_device3");

    fake.tree.cooling(0).put(0, "bios_limit", String.valueOf(CAP));
    assertRefused(fake, "bios_limit");
    assertThat(fake.kernel.writes).isEmpty();

    // a limit below the cap is seen
    fake.tree.put(0, "scaling_max_freq", "1500000");
    Map<String, String> lower = fake.kernel.asked(fake.tree);
    holdAndClose(fake);
    assertThat(fake.kernel.asked(fake.tree)).isEqualTo(lower).isNotEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"ACPI_CPUFREQ", "INTEL_ACTIVE", "ACPI_WITHOUT_USERSPACE"})
  void aCapThatComesWhileHeldIsNoReasonToLeaveAnything(Kind kind) {
    for (long cap : new long[] {1_100_000, CAP, 2_000_000}) {
      FakeMachine fake = new FakeMachine(folder.resolve("" + cap), kind, 1);
      Map<String, String> before = fake.kernel.asked(fake.tree);
      MachineLease lease = fake.begin();
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
      fake.kernel.ceiling.put("policy0", cap);
      clocks.verify();
      lease.close();
      assertThat(fake.kernel.asked(fake.tree)).as("under %s", cap).isEqualTo(before);
      fake.kernel.ceiling.clear();

      MachineLease killed = fake.begin();
      killed.clocks(Map.of("n", CpuSet.of(0))).set("n", SLOW);
      killed.abandon();
      fake.kernel.ceiling.put("policy0", cap);
      assertThat(fake.restore().items())
          .as("under %s", cap)
          .extracting(RestoreReport.Item::state)
          .containsExactly(RestoreReport.State.RESTORED);
      assertThat(fake.restore().items()).isEmpty();
      assertThat(fake.kernel.asked(fake.tree)).as("under %s", cap).isEqualTo(before);
    }
  }

  @Test
  void aClockThatUserspaceWasToldIsStillOursWhenACapHoldsItDown() {
    FakeMachine fake = machine(Kind.ACPI_CPUFREQ);
    fake.tree.put(0, "scaling_governor", "userspace").put(0, "scaling_setspeed", "1800000");
    Map<String, String> before = fake.kernel.asked(fake.tree);
    MachineLease lease = fake.begin();
    lease.clocks(Map.of("n", CpuSet.of(0)));
    lease.abandon();
    fake.kernel.ceiling.put("policy0", CAP);
    assertThat(fake.restore().ok()).isTrue();
    assertThat(fake.kernel.asked(fake.tree)).isEqualTo(before);
  }

  @Test
  void withTurboSwitchedOffTheHardwaresLimitGoesBack() {
    FakeMachine fake = machine(Kind.INTEL_ACTIVE);
    fake.tree.put(0, "scaling_max_freq", String.valueOf(FakeTree.MAX));
    Map<String, String> before = fake.kernel.asked(fake.tree);
    fake.kernel.ceiling.put("policy0", CAP);
    holdAndClose(fake);
    assertThat(fake.kernel.asked(fake.tree)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitsThatCrossBehindACapAreSetInTheOtherOrder(boolean refusesCrossing) {
    FakeMachine fake = machine(Kind.ACPI_WITHOUT_USERSPACE);
    fake.kernel.refusesCrossing = refusesCrossing;
    Map<String, String> before = fake.kernel.asked(fake.tree);
    try (MachineLease lease = fake.begin()) {
      LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
      clocks.set("n", 2_000_000);
      fake.kernel.ceiling.put("policy0", CAP);
      assertThat(clocks.set("n", 1_800_000).kiloHertz()).isEqualTo(CAP);
      fake.kernel.ceiling.clear();
      assertThat(fake.kernel.asked(fake.tree).get("policy0")).startsWith("1800000 to 1800000");
    }
    assertThat(fake.kernel.asked(fake.tree)).isEqualTo(before);
  }

  @Test
  void aKernelThatIsBusyForAMomentIsAskedAgain() {
    FakeMachine fake = machine(Kind.ACPI_CPUFREQ);
    Map<String, String> before = fake.kernel.asked(fake.tree);
    MachineLease lease = fake.begin();
    fake.kernel.busy = 3;
    LeasedClocks clocks = lease.clocks(Map.of("n", CpuSet.of(0)));
    fake.kernel.busy = 3;
    assertThat(clocks.set("n", SLOW).ok()).isTrue();
    fake.kernel.busy = 3;
    lease.close();
    assertThat(fake.kernel.asked(fake.tree)).isEqualTo(before);
  }

  private FakeMachine machine(Kind kind) {
    return new FakeMachine(folder, kind, 1);
  }

  private static void assertRefused(FakeMachine fake, String why) {
    try (MachineLease lease = fake.begin()) {
      assertThatThrownBy(() -> lease.clocks(Map.of("n", CpuSet.of(0))))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("policy0")
          .hasMessageContaining(why)
          .hasMessageContaining("wait until it is lifted");
    }
  }

  private static void holdAndClose(FakeMachine fake) {
    try (MachineLease lease = fake.begin()) {
      lease.clocks(Map.of("n", CpuSet.of(0))).set("n", SLOW);
    }
  }
}
