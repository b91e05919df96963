package org.calando.clock.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.clock.Drift;
import org.calando.clock.FakeMachine;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.MachineLease;
import org.calando.clock.MemoryFolder;
import org.calando.clock.ProcFs;
import org.calando.clock.Restorer;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadPinningTest {
  private static final int PID = 70_000_000;
  private static final int IO = PID + 1;
  private static final int BIO = PID + 2;
  private static final int BORN = PID + 3;
  private static final List<ThreadRule> SLOW =
      List.of(
          new ThreadRule("io_thd_*", CpuSet.of(0)), new ThreadRule(ThreadRule.ANY, CpuSet.of(1)));
  private static final List<ThreadRule> FAST =
      List.of(new ThreadRule(ThreadRule.ANY, CpuSet.of(0)));

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeMachine fake;

  @BeforeEach
  void makeServer() {
    fake = new FakeMachine(folder, Kind.ACPI_CPUFREQ, 4);
    fake.proc
        .process(PID, 5)
        .thread(PID, PID, "redis-server", "0-3", 100)
        .thread(PID, IO, "io_thd_1", "0-2", 200)
        .thread(PID, BIO, "bio_close_file", "3", 300);
  }

  @Test
  void threadsGoWhereTheFirstRuleThatFitsHasThemAndBackAtTheEnd() throws IOException {
    try (MachineLease lease = fake.begin()) {
      ThreadPinning threads = lease.threads();
      threads.pin(PID, SLOW);
      assertThat(places()).containsExactly("1", "0", "1");

      // the master's threads are all fast
      threads.pin(PID, FAST);
      assertThat(places()).containsExactly("0", "0", "0");
      threads.pin(PID, FAST);
    }
    assertThat(places()).containsExactly("0-3", "0-2", "3");
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aThreadThatIsBornLaterFollowsAndGoesWhereTheFirstThreadWas() throws IOException {
    try (MachineLease lease = fake.begin()) {
      ThreadPinning threads = lease.threads();
      threads.pin(PID, SLOW);
      assertThat(threads.refresh()).isEmpty();
      fake.proc.thread(PID, BORN, "io_thd_2", "1", 0);
      assertThat(threads.refresh()).isEmpty();
      assertThat(fake.proc.cpus(PID, BORN)).isEqualTo("0");
    }
    assertThat(fake.proc.cpus(PID, BORN)).isEqualTo("0-3");
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void afterAKillThreadsGoBackByTheJournalAlsoThoseThatWereMovedTwice() throws IOException {
    MachineLease lease = fake.begin();
    ThreadPinning threads = lease.threads();
    threads.pin(PID, SLOW);
    threads.pin(PID, FAST);
    lease.abandon();
    assertThat(fake.restore().ok()).isTrue();
    assertThat(places()).containsExactly("0-3", "0-2", "3");
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aThreadThatSomebodyElseMovedStaysAndIsTold() throws IOException {
    MachineLease lease = fake.begin();
    lease.threads().pin(PID, SLOW);
    fake.proc.set(IO, CpuSet.of(3));
    assertThatThrownBy(lease::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("somebody else moved thread " + IO + " to 3, it was on 0-2");
    assertThat(places()).containsExactly("0-3", "3", "3");
    assertThat(fake.restore(Restorer.Mode.FORCE).ok()).isTrue();
    assertThat(places()).containsExactly("0-3", "0-2", "3");
  }

  @Test
  void aThreadThatSomebodyElseMovesIsReportedOnceAChangeAndMovedBack() {
    try (MachineLease lease = fake.begin()) {
      ThreadPinning threads = lease.threads();
      threads.pin(PID, SLOW);
      for (String elsewhere : List.of("3", "2", "2")) {
        fake.proc.thread(PID, IO, "io_thd_1", elsewhere, 0);
        assertThat(threads.refresh())
            .containsExactly(
                new Drift(
                    "thread " + IO + " of process " + PID,
                    "processors 0",
                    "processors " + elsewhere,
                    "moved back",
                    Optional.empty()));
        assertThat(places()).containsExactly("1", "0", "1");
        assertThat(threads.refresh()).isEmpty();
      }
    }
  }

  @Test
  void aThreadThatCannotBeMovedBackIsReportedOnce() {
    try (MachineLease lease = fake.begin()) {
      ThreadPinning threads = lease.threads();
      threads.pin(PID, SLOW);
      fake.proc.thread(PID, IO, "io_thd_1", "3", 0).thread(PID, BORN, "io_thd_2", "1", 0);
      fake.proc.stuck.addAll(List.of(IO, BORN));
      assertThat(threads.refresh())
          .extracting(Drift::words)
          .containsExactly(
              "thread "
                  + IO
                  + " of process "
                  + PID
                  + " was changed from processors 0 to processors 3, not by its owner: it cannot be"
                  + " moved: thread "
                  + IO
                  + " cannot be moved",
              "thread "
                  + BORN
                  + " of process "
                  + PID
                  + ": it cannot be moved: thread "
                  + BORN
                  + " cannot be moved");
      assertThat(threads.refresh()).isEmpty();
      fake.proc.stuck.clear();
      assertThat(threads.refresh()).isEmpty();
      assertThat(places()).containsExactly("1", "0", "1");
    }
  }

  @Test
  void aProcessThatStartsAnewUnderItsNumberIsAnotherOne() throws IOException {
    try (MachineLease lease = fake.begin()) {
      ThreadPinning threads = lease.threads();
      threads.pin(PID, SLOW);
      fake.proc.end(PID);
      assertThat(threads.refresh()).isEmpty();
      fake.proc.process(PID, 6).thread(PID, PID, "redis-server", "2-3", 0);
      threads.pin(PID, SLOW);
      assertThat(fake.proc.cpus(PID, PID)).isEqualTo("1");
      threads.release(PID);
      assertThat(fake.proc.cpus(PID, PID)).isEqualTo("2-3");
      fake.proc.end(PID);
      assertThatThrownBy(() -> threads.pin(PID, SLOW)).isInstanceOf(BadRequestException.class);
    }
    assertThat(fake.clean()).isTrue();
  }

  @Test
  void aThreadThatCannotBeMovedLeavesAllWhereTheyWere() throws IOException {
    fake.proc.stuck.add(BIO);
    try (MachineLease lease = fake.begin()) {
      assertThatThrownBy(() -> lease.threads().pin(PID, SLOW))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("thread " + BIO);
      assertThat(places()).containsExactly("0-3", "0-2", "3");
    }
    assertThat(fake.clean()).isTrue();
  }

  /** This machine's kernel, by both ways: a thread of a real process moves and comes back. */
  @Test
  void realThreadsMoveByTheKernelsCallAndByTaskset() throws IOException, InterruptedException {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try {
      int pid = (int) sleep.pid();
      CpuSet all = ProcFs.machine().allowed(pid, pid);
      CpuSet last = CpuSet.of(all.cpus().get(all.cpus().size() - 1));
      CpuSet first = CpuSet.of(all.cpus().get(0));
      assertThat(NativeAffinity.isAvailable()).isTrue();
      for (ThreadAffinity way : List.of(new NativeAffinity(), new TasksetAffinity())) {
        assertThat(way.lack()).isEmpty();
        for (CpuSet cpus : List.of(last, first, all)) {
          way.set(pid, cpus);
          assertThat(ProcFs.machine().allowed(pid, pid)).isEqualTo(cpus);
        }
        assertThatThrownBy(() -> way.set(pid, CpuSet.of(8_000)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("thread " + pid);
      }
    } finally {
      sleep.destroyForcibly().waitFor();
    }
  }

  private List<String> places() {
    return List.of(fake.proc.cpus(PID, PID), fake.proc.cpus(PID, IO), fake.proc.cpus(PID, BIO));
  }
}
