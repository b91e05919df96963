package org.calando.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GearFileWatchTest {
  @TempDir Path folder;
  private long nanos;

  @Test
  void aChangedFileIsReadAfterFiftyMilliseconds() throws IOException {
    GearFileWatch watch = watch();
    assertThat(watch.current()).isEmpty();
    assertThat(watch.problem()).startsWith("there is no file");
    write(text(1));
    assertThat(watch.current()).isEmpty();
    nanos += 50_000_000;
    assertThat(watch.current().orElseThrow().gear()).isEqualTo(1);
    String hash = watch.hash();
    write(text(2));
    assertThat(watch.current().orElseThrow().gear()).isEqualTo(1);
    nanos += 50_000_000;
    assertThat(watch.current().orElseThrow().gear()).isEqualTo(2);
    assertThat(watch.hash()).isNotEqualTo(hash);
    assertThat(watch.reads()).isEqualTo(2);
    nanos += 50_000_000;
    assertThat(watch.current()).isPresent();
    assertThat(watch.reads()).isEqualTo(2);
  }

  @Test
  void aBrokenFilePutsNothingInForceUntilItIsMended() throws IOException {
    GearFileWatch watch = watch();
    write(text(1));
    assertThat(watch.current()).isPresent();
    for (String broken : new String[] {"", "{", "[]", "null", text(3), text(1).replace("1", "9")}) {
      nanos += 50_000_000;
      write(broken);
      assertThat(watch.current()).as(broken).isEmpty();
      assertThat(watch.problem()).contains("gears.json cannot be read: ");
    }
    nanos += 50_000_000;
    write(text(2));
    assertThat(watch.current()).isPresent();
    assertThat(watch.problem()).isEmpty();
    nanos += 50_000_000;
    Files.delete(folder.resolve("gears.json"));
    assertThat(watch.current()).isEmpty();
    nanos += 50_000_000;
    write(text(2));
    assertThat(watch.current()).isPresent();
  }

  private GearFileWatch watch() {
    return new GearFileWatch(folder.resolve("gears.json"), () -> nanos);
  }

  private void write(String text) throws IOException {
    Path temporary = folder.resolve("new.json");
    Files.writeString(temporary, text);
    Files.move(temporary, folder.resolve("gears.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  static String text(int gear) throws IOException {
    return text(1, gear);
  }

  /** So many nodes are on in gear 1; one more in gear 2. */
  static String text(int first, int gear) throws IOException {
    String[] nodes = new String[first + 1];
    Arrays.setAll(nodes, i -> "h:" + (i + 1));
    return new ObjectMapper()
        .writeValueAsString(
            Map.of(
                "version",
                1,
                "layout",
                "rabbit",
                "gears",
                new int[] {first, first + 1},
                "primaries",
                1,
                "replicas",
                2,
                "nodes",
                nodes,
                "gear",
                gear));
  }
}
