package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCpuTest {
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  @TempDir Path proc;

  @Test
  void readsCpuTimeAndMemory() throws Exception {
    put(42, "S", 150, 50, 7);
    ProcessCpu reader = ProcessCpu.of(proc, 100, 4096);
    NodeUsage usage = reader.read(reader.identify(42));
    assertThat(usage.cpuNanos()).isEqualTo(2_000_000_000L);
    assertThat(usage.rssBytes()).isEqualTo(1000 * 4096);
    assertThat(reader.tickNanos()).isEqualTo(10_000_000L);
  }

  @Test
  void readsDiskBytesWhereItMay() throws Exception {
    put(42, "S", 150, 50, 7);
    ProcessCpu reader = ProcessCpu.of(proc, 100, 4096);
    NodeProcess process = reader.identify(42);
    assertThat(reader.read(process).diskReadBytes()).isEqualTo(NodeUsage.UNKNOWN);
    assertThat(reader.read(process).diskWriteBytes()).isEqualTo(NodeUsage.UNKNOWN);
    Files.writeString(
        proc.resolve("42/io"),
        "rchar: 9\nwchar: 9\nread_bytes: 4096\nwrite_bytes: 512\ncancelled_write_bytes: 7\n");
    assertThat(reader.read(process).diskReadBytes()).isEqualTo(4096);
    assertThat(reader.read(process).diskWriteBytes()).isEqualTo(512);
  }

  @Test
  void idThatIsUsedAgainIsNoticed() throws Exception {
    put(42, "S", 150, 50, 7);
    ProcessCpu reader = ProcessCpu.of(proc, 100, 4096);
    NodeProcess process = reader.identify(42);
    put(42, "R", 1, 1, 8);
    assertThatThrownBy(() -> reader.read(process))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("42")
        .hasMessageContaining("another process");
  }

  @Test
  void processThatEndedIsAnErrorNotZero() throws Exception {
    ProcessCpu reader = ProcessCpu.of(proc, 100, 4096);
    put(42, "Z", 150, 50, 7);
    assertThatThrownBy(() -> reader.read(new NodeProcess(42, 7)))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("has ended");
    assertThatThrownBy(() -> reader.identify(43))
        .isInstanceOfSatisfying(
            MeterException.class,
            e -> {
              assertThat(e.what()).isEqualTo("process 43 is not running");
              assertThat(e.where()).isEqualTo(proc.resolve("43/stat").toString());
              assertThat(e.remedy()).isNotEmpty();
              assertThat(e.toFailedWork().exitCode()).isEqualTo(1);
            });
  }

  @Test
  void fileThatMakesNoSenseIsAnError() throws Exception {
    Files.createDirectories(proc.resolve("42"));
    Files.writeString(proc.resolve("42/stat"), "nonsense");
    assertThatThrownBy(() -> ProcessCpu.of(proc, 100, 4096).identify(42))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void burntCpuSecondsOfARealProcessAreAccountedFor() throws Exception {
    ProcessCpu reader = ProcessCpu.ofThisMachine();
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                Path.of(Burner.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString(),
                Burner.class.getName(),
                "600")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader answers =
        new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
      NodeProcess process = reader.identify(child.pid());
      MeteredNode node = new MeteredNode("n1", NODE);
      AtomicLong clock = new AtomicLong();
      ProcessUsage usage =
          new ProcessUsage(ProcessCpu.ofThisMachine(clock::get), List.of(node), Map.of(0, process));
      double beforeOpening = usage.read(0).cpuNanos() / 1e9;
      ModelMeter meter = new ModelMeter(usage, List.of(NODE), reader.tickNanos());
      double opened = usage.read(0).cpuNanos() / 1e9;

      long[] before = answer(answers);
      clock.set(10_000_000_000L);
      EnergyReading energy = meter.read(0);
      NodeUsage read = usage.read(0);
      child.getOutputStream().write('\n');
      child.getOutputStream().flush();
      long[] after = answer(answers);

      // The kernel's figure lies between the child's own before and after, give or take the ticks
      // that user and system time of either are cut to.
      long ticks = 2 * reader.tickNanos();
      assertThat(before[0]).isGreaterThanOrEqualTo(600_000_000L);
      assertThat(read.cpuNanos()).isBetween(before[1] - ticks, after[1] + ticks);
      assertThat(read.cpuNanos()).isGreaterThanOrEqualTo(before[0] - ticks);
      assertThat(read.rssBytes()).isGreaterThan(1 << 20);

      // 75 W for 10 s, and 75 W more for each of 40 core seconds used since the opening. The child
      // burns on while the meter is opened and read, for as long as this machine takes to do so.
      double wattsOfACore = 75.0 / 4;
      double atLeast = before[1] / 1e9 - opened - ticks / 1e9;
      double atMost = read.cpuNanos() / 1e9 - beforeOpening + ticks / 1e9;
      assertThat(energy.joules())
          .isBetween(750 + wattsOfACore * atLeast - 1e-6, 750 + wattsOfACore * atMost + 1e-6);
      assertThat(meter.clampedShare()).isZero();

      child.destroyForcibly();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> meter.read(0))
                      .isInstanceOf(MeterException.class)
                      .hasMessageContaining("node n1")
                      .hasMessageContaining("process " + child.pid()));
    } finally {
      child.destroyForcibly();
    }
  }

  private static long[] answer(BufferedReader answers) throws IOException {
    String[] parts = answers.readLine().split(" ", -1);
    return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1])};
  }

  private void put(long pid, String state, long user, long system, long start) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        folder.resolve("stat"),
        "%d (a (b) c) %s 1 1 1 0 -1 0 0 0 0 0 %d %d 30 20 20 0 9 0 %d 5000 1000 18446744073709551615\n"
            .formatted(pid, state, user, system, start));
  }
}
