package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.clock.Restorer.Mode;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners with state folders of their own, on one machine. */
class MachineWideTest {
  private static final long SLOW = 1_200_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeMachine fake;
  private LeaseFolders other;
  private Map<String, String> before;

  @BeforeEach
  void machine() {
    fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    other = fake.elsewhere("other");
    before = fake.tree.saved();
  }

  @Test
  void aSecondOwnerIsRefusedAndToldWhoSinceWhenAndWhichStateFolder() {
    try (MachineLease first = fake.begin();
        MachineLease second = fake.begin(other)) {
      first.clocks(FakeMachine.pair()).set("r", SLOW);
      assertThatThrownBy(() -> second.clocks(Map.of("r", CpuSet.of(1))))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid() + ", a test, since 2")
          .hasMessageContaining("state folder " + folder)
          .hasMessageContaining("policy1")
          .hasMessageNotContaining("{");
      RestoreReport told = restore(other, Mode.FORCE);
      assertThat(told.items()).extracting(Item::state).containsOnly(State.IN_USE);
      assertThat(told.lines().toString()).contains("a test, since 2", "state folder " + folder);
      assertThat(fake.tree.get(1, "scaling_max_freq")).isEqualTo("1200000");
    }
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void whatADeadOwnerLeftIsRestoredFromAnyStateFolder() throws IOException {
    leave();
    RestoreReport dry = new Restorer(fake.machine(), other, Mode.RESTORE, true).restoreAll();
    assertThat(dry.items()).extracting(Item::state).containsOnly(State.WOULD_RESTORE).hasSize(2);
    RestoreReport report = restore(other, Mode.RESTORE);
    assertThat(report.items()).extracting(Item::state).containsOnly(State.RESTORED).hasSize(2);
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(fake.clean()).isTrue();
    assertThat(restore(other, Mode.RESTORE).items()).isEmpty();
    assertThat(fake.restore().items()).isEmpty();
  }

