package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuSinceTest {
  private static final int TICKS = 100;

  @TempDir Path proc;

  private final List<Long> running = new ArrayList<>();

  /** Of a process that began at some tick. */
  private void used(long pid, long start, long ticks) throws IOException {
    List<String> fields = new ArrayList<>(Collections.nCopies(50, "0"));
    fields.set(0, "S");
    fields.set(11, Long.toString(ticks)); // utime
    fields.set(17, "1"); // threads
    fields.set(19, Long.toString(start));
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(folder.resolve("stat"), pid + " (java) " + String.join(" ", fields) + "\n");
    if (!running.contains(pid)) {
      running.add(pid);
    }
  }

  private void ends(long pid) throws IOException {
    Files.delete(proc.resolve(pid + "/stat"));
  }

  private CpuSince since() {
    return new CpuSince(() -> running, ProcessCpu.of(proc, TICKS, 4096));
  }

  @Test
  void thoseThatBeganLaterCountWithAllOfIt() throws IOException {
    used(1, 10, 500);
    CpuSince since = since();
    used(1, 10, 700);
    used(2, 900, 300);
    assertThat(since.seconds()).isEqualTo(2 + 3.0);
  }

  /** As a node that is drained, which is work, and then ends; another process may have its id. */
  @Test
  void oneThatEndsCountsWithWhatItHadUsedWhenLookedAt() throws IOException {
    used(1, 10, 500);
    used(2, 10, 500);
    CpuSince since = since();
    used(1, 10, 640);
    since.look();
    ends(1);
    ends(2);
    assertThat(since.seconds()).isCloseTo(1.4, within(1e-9));
    used(2, 99, 50);
    assertThat(since.seconds()).isCloseTo(1.4 + 0.5, within(1e-9));
  }

  @Test
  void whereNoneCanBeReadNothingIsKnown() {
    running.add(7L);
    assertThat(since().seconds()).isNaN();
  }
}
