package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.KnobOwner;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed byte of what a lease noted is found, and never restored from. */
class DamageTest {
  @TempDir(factory = MemoryFolder.class)
  Path folder;

  @Test
  void aChangedDigitOfAJournalRestoresNoWrongLimit() throws IOException {
    FakeMachine fake = left();
    Map<String, String> low = fake.tree.saved();
    Path journal = fake.folders.all().get(0);
    String whole = Files.readString(journal);
    Files.writeString(journal, whole.replaceAll("max=2000000", "max=2100000"));
    RestoreReport report = fake.restore();
    assertThat(report.ok()).isFalse();
    assertThat(report.lines().toString())
        .contains(journal + ", line 2", "its checksum is", "its owner recorded: ", "max=2000000");
    assertThat(fake.tree.saved()).isEqualTo(low);
  }

  @Test
  void aChangedDigitOfAnOwnersNoteRestoresNoWrongLimitAndTheJournalHelpsOnceItIsRemoved()
      throws IOException {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    Map<String, String> before = fake.tree.saved();
    leave(fake);
    Map<String, String> low = fake.tree.saved();
    Path note = KnobOwner.file(fake.folders.owners(), "cpufreq", fake.tree.folder(1).toString());
    Files.writeString(note, Files.readString(note).replace("max=2000000", "max=2100000"));
    RestoreReport report = fake.restore();
    assertThat(report.items()).extracting(Item::state).contains(State.LEFT, State.RESTORED);
    assertThat(report.lines().toString())
        .contains(note + ", line 2", "its checksum is", "remove the file, and ./calando restore");
    assertThat(fake.tree.get(1, "scaling_max_freq")).isEqualTo("1400000");
    assertThat(fake.tree.saved()).isNotEqualTo(low);

    Files.delete(note);
    assertThat(fake.restore().ok()).isTrue();
    assertThat(fake.tree.saved()).isEqualTo(before);
  }

  @Test
  void everyByteOfANoteThatIsChangedIsFound() {
    FakeMachine fake = left();
    Path file = KnobOwner.files(fake.folders.owners()).get(0);
    String text = KnobOwner.peek(file);
    assertThat(OwnerNote.read(file, text)).isPresent();
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    for (int at = text.indexOf('\n') + 1; at < whole.length - 1; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = whole.clone();
        changed[at] ^= (byte) (1 << bit);
        assertThatThrownBy(() -> OwnerNote.read(file, new String(changed, StandardCharsets.UTF_8)))
            .as("byte %s, bit %s", at, bit)
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining(file + ", line 2");
      }
    }
  }

  @Test
  void everyByteOfTheClocksThatWereLastWrittenThatIsChangedIsFoundOrMeansNothing()
      throws IOException {
    FakeMachine fake = left();
    Path file = LastWritten.beside(fake.folders.all().get(0));
    Optional<LastWritten.Content> content = LastWritten.read(file);
    assertThat(content.orElseThrow().clocks()).hasSize(2);
    byte[] whole = Files.readAllBytes(file);
    int found = 0;
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = whole.clone();
        changed[at] ^= (byte) (1 << bit);
        Files.write(file, changed);
        try {
          // Another blank in place of a blank that fills the record.
          assertThat(LastWritten.read(file)).as("byte %s, bit %s", at, bit).isEqualTo(content);
          assertThat(changed[at]).isLessThanOrEqualTo((byte) ' ');
        } catch (IOException e) {
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(7 * 2 * "1400000 1400000 12345678".length());
  }

  private FakeMachine left() {
    FakeMachine fake = new FakeMachine(folder, Kind.INTEL_ACTIVE, 2);
    leave(fake);
    return fake;
  }

  private static void leave(FakeMachine fake) {
    MachineLease lease = fake.begin();
    lease.clocks(FakeMachine.pair()).set("r", 1_400_000);
    lease.abandon();
  }
}
