package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.calando.clock.thread.ProcessCpu;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCpuTest {
  @TempDir Path proc;
  private FakeStat stat;

  @BeforeEach
  void aProcFolder() {
    stat = new FakeStat(proc);
  }

  @Test
  void timeIsThatOfUserAndSystemWhateverTheProgramIsCalled() {
    // The name "a) S b" looks like the words that follow it.
    stat.used(7, 12.34);
    assertThat(stat.cpu().nanos(7)).hasValue(12_340_000_000L);
  }

  @Test
  void aProcessThatIsNotThereHasNoTime() {
    assertThat(stat.cpu().nanos(7)).isEmpty();
    assertThat(stat.cpu().nanos(0)).isEmpty();
    assertThat(stat.cpu().nanos(-1)).isEmpty();
  }

  @Test
  void whatCannotBeReadHasNoTime() {
    stat.stat(7, "7 (redis-server) S 1 2 3");
    stat.stat(8, "8 (redis-server) S 1 2 3 4 5 6 7 8 9 10 x 5 0 0 0 0 0 0 0 0 0");
    stat.stat(9, "");
    assertThat(stat.cpu().nanos(7)).isEmpty();
    assertThat(stat.cpu().nanos(8)).isEmpty();
    assertThat(stat.cpu().nanos(9)).isEmpty();
  }

  @Test
  void aRealProcessHasTime() {
    assertThat(new ProcessCpu(Path.of("/proc")).nanos(ProcessHandle.current().pid())).isPresent();
  }
}