  @Test
  void theNextLeaseWithAnotherStateFolderRestoresItToo() {
    leave();
    try (MachineLease next = fake.begin(other)) {
      next.clocks(FakeMachine.pair());
    }
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void whatSomebodyElseHasChosenSinceRefusesTheNextLeaseWithAnyStateFolder() {
    leave();
    fake.tree.put(1, "scaling_governor", "performance");
    try (MachineLease next = fake.begin(other)) {
      assertThatThrownBy(() -> next.clocks(FakeMachine.pair()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("somebody else chose the governor performance");
    }
    assertThat(restore(other, Mode.FORCE).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void anOwnerOfAnEarlierStartOfTheMachineIsVoid() {
    leave();
    fake.proc.boot("second");
    Map<String, String> now = fake.tree.saved();
    assertThat(restore(other, Mode.RESTORE).items()).isEmpty();
    try (MachineLease next = fake.begin(other)) {
      next.clocks(FakeMachine.pair()).set("r", SLOW);
    }
    assertThat(fake.tree.saved()).isEqualTo(now);
  }

  @Test
  void aStateFolderThatIsGoneIsNoReasonToLeaveClocksLow() throws IOException {
    leave();
    try (Stream<Path> files = Files.list(fake.folders.journals())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    assertThat(restore(other, Mode.RESTORE).items())
        .extracting(Item::state)
        .containsOnly(State.RESTORED)
        .hasSize(2);
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(restore(other, Mode.RESTORE).items()).isEmpty();
  }

  @Test
  void aJournalThatLostItsLinesIsMadeGoodByWhatTheOwnerNoted() throws IOException {
    leave();
    Path journal = fake.folders.all().get(0);
    String whole = Files.readString(journal);
    Files.writeString(journal, whole.substring(0, whole.indexOf('\n') + 1));
    fake.proc.end((int) ProcessHandle.current().pid());
    assertThat(restore(other, Mode.RESTORE).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void aDamagedJournalIsRestoredByWhatTheOwnerNotedWhenForced() throws IOException {
    leave();
    Path journal = fake.folders.all().get(0);
    Files.writeString(journal, Files.readString(journal).replace("BEGUN", "BEG"));
    assertThat(restore(other, Mode.RESTORE).lines().toString())
        .contains("line 3", "governor=powersave min=1200000 max=2000000", "--force");
    assertThat(restore(other, Mode.FORCE).ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
    assertThat(restore(other, Mode.RESTORE).items()).isEmpty();
    assertThat(fake.folders.all()).isEmpty();
  }

  @Test
  void aTreeOfFilesThatIsGoneIsForgotten() throws IOException {
    leave();
    Files.move(fake.tree.root.resolve("cpufreq"), fake.tree.root.resolve("gone"));
    assertThat(restore(other, Mode.RESTORE).items()).isEmpty();
  }

  @Test
  void aFolderThatCannotBeTrustedOrMadeIsRefusedWithTheRemedy() throws IOException {
    Files.createDirectories(fake.folders.owners());
    Map<String, String> open = Map.of("rwxrwxrwx", "anybody", "rwxrwxr-x", "its group");
    for (Map.Entry<String, String> one : open.entrySet()) {
      Files.setPosixFilePermissions(
          fake.folders.owners(), PosixFilePermissions.fromString(one.getKey()));
      for (ThrowingCallable use : List.<ThrowingCallable>of(fake::begin, fake::restore)) {
        assertThatThrownBy(use)
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining(one.getValue() + " may write there")
            .hasMessageContaining("chmod go-w " + fake.folders.owners());
      }
    }

    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> fake.begin(new LeaseFolders(folder, file.resolve("run"))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("be root")
        .hasMessageContaining("sudo install -d -o ");
    assertThat(fake.kernel.writes).isEmpty();
  }

  @Test
  void whatIsLackingToNoteOwnersIsSaidOfClocksAndNothingIsMade() throws IOException {
    Path absent = folder.resolve("absent/run");
    LeaseFolders could = new LeaseFolders(folder, absent);
    assertThat(ClockAbilities.of(fake.machine(), could).json())
        .isEqualTo(ClockAbilities.of(fake.machine()).json());
    assertThat(absent.getParent()).doesNotExist();

    Path file = Files.createFile(folder.resolve("file"));
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
    Map<Path, String> remedies =
        Map.of(file.resolve("run"), "sudo install -d -o ", file, "be root", open, "chmod go-w");
    remedies.forEach(
        (owners, remedy) -> {
          ClockAbilities not = ClockAbilities.of(fake.machine(), new LeaseFolders(folder, owners));
          assertThat(not.remains()).isEqualTo(ClockAbilities.Remains.DRY_RUN);
          assertThat(not.lines()).anyMatch(line -> line.contains(owners + ": "));
          assertThat(not.lacks().toString()).contains(remedy);
        });
  }

  @Test
  void nothingOfAnOwnerIsLeftOnceItsClocksAreAsTheyWere() {
    try (MachineLease lease = fake.begin()) {
      lease.clocks(FakeMachine.pair()).set("r", SLOW);
      assertThat(fake.folders.owners()).isNotEmptyDirectory();
    }
    assertThat(fake.folders.owners()).isEmptyDirectory();
    leave();
    assertThat(restore(other, Mode.RESTORE).ok()).isTrue();
    assertThat(fake.folders.owners()).isEmptyDirectory();
  }

  @Test
  void theOwnerOfThisMachinesClocksIsNotedNowhereElse() {
    assertThatThrownBy(
            () -> fake.folders.requireOwners(Machine.at(Path.of("/sys/devices/system/cpu/."))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("/run/calando")
        .hasMessageContaining("unset CALANDO_RUN");
  }

  private RestoreReport restore(LeaseFolders folders, Mode mode) {
    return new Restorer(fake.machine(), folders, mode, false).restoreAll();
  }

  /** A lease whose process is gone, with a replica that runs slowly. */
  private void leave() {
    MachineLease lease = fake.begin();
    lease.clocks(FakeMachine.pair()).set("r", SLOW);
    lease.abandon();
  }
}
