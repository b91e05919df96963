package org.calando.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.layout.gear.OffloadRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffloadLogTest {
  @TempDir Path folder;

  @Test
  void linesAreWrittenInTheirOrder() throws IOException {
    OffloadLog log = new OffloadLog();
    Path file = folder.resolve("offload.log");
    for (int i = 0; i < 500; i++) {
      log.add(file, "/f" + i, 0, List.of(1, 5), List.of(1, 2));
    }
    await().until(() -> log.written() == 500);
    List<OffloadRecord> records = read(file).records();
    assertThat(records).hasSize(500);
    for (int i = 0; i < 500; i++) {
      assertThat(records.get(i).seq()).isEqualTo(i);
      assertThat(records.get(i).path()).isEqualTo("/f" + i);
    }
    assertThat(log.errors()).isZero();
  }

  @Test
  void aTornLineIsLeftByItselfAndNumbersGoOn() throws IOException {
    Path file = folder.resolve("offload.log");
    OffloadRecord old = new OffloadRecord(41, 0, "/old", 0, List.of(1), List.of(2));
    Files.writeString(file, old.line() + "\n" + old.line().substring(0, 9));
    OffloadLog log = new OffloadLog();
    log.add(file, "/new", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 1);
    OffloadRecord.Log read = read(file);
    assertThat(read.records()).hasSize(2);
    assertThat(read.records().get(1).seq()).isEqualTo(42);
    assertThat(read.damaged()).isEqualTo(1);
    assertThat(read.isTorn()).isFalse();
  }

  @Test
  void aLogThatWasRenamedIsBegunAnew() throws IOException {
    Path file = folder.resolve("offload.log");
    OffloadLog log = new OffloadLog();
    log.add(file, "/a", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 1);
    Files.move(file, folder.resolve("taken.log"));
    log.add(file, "/b", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 2);
    assertThat(read(file).records()).extracting(OffloadRecord::path).containsExactly("/b");
  }

  @Test
  void aLogThatCannotBeWrittenIsCountedAndComesBack() throws IOException {
    Path file = folder.resolve("no/offload.log");
    OffloadLog log = new OffloadLog();
    log.add(file, "/a", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.errors() == 1);
    Files.createDirectory(folder.resolve("no"));
    log.add(file, "/b", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 1);
    assertThat(read(file).records()).hasSize(1);
  }

  @Test
  void aLogThatIsFullGetsNoMoreLinesUntilItIsPutAside() throws IOException {
    Path file = folder.resolve("offload.log");
    OffloadLog log = new OffloadLog(1);
    log.add(file, "/a", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 1);
    log.add(file, "/b", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.errors() == 1);
    assertThat(read(file).records()).extracting(OffloadRecord::path).containsExactly("/a");
    Files.move(file, folder.resolve("taken.log"));
    log.add(file, "/c", 0, List.of(1, 5), List.of(1, 2));
    await().until(() -> log.written() == 2);
    assertThat(read(file).records()).extracting(OffloadRecord::path).containsExactly("/c");
  }

  private static OffloadRecord.Log read(Path file) throws IOException {
    return OffloadRecord.read(Files.readString(file));
  }
}
