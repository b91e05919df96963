package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.promise.Task.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BooksTest {
  @TempDir Path folder;

  private static ReadEntry read(String task, long version, long started, String level) {
    return new ReadEntry(task, 3, version, started, started + 1, level, "");
  }

  @Test
  void booksOfAllProcessesAreReadTogether() throws IOException {
    WriteEntry acknowledged = new WriteEntry(1, 2, 3, 4, 5, "");
    WriteEntry failed =
        new WriteEntry(1, 3, 4, WriteEntry.NEVER, WriteEntry.NEVER, "WriteTimeoutException");
    ReadEntry read = new ReadEntry("one", 1, ReadEntry.NOTHING, 3, 4, "", "NoNodeAvailable");
    LevelEntry level = new LevelEntry("reader", 9, 1.5, "ONE", false, "a, b\nc");
    try (Books writer = Books.open(folder, "writer");
        Books reader = Books.open(folder, "reader")) {
      writer.add(acknowledged);
      writer.add(failed);
      reader.add(read);
      reader.add(level);
    }
    assertThat(Books.writes(folder)).containsExactly(acknowledged, failed);
    assertThat(Books.reads(folder)).containsExactly(read);
    assertThat(folder.resolve("reader.levels.csv")).hasContent("reader,9,1.5,ONE,false,a; b c");
  }

  @Test
  void aProcessFindsItsSpecificationInItsFolder() throws IOException {
    for (Cell cell : Cells.all()) {
      for (Cell.Role role : cell.roles()) {
        ProbeSpec spec =
            new ProbeSpec(
                role.name(),
                List.of("127.0.0.1:9042"),
                cell.id(),
                cell.writeLevel(),
                Double.NaN,
                role.instances(),
                1,
                role.tasks());
        spec.write(folder);
        assertThat(ProbeSpec.read(folder.resolve(role.name() + ".json"))).isEqualTo(spec);
      }
    }
  }

  @Test
  void aStretchIsSeenByItsTasksReads() {
    Judge judge = new Judge(List.of(new WriteEntry(3, 1, 10, 20, WriteEntry.NEVER, "")));
    List<ReadEntry> reads =
        List.of(
            read("adaptive", 0, 25, "ONE"),
            read("adaptive", 1, 95, "QUORUM"),
            read("adaptive", 0, 120, "ONE"),
            read("one", 0, 50, "ONE"),
            new ReadEntry("adaptive", 3, ReadEntry.NOTHING, 60, 70, "ALL", "Unavailable"));
    Seen seen = Seen.of(judge, reads, "adaptive"::equals, 20, 120);
    assertThat(seen.stale().count()).isEqualTo(2);
    assertThat(seen.stale().hits()).isEqualTo(1);
    assertThat(seen.errors()).isEqualTo(1);
    assertThat(seen.replicas()).isCloseTo(1.5, within(1e-9));
    List<ReadEntry> wrong = List.of(read("adaptive", 9, 50, "ONE"));
    assertThatThrownBy(() -> Seen.of(judge, wrong, "adaptive"::equals, 20, 120))
        .isInstanceOf(FailedWorkException.class);
  }

  @Test
  void aCellsRowTellsTheStartApartAndCountsReadsThatWereTouched() {
    Cell cell = Cell.of("in-reads", 20, "ONE", 0.05).inReads(1).build();
    List<WriteEntry> writes = List.of(new WriteEntry(3, 1, 10, 20, WriteEntry.NEVER, ""));
    List<ReadEntry> reads =
        List.of(
            read(Cell.JUDGED, 0, 25, "ALL"),
            read(Cell.JUDGED, 1, 55, "ONE"),
            read(Cell.UNTOUCHED, 1, 60, "ONE"),
            read(Cell.UNTOUCHED, 1, 61, "ALL"));
    CellRow row = CellRow.of(cell, writes, reads, 20, 30, 100, 0.5);
    assertThat(row.start().stale().value()).isEqualTo(1);
    assertThat(row.after().stale().value()).isZero();
    assertThat(row.touched()).isEqualTo(1);
    assertThat(row.line().split(",", -1)).hasSameSizeAs(CellRow.HEADER.split(",", -1));
  }

  @Test
  void resultsGoOnWhereTheyWereStopped() throws IOException {
    Path file = folder.resolve("cells.csv");
    new Results(file, "cell,verdict").add("a 5%,kept");
    Files.writeString(file, "cut", StandardOpenOption.APPEND);
    Results again = new Results(file, "cell,verdict");
    again.add("b,kept");
    assertThat(again.has("a 5%")).isTrue();
    assertThat(again.has("b")).isTrue();
    assertThat(again.has("cut")).isFalse();
    assertThat(again.table(List.of("cell"), row -> List.of(row.getOrDefault("cell", ""))))
        .isEqualTo("| cell |\n|---|\n| a 5% |\n| b |\n");
  }

  @Test
  void cellsHaveNamesAndKeyspacesOfTheirOwn() {
    assertThat(Cells.all()).hasSize(24);
    assertThat(Cells.all().stream().map(Cell::id).distinct()).hasSize(24);
    assertThat(Cells.all()).allMatch(cell -> cell.id().length() <= 48);
    for (Cell cell : Cells.all()) {
      assertThat(cell.roles().stream().flatMap(role -> role.tasks().stream()))
          .as(cell.name())
          .anyMatch(task -> task.name().equals(Cell.JUDGED) && task.adaptive())
          .anyMatch(task -> task.name().equals(Cell.ONE) && !task.adaptive())
          .anyMatch(task -> task.form().isWrite());
    }
  }

  @Test
  void keysAreDrawnByZipfsLaw() {
    Keys.Chooser chooser = new Keys.Chooser(Keys.every(2, 1, 10), 7);
    long[] counts = new long[20];
    for (int i = 0; i < 100_000; i++) {
      counts[(int) chooser.next(0)]++;
    }
    double harmonic = 0;
    for (int rank = 1; rank <= 10; rank++) {
      harmonic += Math.pow(rank, -0.99);
    }
    for (int rank = 1; rank <= 10; rank++) {
      assertThat(counts[2 * rank - 1] / 100_000.0)
          .isCloseTo(Math.pow(rank, -0.99) / harmonic, within(0.01));
      assertThat(counts[2 * rank - 2]).isZero();
    }
    long hottest = IntStream.range(0, 1000).filter(i -> chooser.next(1) == 1).count();
    assertThat(hottest).isEqualTo(1000);
  }

  @Test
  void theMachinesWorkIsThatOfTheKernelsCounts() {
    Busy then = Busy.parse("cpu  10 0 20 100 5 1 2 3 0 0\ncpu0 1 2 3 4");
    Busy now = Busy.parse("cpu  20 0 30 160 10 2 4 9 0 0\n");
    assertThat(now.shareSince(then)).isCloseTo(29.0 / 94, within(1e-9));
  }

  @Test
  void aLevelAsksSoManyReplicas() {
    assertThat(read("one", 0, 1, "LOCAL_ONE").replicas(3)).isEqualTo(1);
    assertThat(read("one", 0, 1, "LOCAL_QUORUM").replicas(5)).isEqualTo(3);
    assertThat(read("one", 0, 1, "ALL").replicas(3)).isEqualTo(3);
    assertThatThrownBy(() -> read("one", 0, 1, "").replicas(3)).hasMessageContaining("level");
    assertThat(Form.WRITE_LWT.isWrite()).isTrue();
  }
}
