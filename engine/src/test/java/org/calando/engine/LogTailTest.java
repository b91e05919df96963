package org.calando.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.calando.core.energy.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
  @TempDir Path folder;

  @Test
  void theLastLinesAreKeptUnderTheNodesName() throws IOException {
    Path log = folder.resolve("system.log");
    Files.write(log, IntStream.rangeClosed(1, 1000).mapToObj(i -> "line " + i).toList());
    Path run = Files.createDirectory(folder.resolve("run"));
    LogTail.keep(
        List.of(
            node("n1", Optional.of(log)),
            node("n2", Optional.of(folder.resolve("never written"))),
            node("n3", Optional.empty())),
        run);
    assertThat(run).isDirectoryContaining(file -> file.endsWith("n1.log"));
    assertThat(Files.readAllLines(run.resolve("n1.log")))
        .hasSize(200)
        .startsWith("line 801")
        .endsWith("line 1000");
    try (var files = Files.list(run)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aHugeLogIsNotReadWhole() throws IOException {
    Path log = folder.resolve("system.log");
    Files.writeString(log, ("x".repeat(4095) + "\n").repeat(1000));
    assertThat(LogTail.lines(log)).hasSize(16).allMatch(line -> line.length() == 4095);
  }

  @Test
  void bytesThatAreNoTextDoNotLoseTheRest() throws IOException {
    Path log = folder.resolve("system.log");
    byte[] bytes = "good\nb?d\nlast".getBytes(StandardCharsets.UTF_8);
    bytes[6] = (byte) 0xff;
    Files.write(log, bytes);
    assertThat(LogTail.lines(log)).containsExactly("good", "b\ufffdd", "last");
    Files.write(log, new byte[0]);
    assertThat(LogTail.lines(log)).isEmpty();
  }

  private static Target.Node node(String name, Optional<Path> log) {
    return new Target.Node(
        name,
        "127.0.0.1",
        "",
        Profiles.byName("xeon-x3440").orElseThrow(),
        OptionalLong.empty(),
        log);
  }
}
