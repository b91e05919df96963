package org.calando.control.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
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
}
