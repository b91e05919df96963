package org.calando.control.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir Path folder;

  @Test
  void aFileIsReplacedAndNothingElseIsLeft() throws IOException {
    Path file = folder.resolve("results.csv");
    AtomicFiles.write(file, "a much longer old text\n");
    AtomicFiles.write(file, "new \u00b5s\n");
    assertThat(file).hasContent("new \u00b5s\n");
    assertThat(entries(folder)).isEqualTo(1);
  }

  @Test
  void onAFullDiskTheOldContentStaysAndTheRemainderGoes() throws IOException {
    Path file = folder.resolve("results.csv");
    AtomicFiles.write(file, "old\n");
    Files.createSymbolicLink(AtomicFiles.temporary(file), Path.of("/dev/full"));
    assertThatThrownBy(() -> AtomicFiles.write(file, "new\n"))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageStartingWith(file + ": the disk is full")
        .hasMessageContaining("--resume");
    assertThat(file).hasContent("old\n");
    assertThat(entries(folder)).isEqualTo(1);
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path file = folder.resolve("missing").resolve("results.csv");
    assertThatThrownBy(() -> AtomicFiles.write(file, "new\n"))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("check that the folder exists");
  }

  @Test
  void reasonsAreWordsAndNotThePathAgain() {
    assertThat(AtomicFiles.reason(new AccessDeniedException("/x/y")))
        .isEqualTo("permission denied");
    assertThat(AtomicFiles.reason(new FileSystemException("/x/y", null, "Read-only file system")))
        .isEqualTo("Read-only file system");
    assertThat(AtomicFiles.reason(new IOException())).isEqualTo("IOException");
    IOException quota = new FileSystemException("/x/y", null, "Disk quota exceeded");
    assertThat(AtomicFiles.cannotWrite(folder, quota)).hasMessageContaining("the disk is full");
  }

  @Test
  void aFolderTakesThePlaceOfAnEarlierOne() throws IOException {
    Path from = Files.createDirectory(folder.resolve(".unfinished-a"));
    Files.writeString(from.resolve("summary.json"), "new");
    Path to = Files.createDirectory(folder.resolve("a"));
    Files.writeString(to.resolve("summary.json"), "old");
    Files.writeString(to.resolve("n1.log"), "old");
    AtomicFiles.moveFolder(from, to);
    assertThat(to.resolve("summary.json")).hasContent("new");
    assertThat(to.resolve("n1.log")).doesNotExist();
    assertThat(from).doesNotExist();
  }

  @Test
  void deletingATreeDoesNotFollowLinks() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("kept"), "kept");
    Path tree = Files.createDirectories(folder.resolve("tree/inner"));
    Files.createSymbolicLink(tree.resolve("link"), elsewhere);
    AtomicFiles.deleteTree(folder.resolve("tree"));
    assertThat(folder.resolve("tree")).doesNotExist();
    assertThat(elsewhere.resolve("kept")).hasContent("kept");
    AtomicFiles.deleteTree(folder.resolve("tree"));
  }

  private static long entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    }
  }
}
