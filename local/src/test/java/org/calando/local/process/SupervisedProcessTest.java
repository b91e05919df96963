package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisedProcessTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin/java").toString();

  @TempDir Path folder;

  @Test
  void anUnaskedExitIsNoticed() throws Exception {
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    SupervisedProcess process = start("sleep 60", exit::complete);
    process.identity().kill();
    assertThat(exit.get(60, TimeUnit.SECONDS)).isEqualTo(128 + 9);
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void anAskedExitIsNotTold() {
    AtomicInteger told = new AtomicInteger();
    SupervisedProcess process = start("sleep 60", code -> told.incrementAndGet());
    process.stop(Duration.ofSeconds(60));
    assertThat(process.identity().isAlive()).isFalse();
    assertThat(told).hasValue(0);
  }

  @Test
  void whatIgnoresSigtermIsKilled() {
    SupervisedProcess process =
        start("trap '' TERM; echo up; while :; do sleep 1; done", code -> {});
    process.awaitReady(() -> log().contains("up"), Duration.ofSeconds(60));
    process.stop(Duration.ofMillis(50));
    assertThat(process.identity().isAlive()).isFalse();
  }

  @Test
  void aDeathWhileStartingQuotesTheLog() {
    SupervisedProcess process = start("echo 'ERROR no luck'; exit 3", code -> {});
    assertThatThrownBy(() -> process.awaitReady(() -> false, Duration.ofSeconds(60)))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContainingAll("p ended with code 3 while starting", "ERROR no luck", "p.log");
  }

  @Test
  void readinessHasADeadline() {
    SupervisedProcess process = start("sleep 60", code -> {});
    try {
      assertThatThrownBy(() -> process.awaitReady(() -> false, Duration.ofMillis(30)))
          .hasMessageContaining("is not ready after");
    } finally {
      process.kill();
    }
  }

  @Test
  void aChildLeadsASessionOfItsOwnUnderTheSameNumber() throws IOException {
    SupervisedProcess process = start("sleep 60", code -> {});
    try {
      process.awaitReady(
          () -> session(process) == process.identity().pid(), Duration.ofSeconds(60));
    } finally {
      process.kill();
    }
    assertThat(session(process)).isNotEqualTo(process.identity().pid());
  }

  @Test
  void aNumberWithAnotherStartIsAnotherProcess() {
    ProcessIdentity self = ProcessIdentity.self();
    assertThat(self.isAlive()).isTrue();
    ProcessIdentity earlier = new ProcessIdentity(self.pid(), self.startTicks() - 1);
    assertThat(earlier.isAlive()).isFalse();
    earlier.kill();
    assertThat(Optional.of(self)).isEqualTo(ProcessIdentity.of(self.pid()));
  }

  @Test
  void aTetheredJavaEndsWithItsOwnersPipeAndCarriesOneClassOnly() throws Exception {
    Path jar = TetherJar.writeInto(folder);
    try (var entries = new JarFile(jar.toFile())) {
      assertThat(entries.stream().map(ZipEntry::getName))
          .containsExactly("org/calando/local/process/Tethered.class");
    }
    String testClasses =
        Path.of(Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Process process =
        new ProcessBuilder(
                JAVA,
                "-cp",
                testClasses + ":" + jar,
                Tethered.class.getName(),
                Sleeper.class.getName(),
                "argument")
            .redirectErrorStream(true)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("started with argument");
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(Tethered.OWNER_GONE);
  }

  /** A main class that runs until it is ended. */
  public static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] args) throws InterruptedException {
      System.out.println("started with " + args[0]);
      new CountDownLatch(1).await();
    }
  }

  private SupervisedProcess start(String script, IntConsumer onExit) {
    return SupervisedProcess.start(
        new SupervisedProcess.Spec(
            "p", List.of("/bin/sh", "-c", script), folder, folder.resolve("p.log"), true),
        onExit);
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("p.log"));
    } catch (IOException e) {
      return "";
    }
  }

  private static long session(SupervisedProcess process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.identity().pid() + "/stat"));
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
    } catch (IOException e) {
      return -1;
    }
  }
}
