package org.calando.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.calando.core.layout.gear.OffloadRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffloadHintsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long SEED = Long.getLong("calando.seed", 20110725L);

  @TempDir Path folder;
  private Path log;
  private long nanos;
  private OffloadHints hints;

  @BeforeEach
  void prepare() {
    log = folder.resolve("offload.log");
    hints = new OffloadHints(() -> nanos);
  }

  @Test
  void aBlockOnNodesThatAreOnIsToldByAnyThatAreLeft() throws IOException {
    append(line("/a", 1, 3));
    assertThat(isOffloaded("/a", 3, 1)).isTrue();
    assertThat(isOffloaded("/a", 3, 3)).isTrue();
    assertThat(isOffloaded("/a", 3, 3, 1)).isTrue();
    assertThat(isOffloaded("/a", 3, 2)).isFalse();
    assertThat(isOffloaded("/a", 3, 1, 2, 3)).isFalse();
    assertThat(isOffloaded("/b", 3, 1)).isFalse();
    // Node 3 is off in a lower gear, and may hold it there.
    assertThat(isOffloaded("/a", 2, 1)).isFalse();
  }

  @Test
  void whatIsWrittenLaterIsReadAfterASecond() throws IOException {
    assertThat(isOffloaded("/a", 3, 1)).isFalse();
    nanos += SECOND;
    append(line("/a", 1, 3));
    assertThat(isOffloaded("/a", 3, 1)).isTrue();
    append(line("/b", 1, 3) + line("/c", 1, 3).substring(0, 9));
    assertThat(isOffloaded("/b", 3, 1)).isFalse();
    nanos += SECOND;
    assertThat(isOffloaded("/b", 3, 1)).isTrue();
    assertThat(isOffloaded("/c", 3, 1)).isFalse();
    append(line("/c", 1, 3).substring(9) + "damage\t\n" + line("/d", 1, 3));
    nanos += SECOND;
    assertThat(isOffloaded("/c", 3, 1)).isTrue();
    assertThat(isOffloaded("/d", 3, 1)).isTrue();
  }

  @Test
  void aLogThatWasPutAsideIsForgotten() throws IOException {
    append(line("/a", 1, 3));
    assertThat(isOffloaded("/a", 3, 1)).isTrue();
    Files.move(log, folder.resolve("offload.log.1"));
    append(line("/b", 1, 3));
    nanos += SECOND;
    assertThat(isOffloaded("/b", 3, 1)).isTrue();
    assertThat(isOffloaded("/a", 3, 1)).isFalse();
    Files.delete(log);
    nanos += SECOND;
    assertThat(isOffloaded("/b", 3, 1)).isFalse();
  }

  @Test
  void lowestValuesAreThoseOfAMap() {
    Random random = new Random(SEED);
    LowestValues values = new LowestValues();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      long key = random.nextInt(50_000);
      int value = random.nextInt(100);
      values.put(key, value);
      // Nothing and one are the same key.
      expected.merge(Math.max(1, key), value, Math::min);
    }
    assertThat(values.size()).as("seed %d", SEED).isEqualTo(expected.size());
    for (long key = 0; key < 60_000; key++) {
      assertThat(values.get(key))
          .as("key %d, seed %d", key, SEED)
          .isEqualTo(expected.getOrDefault(Math.max(1, key), Integer.MAX_VALUE));
    }
  }

  @Test
  void whatDoesNotFitIsLeftOut() {
    LowestValues values = new LowestValues();
    for (long key = 1; key <= 2_000_000; key++) {
      values.put(key, 1);
    }
    assertThat(values.size()).isEqualTo(3 << 19);
    assertThat(values.get(1)).isEqualTo(1);
    assertThat(values.get(2_000_000)).isEqualTo(Integer.MAX_VALUE);
  }

  private boolean isOffloaded(String path, int on, Integer... held) {
    return hints.isOffloaded(Optional.of(log.toString()), path, List.of(held), on);
  }

  private static String line(String path, Integer... chosen) {
    return new OffloadRecord(0, 0, path, 0, List.of(1, 6), List.of(chosen)).line() + "\n";
  }

  private void append(String text) throws IOException {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
