package org.calando.local.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.local.cache.ColdCache.Outcome;
import org.calando.local.cache.ColdCache.Way;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColdCacheTest {
  private static final int BYTES = 3_000_000;

  @TempDir Path folder;

  /** Whether the temporary folder can be dropped at all: not if it is in memory. */
  private boolean isOnDisk(Path where) throws IOException {
    return !Files.getFileStore(where).type().contains("tmpfs");
  }

  @Test
  void tellsWhatIsInMemoryAndWhatIsNotAnyMore() throws IOException {
    Path below = Files.createDirectories(folder.resolve("a/b"));
    Files.write(below.resolve("block"), new byte[BYTES]);
    Files.write(folder.resolve("empty"), new byte[0]);
    Outcome outcome = ColdCache.drop(List.of(folder), false);
    assertThat(outcome.bytes()).isEqualTo(BYTES);
    assertThat(outcome.cachedBefore()).isBetween(1L, BYTES + 4096L * 16);
    if (isOnDisk(folder)) {
      assertThat(outcome.way()).isEqualTo(Way.FADVISE);
      assertThat(outcome.cachedAfter()).isLessThan(outcome.cachedBefore());
      assertThat(outcome.describe()).contains("fadvise", "of 3 MB in memory");
    }
    // What is read again is in memory again.
    assertThat(Files.readAllBytes(below.resolve("block"))).hasSize(BYTES);
    assertThat(ColdCache.drop(List.of(folder), false).cachedBefore()).isGreaterThanOrEqualTo(BYTES);
  }

  @Test
  void filesThatAreInMemoryOnlyAreToldAsSuch() throws IOException {
    Path memory = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isWritable(memory), "there is no /dev/shm to write to");
    Path own = Files.createTempDirectory(memory, "calando-");
    try {
      Files.write(own.resolve("block"), new byte[BYTES]);
      Outcome outcome = ColdCache.drop(List.of(own), false);
      assertThat(outcome.way()).isEqualTo(Way.NONE);
      assertThat(outcome.isCold()).isFalse();
      assertThat(outcome.reason()).contains("tmpfs");
      assertThat(outcome.describe()).startsWith("cache not dropped, 3 of 3 MB in memory, 3 before");
    } finally {
      Files.delete(own.resolve("block"));
      Files.delete(own);
    }
  }

  @Test
  void aFolderThatIsNotThereIsAFailure() {
    assertThatThrownBy(() -> ColdCache.drop(List.of(folder.resolve("none")), false))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("none");
  }

  @Test
  void whatIsNotKnownIsNotCold() {
    assertThat(new Outcome(Way.DROP_CACHES, 100, -1, -1, "why").isCold()).isFalse();
    assertThat(new Outcome(Way.FADVISE, 100, 100, 1, "").isCold()).isTrue();
    assertThat(new Outcome(Way.FADVISE, 100, 100, 2, "").isCold()).isFalse();
  }
}
