package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.KnobOwner;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestorerTest {
  private static final long SLOW = 1_400_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  @ParameterizedTest
  @EnumSource(names = {"ACPI_CPUFREQ", "INTEL_ACTIVE", "ACPI_WITHOUT_USERSPACE"})
  void whereverAnOwnerIsKilledAllIsRestoredExactly(Kind kind) throws IOException {
    int kills = 0;
    for (int after = 0; ; after++) {
      FakeMachine fake = new FakeMachine(folder.resolve("" + after), kind, 1);
      Map<String, String> before = fake.tree.saved();
      fake.kernel.killAfter = after;
      if (!isKilled(fake)) {
        break;
      }
      kills++;
      fake.kernel.killAfter = Integer.MAX_VALUE;
      assertThat(fake.restore().ok()).as("killed after %s writes", after).isTrue();
      assertThat(fake.tree.saved()).as("killed after %s writes", after).isEqualTo(before);
      assertThat(fake.clean()).isTrue();
    }
    assertThat(kills).isGreaterThanOrEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource(names = {"ACPI_CPUFREQ", "INTEL_ACTIVE", "ACPI_WITHOUT_USERSPACE"})
  void aRestorationThatIsKilledIsFinishedByTheNext(Kind kind) throws IOException {
    int kills = 0;
    boolean killed = true;
    for (int after = 0; killed; after++) {
      FakeMachine fake = new FakeMachine(folder.resolve("" + after), kind, 1);
      Map<String, String> before = fake.tree.saved();
      leave(fake, Map.of("r", CpuSet.of(0)));
      fake.kernel.killAfter = fake.kernel.writes.size() + after;
      try {
        fake.restore();
        killed = false;
      } catch (FakeKernel.Killed gone) {
        kills++;
      }
      fake.kernel.killAfter = Integer.MAX_VALUE;
      assertThat(fake.restore().ok()).as("killed after %s writes", after).isTrue();
      assertThat(fake.tree.saved()).as("killed after %s writes", after).isEqualTo(before);
      assertThat(fake.clean()).isTrue();
    }
    assertThat(kills).isGreaterThanOrEqualTo(2);
  }

  /** Nobody wrote what a cap shows of the former limit, once a restoration has written that. */
  @Test
  void aFormerLimitThatReadsLowerUnderACapIsOurs() throws IOException {
    int kills = 0;
    boolean killed = true;
    for (int after = 0; killed; after++) {
      FakeMachine fake = new FakeMachine(folder.resolve("" + after), Kind.INTEL_ACTIVE, 1);
      Map<String, String> before = fake.kernel.asked(fake.tree);
      leave(fake, Map.of("r", CpuSet.of(0)));
      fake.kernel.ceiling.put("policy0", SLOW + 100_000);
      fake.kernel.killAfter = fake.kernel.writes.size() + after;
      try {
        fake.restore();
        killed = false;
      } catch (FakeKernel.Killed gone) {
        kills++;
      }
      fake.kernel.killAfter = Integer.MAX_VALUE;
      RestoreReport report = fake.restore();
      assertThat(report.ok()).as("killed after %s writes: %s", after, report.lines()).isTrue();
      assertThat(fake.kernel.asked(fake.tree)).as("after %s writes", after).isEqualTo(before);
      assertThat(fake.clean()).isTrue();
    }
    assertThat(kills).isGreaterThanOrEqualTo(2);
  }

  /** A lease that ends with the writes that the kernel takes, as if the process did. */
  private static boolean isKilled(FakeMachine fake) {
    MachineLease lease = fake.begin();
    try {
      LeasedClocks clocks = lease.clocks(Map.of("r", CpuSet.of(0)));
      clocks.set("r", SLOW);
      clocks.set("r", 1_600_000);
      lease.close();
      return false;
    } catch (FakeKernel.Killed killed) {
      return true;
    } finally {
      lease.abandon();
    }
  }

  @Test
  void restoringAgainFindsNothing() throws IOException {
    FakeMachine fake = left(Kind.ACPI_CPUFREQ);
    assertThat(fake.restore().items())
        .extracting(Item::state)
        .containsExactly(State.RESTORED, State.RESTORED);
    int writes = fake.kernel.writes.size();
    assertThat(fake.restore().items()).isEmpty();
    assertThat(fake.restore().lines()).containsExactly("nothing to restore");
    assertThat(fake.kernel.writes).hasSize(writes);
  }

  @Test
  void aDryRunTellsHowItWasAndChangesNothing() {
    FakeMachine fake = left(Kind.ACPI_CPUFREQ);
    Map<String, String> now = fake.tree.saved();
    RestoreReport report =
        new Restorer(fake.machine(), fake.folders, Restorer.Mode.RESTORE, true).restoreAll();
    assertThat(report.items()).extracting(Item::state).containsOnly(State.WOULD_RESTORE);
    assertThat(report.lines())
        .contains(
            "would restore cpufreq "
                + fake.tree.folder(0)
                + ": governor=schedutil min=1200000 max=2000000 setspeed=none");
    assertThat(fake.tree.saved()).isEqualTo(now);
    assertThat(fake.restore().items()).extracting(Item::state).containsOnly(State.RESTORED);
  }

  @Test
  void whatSomebodyElseHasChosenStaysAndIsToldUnlessForced() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    Map<String, String> before = fake.tree.saved();
    leave(fake);
    fake.tree.put(1, "scaling_governor", "performance");
    RestoreReport report = fake.restore();
    assertThat(report.ok()).isFalse();
    assertThat(report.items().toString())
        .contains("somebody else chose the governor performance, it was schedutil");
    assertThat(report.json().path("knobs")).hasSize(2);
    assertThat(fake.tree.get(0, "scaling_governor")).isEqualTo("schedutil");
    assertThat(fake.tree.get(1, "scaling_governor")).isEqualTo("performance");
    // the limits were as Calando left them
    assertThat(fake.tree.get(1, "scaling_max_freq")).isEqualTo("2000000");

    assertThat(fake.restore(Restorer.Mode.FORCE).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aCapThatSomebodyElseRaisedStaysAndOneThatIsLowerIsRestored() throws IOException {
    FakeMachine fake = left(Kind.INTEL_ACTIVE);
    fake.tree.put(1, "scaling_max_freq", "1900000");
    assertThat(fake.restore().items().toString())
        .contains("somebody else set the upper limit to 1900000, it was 2000000");
    assertThat(fake.tree.get(1, "scaling_max_freq")).isEqualTo("1900000");
    fake.restore(Restorer.Mode.GIVE_UP);
    assertThat(fake.clean()).isTrue();

    // a hot machine's limit: ours is behind it, and would keep the processor slow for ever
    FakeMachine hot = new FakeMachine(folder.resolve("hot"), Kind.INTEL_ACTIVE, 2);
    Map<String, String> before = hot.tree.saved();
    leave(hot);
    hot.tree.put(1, "scaling_max_freq", "1100000");
    assertThat(hot.restore().ok()).isTrue();
    assertThat(hot.tree.saved()).isEqualTo(before);
  }

  @Test
  void whatIsGivenUpStaysAsItIs() throws IOException {
    FakeMachine fake = left(Kind.ACPI_CPUFREQ);
    Map<String, String> now = fake.tree.saved();
    assertThat(fake.restore(Restorer.Mode.GIVE_UP).items())
        .extracting(Item::state)
        .containsOnly(State.GIVEN_UP);
    assertThat(fake.tree.saved()).isEqualTo(now);
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void afterTheMachineHasStartedAnewNothingIsWritten() throws IOException {
    FakeMachine fake = left(Kind.ACPI_CPUFREQ);
    int writes = fake.kernel.writes.size();
    fake.proc.boot("second");
    RestoreReport report = fake.restore();
    assertThat(report.ok()).isTrue();
    assertThat(report.items())
        .extracting(Item::detail)
        .containsOnly("the machine has restarted since");
    assertThat(fake.kernel.writes).hasSize(writes);
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aRefusedRestorationStaysInTheJournalUntilItSucceeds() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    Map<String, String> before = fake.tree.saved();
    leave(fake);
    fake.kernel.refuse.add("policy1/scaling_governor");
    RestoreReport report = fake.restore();
    assertThat(report.items())
        .extracting(Item::state)
        .containsExactlyInAnyOrder(State.LEFT, State.RESTORED);
    assertThat(report.lines().toString()).contains("scaling_governor does not take schedutil");
    fake.kernel.refuse.clear();
    assertThat(fake.restore().items()).extracting(Item::state).containsExactly(State.RESTORED);
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void theLeaseOfAProcessThatLivesIsLeftAlone() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    try (MachineLease lease = fake.begin()) {
      lease.clocks(FakeMachine.pair()).set("r", SLOW);
      assertThat(fake.restore(Restorer.Mode.FORCE).items())
          .extracting(Item::state)
          .containsExactly(State.IN_USE);
      assertThat(fake.tree.get(1, "scaling_setspeed")).isEqualTo("1400000");
    }
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void theNextLeaseRestoresWhatTheLastLeftBeforeItLooks() throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    Map<String, String> before = fake.tree.saved();
    leave(fake);
    try (MachineLease next = fake.begin()) {
      next.clocks(FakeMachine.pair());
    }
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.clean()).isTrue();

    leave(fake);
    fake.tree.put(0, "scaling_governor", "powersave");
    try (MachineLease next = fake.begin()) {
      assertThatThrownBy(() -> next.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("powersave")
          .hasMessageContaining("calando restore");
    }
  }

  @Test
  void aFileThatIsNoJournalIsToldAndDoesNotKeepTheOthersFromBeingRestored() throws IOException {
    FakeMachine fake = left(Kind.ACPI_CPUFREQ);
    Path foreign = fake.folders.journals().resolve("clock-1-1-1.journal");
    Files.writeString(foreign, "no journal\n");
    RestoreReport report = fake.restore();
    assertThat(report.items())
        .extracting(Item::state)
        .containsExactly(State.LEFT, State.RESTORED, State.RESTORED);
    assertThat(report.lines().toString()).contains("clock-1-1-1.journal").contains("line 1");
    assertThat(foreign).hasContent("no journal");
  }

  @Test
  void aDamagedJournalIsNeverReadAsNothingToRestore() throws IOException {
    FakeMachine fake = left(Kind.INTEL_ACTIVE);
    Map<String, String> low = fake.tree.saved();
    Path journal = fake.folders.all().get(0);
    String whole = Files.readString(journal);
    Files.writeString(journal, whole.replaceFirst("\"plan\":1", "\"pl"));
    try (MachineLease next = fake.begin()) {
      assertThatThrownBy(() -> next.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is not as it was before an earlier lease")
          .hasMessageContaining(journal + ", line 2")
          .hasMessageContaining("calando restore --force");
    }
    assertThat(fake.tree.saved()).isEqualTo(low);
    RestoreReport told = fake.restore();
    assertThat(told.ok()).isFalse();
    assertThat(told.lines().toString())
        .contains("line 2", "its owner recorded: governor=powersave min=1200000 max=2000000");

    assertThat(fake.restore(Restorer.Mode.GIVE_UP).items())
        .extracting(Item::state)
        .containsOnly(State.GIVEN_UP);
    assertThat(fake.folders.all()).isEmpty();
    assertThat(journal.resolveSibling(journal.getFileName() + ".damaged")).exists();
    try (MachineLease next = fake.begin()) {
      next.clocks(FakeMachine.pair());
    }
    assertThat(fake.tree.saved()).isEqualTo(low);
  }

  @Test
  void aDamagedJournalOfWhichNoOwnerNotedAnythingIsToldAndTheNextLeaseRefused() throws IOException {
    FakeMachine fake = left(Kind.INTEL_ACTIVE);
    Map<String, String> low = fake.tree.saved();
    Path journal = fake.folders.all().get(0);
    Files.writeString(journal, "no journal\n");
    for (Path note : KnobOwner.files(fake.folders.owners())) {
      Files.delete(note);
    }
    try (MachineLease next = fake.begin()) {
      assertThatThrownBy(() -> next.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the present ones are not taken for them")
          .hasMessageContaining(journal + ", line 1")
          .hasMessageContaining("by hand (cpufreq/policy*/scaling_*)");
    }
    assertThat(fake.restore(Restorer.Mode.FORCE).ok()).isFalse();
    assertThat(fake.restore(Restorer.Mode.GIVE_UP).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(low);
  }

  @Test
  void aDamagedJournalOfKnobsOfClustersSpeaksOfNoClocks() throws IOException {
    LeaseFolders clusters = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2).folders.ofClusters();
    Files.createDirectories(clusters.journals());
    Files.writeString(clusters.newJournal(1, 1), "no journal\n");
    RestoreReport report =
        new Restorer(Machine.real(), clusters, Restorer.Mode.RESTORE, false).restoreAll();
    assertThat(report.ok()).isFalse();
    assertThat(report.lines().toString())
        .contains("set the knobs that it names by hand, then ./calando restore --abandon")
        .doesNotContain("limits");
  }

  @Test
  void aDamagedJournalOfAnEarlierStartOfTheMachineIsVoid() throws IOException {
    FakeMachine fake = left(Kind.INTEL_ACTIVE);
    Files.writeString(fake.folders.all().get(0), "no journal\n");
    fake.proc.boot("second");
    try (MachineLease next = fake.begin()) {
      next.clocks(FakeMachine.pair());
    }
    assertThat(fake.restore().items()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast 1400000", "9999999999999999999 1", "", "1400000"})
  void damagedNotesOfWhatWasLastWrittenAreToldAndForceGoesOnWithoutThem(String record)
      throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    Map<String, String> before = fake.tree.saved();
    leave(fake);
    Path notes = LastWritten.beside(fake.folders.all().get(0));
    String whole = Files.readString(notes);
    // the head is 128 bytes, each record 42
    Files.writeString(
        notes, record.isEmpty() ? "boot" : whole.substring(0, 128 + 42) + record + "\n");
    RestoreReport report = fake.restore();
    assertThat(report.items()).extracting(Item::state).containsOnly(State.LEFT).hasSize(2);
    assertThat(report.lines().toString())
        .contains(notes.toString(), "the file is damaged", "restore --force");
    try (MachineLease next = fake.begin()) {
      assertThatThrownBy(() -> next.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(notes.toString());
    }
    assertThat(fake.restore(Restorer.Mode.FORCE).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aLeaseThatCannotBeClosedSaysWhatIsLeftAndHowToRestoreIt() {
    FakeMachine fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 2);
    MachineLease lease = fake.begin();
    lease.clocks(FakeMachine.pair());
    fake.kernel.refuse.add("policy0/scaling_max_freq");
    assertThatThrownBy(lease::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("policy0")
        .hasMessageContaining("calando restore");
    fake.kernel.refuse.clear();
    assertThat(fake.restore().items()).extracting(Item::state).isEqualTo(List.of(State.RESTORED));
  }

  private FakeMachine left(Kind kind) {
    FakeMachine fake = new FakeMachine(folder, kind, 2);
    leave(fake);
    return fake;
  }

  /** A lease whose process is gone, with a replica that runs slowly. */
  private static void leave(FakeMachine fake) {
    leave(fake, FakeMachine.pair());
  }

  private static void leave(FakeMachine fake, Map<String, CpuSet> nodes) {
    MachineLease lease = fake.begin();
    lease.clocks(nodes).set("r", SLOW);
    lease.abandon();
  }
}
