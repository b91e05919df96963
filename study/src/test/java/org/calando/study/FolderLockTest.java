package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.calando.control.file.FolderLock;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
  @TempDir Path folder;

  @Test
  void aSecondUserInThisProcessIsKeptOutUntilTheFirstIsDone() throws IOException {
    FolderLock first = FolderLock.tryLock(folder).orElseThrow();
    assertThat(FolderLock.tryLock(folder)).isEmpty();
    first.close();
    assertThat(folder).isEmptyDirectory();
    FolderLock.tryLock(folder).orElseThrow().close();
  }

  @Test
  void anotherProcessIsKeptOutUntilTheFirstIsKilled() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader told = other.inputReader()) {
      assertThat(told.readLine()).isEqualTo("true");
      assertThatThrownBy(() -> StudyFolder.open(folder, "abc", "", true))
          .isInstanceOf(BadRequestException.class)
          .hasMessageStartingWith(folder + ": another calando process");
    } finally {
      other.destroyForcibly();
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(folder.resolve(FolderLock.FILE)).exists();
    StudyFolder.open(folder, "abc", "", false).close();
  }

  @Test
  void whoeverLocksAFileThatWasDeletedMeanwhileHoldsNothing() throws IOException {
    FolderLock first = FolderLock.tryLock(folder).orElseThrow();
    try (FileChannel early =
        FileChannel.open(folder.resolve(FolderLock.FILE), StandardOpenOption.WRITE)) {
      first.close();
      FolderLock second = FolderLock.tryLock(folder).orElseThrow();
      // The early one gets its lock, on a file that nobody else will find.
      assertThat(early.tryLock()).isNotNull();
      assertThat(FolderLock.isStillThere(folder.resolve(FolderLock.FILE), early)).isFalse();
      second.close();
    }
  }

  @Test
  void aFileOfAProcessThatIsGoneIsTakenOver() throws IOException {
    Files.writeString(
        folder.resolve(FolderLock.FILE), "a longer text than any lock has had so far");
    FolderLock lock = FolderLock.tryLock(folder).orElseThrow();
    assertThat(FolderLock.tryLock(folder)).isEmpty();
    lock.close();
    assertThat(folder).isEmptyDirectory();
  }

  /** Holds the lock of a folder until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      System.out.println(FolderLock.tryLock(Path.of(args[0])).isPresent());
      Thread.currentThread().join();
    }
  }
}
