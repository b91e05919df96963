package org.calando.session.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedStateTest {
  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("session.state");
  }

  private static SavedState.Table table(String name, boolean known) {
    return table(name, known, System.currentTimeMillis());
  }

  private static SavedState.Table table(String name, boolean known, long millis) {
    KeyPopularity keys = KeyPopularity.zipf(300, 0.99);
    return new SavedState.Table(
        millis,
        name,
        0.05,
        "{dc1=3}dc1",
        ConsistencyLevel.LOCAL_ONE,
        new ReadChoice(1, 0.25),
        "adaptive/2 replicas=1",
        known ? Optional.of(new Popularity(0, keys, 0.125)) : Optional.empty());
  }

  @Test
  void whatIsSavedIsReadAgainToTheBit() throws Exception {
    assertThat(SavedState.read(file)).isEmpty();
    SavedState state =
        new SavedState(
            List.of(table("a.b", true, 42), table("a.c", false, 43), table("a.d", true, 44)));
    state.write(file);
    state.write(file);
    SavedState read = SavedState.read(file).orElseThrow();
    assertThat(read.tables())
        .extracting(SavedState.Table::name)
        .containsExactly("a.b", "a.c", "a.d");
    assertThat(read.tables().get(1)).isEqualTo(table("a.c", false, 43));
    KeyPopularity before = state.tables().get(2).popularity().orElseThrow().byKey();
    Popularity after = read.tables().get(2).popularity().orElseThrow();
    assertThat(after.unseenWrites()).isEqualTo(0.125);
    assertThat(after.byKey().bins()).isEqualTo(before.bins());
    for (int bin = 0; bin < before.bins(); bin++) {
      assertThat(after.byKey().writesPerKey(bin)).isEqualTo(before.writesPerKey(bin));
      assertThat(after.byKey().reads(bin)).isEqualTo(before.reads(bin));
    }
    assertThat(folder)
        .isDirectoryContaining("glob:**session.state")
        .isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void aFileOfWhichOneByteIsAnotherIsNotUsed() throws Exception {
    new SavedState(List.of(table("a.b", true))).write(file);
    byte[] good = Files.readAllBytes(file);
    for (int at = 0; at < good.length; at += 7) {
      byte[] bad = good.clone();
      bad[at] ^= (byte) (at % 2 == 0 ? 1 : 0x80);
      Files.write(file, bad);
      assertThatThrownBy(() -> SavedState.read(file))
          .as("byte %d", at)
          .isInstanceOf(IllegalArgumentException.class);
    }
    StateKeeper keeper = new StateKeeper(file, 0);
    assertThat(keeper.earlier()).isEmpty();
    assertThat(keeper.problem().orElseThrow()).contains("session.state is not used");
    Files.write(file, good);
    StateKeeper sound = new StateKeeper(file, 0);
    assertThat(sound.earlier()).hasSize(1);
    assertThat(sound.problem()).isEmpty();
    // Nothing is known now: what was known last stays.
    sound.save(List.of());
    assertThat(new StateKeeper(file, 0).earlier()).hasSize(1);
  }

  @Test
  void whatIsOlderThanTenMinutesOrFromTheFutureIsNotUsed() throws Exception {
    long now = System.currentTimeMillis();
    for (long millis : new long[] {now - 601_000, now + 60_000}) {
      new SavedState(List.of(table("a.b", true, millis))).write(file);
      StateKeeper keeper = new StateKeeper(file, 0);
      assertThat(keeper.earlier()).isEmpty();
      assertThat(keeper.problem().orElseThrow()).contains("too old");
      assertThat(keeper.failure()).isEmpty();
      keeper.save(List.of());
      assertThat(keeper.problem()).isEmpty();
    }
  }

  @Test
  void itIsSavedFromTimeToTimeAndAFolderThatIsGoneIsTold() {
    StateKeeper keeper = new StateKeeper(file, 0);
    List<SavedState.Table> tables = List.of(table("a.b", true));
    keeper.saveIfDue(9_999_999_999L, () -> tables);
    assertThat(file).doesNotExist();
    keeper.saveIfDue(10_000_000_000L, List::of);
    assertThat(file).as("of nothing").doesNotExist();
    keeper.saveIfDue(20_000_000_000L, () -> tables);
    assertThat(file).exists();
    StateKeeper lost = new StateKeeper(folder.resolve("gone").resolve("state"), 0);
    lost.save(tables);
    assertThat(lost.problem().orElseThrow()).contains("could not be saved");
  }
}
