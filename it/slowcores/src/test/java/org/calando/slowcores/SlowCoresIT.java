package org.calando.slowcores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a real server. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SlowCoresIT {
  private static final Path SERVER = Path.of("/usr/bin/redis-server");

  @TempDir Path folder;
  private Path tree;
  private SlowCores cores;
  private ProbedServer server;
  private final List<String> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void startAServerAtFullSpeed() throws IOException {
    tree = folder.resolve("cpufreq");
    policy("policy0", "acpi-cpufreq", "userspace", "0 1");
    policy("policy2", "intel_pstate", "powersave", "2-3");
    cores = SlowCores.start(folder.resolve("slow"), tree);
    server = ProbedServer.start(cores, SERVER, folder.resolve("n2"));
  }

  @AfterEach
  void end() {
    server.close();
    cores.close();
  }

  @Test
  void theMainThreadIsAsSlowAsAsked() {
    for (double slowdown : new double[] {1.5, 2.2}) {
      Calibration calibration =
          Calibration.of(cores, server.pid(), slowdown, 5, 1_000, server::get);
      System.out.println(calibration.describe());
      // The server's count is exact but for looks at the clock; the kernel's, which is printed, is
      // of
      // turns that differ by what else ran.
      assertThat(calibration.counted()).isBetween(0.99 * slowdown, 1.05 * slowdown);
    }
    Calibration none = Calibration.of(cores, server.pid(), 1, 5, 1_000, server::get);
    assertThat(none.counted()).isEqualTo(1);
  }

  @Test
  void theSlowdownFollowsTheTree() throws IOException {
    long pid = server.pid();
    assertThat(cores.slowdown(pid, ThreadKind.MAIN)).isEqualTo(1);
    write("policy0", "scaling_setspeed", "1000000");
    cores.place(pid, ThreadKind.MAIN, 1);
    cores.place(pid, ThreadKind.IO, 3);
    assertThat(cores.slowdown(pid, ThreadKind.MAIN)).isCloseTo(2.2, within(1e-9));
    assertThat(cores.slowdown(pid, ThreadKind.IO)).isEqualTo(1);
    // Noticed without being asked; a driver of this kind is capped.
    write("policy2", "scaling_max_freq", "1100000");
    while (cores.slowdown(pid, ThreadKind.IO) != 2) {
      Thread.onSpinWait();
    }
    write("policy0", "scaling_setspeed", "2200000");
    while (cores.slowdown(pid, ThreadKind.MAIN) != 1) {
      Thread.onSpinWait();
    }
    // What cannot be read changes nothing, and is told; so is, for a moment, an emptied file.
    write("policy0", "scaling_setspeed", "fast");
    while (!cores.trouble().contains("'fast'")) {
      Thread.onSpinWait();
    }
    assertThat(cores.trouble()).contains("scaling_setspeed");
    assertThat(cores.slowdown(pid, ThreadKind.IO)).isEqualTo(2);
  }

  @Test
  void serversThatOthersStartArePlacedByTheirFoldersNames() throws IOException {
    write("policy0", "scaling_setspeed", "1000000");
    write("policy2", "scaling_max_freq", "1100000");
    try (SlowServers servers = SlowServers.follow(cores, told::add);
        ProbedServer first = ProbedServer.start(cores, SERVER, folder.resolve("n1"));
        ProbedServer sentinel = ProbedServer.start(cores, SERVER, folder.resolve("s1"));
        ProbedServer third = ProbedServer.start(cores, SERVER, folder.resolve("n3"))) {
      while (servers.placed().size() < 2) {
        Thread.onSpinWait();
      }
      assertThat(servers.placed())
          .containsOnly(Map.entry(first.pid(), "n1"), Map.entry(third.pid(), "n3"));
      assertThat(cores.slowdown(first.pid(), ThreadKind.MAIN)).isCloseTo(2.2, within(1e-9));
      assertThat(cores.slowdown(third.pid(), ThreadKind.IO)).isEqualTo(2);
      assertThat(cores.slowdown(sentinel.pid(), ThreadKind.MAIN)).isEqualTo(1);
    }
    assertThat(told).isEmpty();
  }

  @Test
  void aProcessThatCannotBeSlowedIsNamed() {
    long pid = ProcessHandle.current().pid();
    assertThatThrownBy(() -> cores.place(pid, ThreadKind.MAIN, 0))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(String.valueOf(pid));
    assertThatThrownBy(() -> cores.place(server.pid(), ThreadKind.MAIN, 9))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("core 9");
  }

  private void policy(String name, String driver, String governor, String cpus) throws IOException {
    Files.createDirectories(tree.resolve(name));
    List<List<String>> files =
        List.of(
            List.of("scaling_driver", driver),
            List.of("scaling_governor", governor),
            List.of("related_cpus", cpus),
            List.of("cpuinfo_max_freq", "2200000"),
            List.of("scaling_max_freq", "2200000"),
            List.of("scaling_min_freq", "1000000"),
            List.of(
                "scaling_setspeed", governor.equals("userspace") ? "2200000" : "<unsupported>"));
    for (List<String> file : files) {
      write(name, file.get(0), file.get(1));
    }
  }

  private void write(String policy, String file, String text) throws IOException {
    Files.writeString(tree.resolve(policy).resolve(file), text + "\n");
  }
}
