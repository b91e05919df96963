package org.calando.control.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFilesTest {
  @TempDir Path folder;

  private LineFiles open(long partBytes) {
    return LineFiles.open(folder.resolve("below").resolve("lines.jsonl"), partBytes, 3);
  }

  private static ObjectNode line(int number) {
    return JsonNodeFactory.instance.objectNode().put("number", number);
  }

  private static List<Integer> numbers(LineFiles lines) {
    return lines.read().stream().map(line -> line.path("number").asInt()).toList();
  }

  @Test
  void whatIsAddedIsThereAgainWithoutItsChecksum() {
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(1), line(2)));
    }
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(3)));
      assertThat(lines.read()).containsExactly(line(1), line(2), line(3));
    }
  }

  @Test
  void theOldestPartIsRemovedWhenTheNewestIsFull() {
    try (LineFiles lines = open(1)) {
      IntStream.rangeClosed(1, 10).forEach(number -> lines.add(List.of(line(number))));
      assertThat(numbers(lines)).containsExactly(8, 9, 10);
    }
    assertThat(folder.resolve("below")).isDirectoryNotContaining("glob:**.3");
  }

  @Test
  void whatAKillHasLeftOfALineAndWhatWasChangedIsLeftOut() throws Exception {
    Path file = folder.resolve("below").resolve("lines.jsonl");
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(1), line(2), line(3)));
    }
    String text = Files.readString(file).replace("\"number\":2", "\"number\":7");
    Files.writeString(file, text.substring(0, text.length() - 4), StandardCharsets.UTF_8);
    try (LineFiles lines = open(1000)) {
      assertThat(numbers(lines)).containsExactly(1);
      lines.add(List.of(line(4)));
      assertThat(numbers(lines)).containsExactly(1, 4);
    }
    Files.write(file, new byte[] {(byte) 0xff, 'x', '\n'}, StandardOpenOption.APPEND);
    try (LineFiles lines = open(1000)) {
      assertThat(numbers(lines)).containsExactly(1, 4);
    }
  }

  @Test
  void whatAFailedWriteLeftIsKeptAsideAndHidesNoLine() throws Exception {
    Path file = folder.resolve("below").resolve("lines.jsonl");
    Path torn = file.resolveSibling("lines.jsonl.torn");
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(1)));
      Files.writeString(file, "{\"number\":2,\"cr", StandardOpenOption.APPEND);
      lines.add(List.of(line(3)));
      assertThat(numbers(lines)).containsExactly(1, 3);
      assertThat(torn).hasContent("{\"number\":2,\"cr\n");
      Files.writeString(file, "{\"number\":4", StandardOpenOption.APPEND);
    }
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(5)));
      assertThat(numbers(lines)).containsExactly(1, 3, 5);
      assertThat(torn).hasContent("{\"number\":2,\"cr\n{\"number\":4\n");
    }
  }

  /** Its file was written as a kill came, up to the end of the line. */
  @Test
  void aLineThatIsWholeButForItsEndCounts() throws Exception {
    Path file = folder.resolve("below").resolve("lines.jsonl");
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(1)));
    }
    Files.writeString(file, Files.readString(file).strip());
    try (LineFiles lines = open(1000)) {
      lines.add(List.of(line(2)));
      assertThat(numbers(lines)).containsExactly(1, 2);
    }
  }

  @Test
  void linesAreAddedAgainOnceTheDiskHasRoom() throws Exception {
    Path file = folder.resolve("below").resolve("lines.jsonl");
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, Path.of("/dev/full"));
    try (LineFiles lines = open(1000)) {
      assertThatThrownBy(() -> lines.add(List.of(line(1)))).isInstanceOf(FailedWorkException.class);
      Files.delete(file);
      lines.add(List.of(line(2)));
      assertThat(numbers(lines)).containsExactly(2);
    }
  }

  @Test
  void aPartThatCannotBeMovedTakesMoreUntilItCan() throws Exception {
    Path inTheWay = folder.resolve("below").resolve("lines.jsonl.2").resolve("more");
    Files.createDirectories(inTheWay);
    try (LineFiles lines = open(50)) {
      IntStream.rangeClosed(1, 4).forEach(number -> lines.add(List.of(line(number))));
      assertThat(numbers(lines)).containsExactly(1, 2, 3, 4);
      Files.delete(inTheWay);
      lines.add(List.of(line(5)));
      lines.add(List.of(line(6)));
      assertThat(numbers(lines)).contains(5, 6).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void whoReadsSeesAllLinesInTheirOrderWhilePartsAreMoved() throws Exception {
    AtomicInteger added = new AtomicInteger();
    try (LineFiles lines = open(1)) {
      lines.add(List.of(line(added.incrementAndGet())));
      Thread writer =
          new Thread(
              () -> {
                while (added.get() < 300) {
                  lines.add(List.of(line(added.incrementAndGet())));
                }
              });
      writer.start();
      while (writer.isAlive()) {
        int begun = added.get();
        List<Integer> seen = numbers(lines);
        assertThat(seen).isSorted().isNotEmpty();
        assertThat(seen.get(seen.size() - 1)).isGreaterThanOrEqualTo(begun - 1);
      }
      writer.join();
      assertThat(added).as("its last line").hasValue(300);
      assertThat(numbers(lines)).last().isEqualTo(300);
    }
  }
}
