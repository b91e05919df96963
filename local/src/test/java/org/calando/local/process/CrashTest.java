package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What remains of a run whose owner is gone. */
class CrashTest {
  private static final ProcessIdentity DEAD = new ProcessIdentity(1, -1);

  @TempDir Path base;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void guardEndsTheProcessesAndRemovesTheFolderOfAKilledOwner() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                base.resolve("runs").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    started.add(owner);
    String[] told = owner.inputReader().readLine().split(" ", -1);
    ProcessIdentity child = ProcessIdentity.of(Long.parseLong(told[0])).orElseThrow();
    ProcessIdentity guard = ProcessIdentity.of(Long.parseLong(told[1])).orElseThrow();

    guard.terminate();
    assertThat(child.isAlive()).isTrue();
    owner.destroyForcibly().waitFor();

    await().atMost(Duration.ofSeconds(60)).until(() -> !guard.isAlive());
    // It was sent SIGKILL, which the kernel may take a moment to carry out.
    await().atMost(Duration.ofSeconds(60)).until(() -> !child.isAlive());
    assertThat(base.resolve("runs")).doesNotExist();
  }

  /** Starts a child and a guard, tells their numbers, and waits to be killed. */
  public static final class Owner {
    private Owner() {}

    public static void main(String[] args) throws Exception {
      RunFolder folder =
          RunFolder.temporary(Path.of(args[0]), "sleep", JsonNodeFactory.instance.objectNode());
      Guard guard = Guard.over(folder);
      Process child = new ProcessBuilder("setsid", "sleep", "60").start();
      folder.record("s1", ProcessIdentity.of(child.pid()).orElseThrow());
      System.out.println(child.pid() + " " + guard.pid());
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aReleasedGuardDoesNothing() throws IOException {
    RunFolder folder = folder();
    ProcessIdentity child = sleep();
    folder.record("s1", child);
    Guard guard = Guard.over(folder);
    guard.release();
    guard.release();
    assertThat(ProcessIdentity.of(guard.pid())).isEmpty();
    assertThat(child.isAlive()).isTrue();
    assertThat(folder.path()).isDirectory();
  }

  @Test
  void sweepEndsWhatADeadOwnerLeft() throws IOException {
    RunFolder folder = folder();
    ProcessIdentity child = sleep();
    folder.record("n1", child);
    abandon(folder);

    List<Leftovers.Removed> removed = Leftovers.sweep(base);

    assertThat(removed).hasSize(1);
    assertThat(removed.get(0).toString())
        .isEqualTo("removed " + folder.path() + ", ended n1 (pid " + child.pid() + ")");
    assertThat(child.isAlive()).isFalse();
    assertThat(folder.path()).doesNotExist();
  }

  @Test
  void sweepSparesAProcessThatHasTheNumberOfARecordedOne() throws IOException {
    RunFolder folder = folder();
    ProcessIdentity stranger = sleep();
    folder.record("n1", new ProcessIdentity(stranger.pid(), stranger.startTicks() - 1));
    abandon(folder);
    List<Leftovers.Removed> removed = Leftovers.sweep(base);
    assertThat(removed).hasSize(1);
    assertThat(removed.get(0).ended()).isEmpty();
    assertThat(stranger.isAlive()).isTrue();
    assertThat(folder.path()).doesNotExist();
  }

  @Test
  void sweepSparesTheRunsOfLivingOwnersAndUnknownFolders() throws IOException {
    RunFolder folder = folder();
    Path unknown = Files.createDirectory(base.resolve("something"));
    Path dead = Files.createDirectory(base.resolve("cassandra-" + deadPid() + "-123"));
    assertThat(Leftovers.sweep(base)).extracting(Leftovers.Removed::folder).containsExactly(dead);
    assertThat(folder.path()).isDirectory();
    assertThat(unknown).isDirectory();
  }

  @Test
  void runFoldersAreForTheirOwnerOnlyAndGoWithTheLastRun() throws IOException {
    Path runs = base.resolve("runs");
    RunFolder folder =
        RunFolder.temporary(runs, "cassandra", JsonNodeFactory.instance.objectNode());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
        .isEqualTo("rwx------");
    assertThat(RunFolder.open(folder.path()).state()).isEqualTo(folder.state());
    folder.remove();
    assertThat(runs).doesNotExist();
  }

  private RunFolder folder() {
    return RunFolder.temporary(base, "cassandra", JsonNodeFactory.instance.objectNode());
  }

  private static void abandon(RunFolder folder) throws IOException {
    RunState state = folder.state();
    new RunState(state.engine(), DEAD, false, state.children(), state.cluster())
        .writeInto(folder.path());
  }

  private ProcessIdentity sleep() throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    started.add(process);
    return ProcessIdentity.of(process.pid()).orElseThrow();
  }

  private long deadPid() throws IOException {
    Process process = new ProcessBuilder("true").start();
    process.onExit().join();
    return process.pid();
  }
}
