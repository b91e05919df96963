package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.RestoreReport.Item;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that hold clocks and end, with their real guards. */
class LeaseEndsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  /** A process that holds the clocks of a tree, and its guard. */
  private final class Holder implements AutoCloseable {
    final FakeMachine fake;
    final Map<String, String> before;
    final Process process;
    final BufferedReader out;
    long guard;

    Holder(String name, Kind kind) throws IOException {
      fake = new FakeMachine(folder.resolve(name), kind, 2);
      // the kernel is not there to say so: a plain file keeps what was written
      before = fake.tree.saved();
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LeaseHolder.class.getName(),
                  fake.folder.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    void awaitHeld() throws IOException {
      String line = out.readLine();
      assertThat(line).startsWith("holds ");
      guard = Long.parseLong(line.substring("holds ".length()));
      assertThat(fake.tree.saved()).isNotEqualTo(before);
    }

    void awaitRestored() {
      await().atMost(LONG).until(() -> fake.tree.saved().equals(before));
      await().atMost(LONG).until(() -> ProcFs.machine().startTicks(guard).isEmpty());
      await().atMost(LONG).until(() -> fake.folders.all().isEmpty());
    }

    @Override
    public void close() {
      process.destroyForcibly();
      ProcessHandle.of(guard).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void afterAnOrderlyEndASigtermAndAKillAllIsAsItWas() throws IOException, InterruptedException {
    try (Holder orderly = new Holder("orderly", Kind.ACPI_CPUFREQ);
        Holder terminated = new Holder("terminated", Kind.INTEL_ACTIVE);
        Holder killed = new Holder("killed", Kind.AMD_PASSIVE)) {
      orderly.awaitHeld();
      terminated.awaitHeld();
      killed.awaitHeld();

      orderly.process.getOutputStream().close();
      // SIGTERM also to the guard, as a service manager sends it to all
      ProcessHandle.of(terminated.guard).ifPresent(ProcessHandle::destroy);
      terminated.process.destroy();
      killed.process.destroyForcibly();

      assertThat(orderly.process.waitFor()).isZero();
      orderly.awaitRestored();
      terminated.awaitRestored();
      killed.awaitRestored();
    }
  }

  @Test
  void aGuardThatDiesIsReplacedAndWithoutAnyTheCommandRestores()
      throws IOException, InterruptedException {
    try (Holder holder = new Holder("alone", Kind.CPPC)) {
      holder.awaitHeld();
      ProcessHandle.of(holder.guard).orElseThrow().destroyForcibly();
      assertThat(holder.out.readLine()).isEqualTo("told");

      // both at once: the new guard may be up by now or not
      holder.process.destroyForcibly();
      holder.process.waitFor();
      RestoreReport report =
          new Restorer(
                  new Machine(
                      holder.fake.tree.root, SysfsFiles.real(), ProcFs.machine(), holder.fake.proc),
                  holder.fake.folders,
                  Restorer.Mode.RESTORE,
                  false)
              .restoreAll();
      assertThat(report.items())
          .extracting(Item::state)
          .doesNotContain(RestoreReport.State.LEFT, RestoreReport.State.IN_USE);
      assertThat(holder.fake.tree.saved()).isEqualTo(holder.before);
    }
  }
}
