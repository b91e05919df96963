package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.host.AgentHost;
import org.calando.power.host.HostProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostPageTest {
  private static final Ticker TICKER = Ticker.system();

  @TempDir Path folder;

  private static long soon() {
    return TICKER.nanos() + TimeUnit.SECONDS.toNanos(60);
  }

  @Test
  void theKernelsFilesAreToldInTheNamesOfNodeExporter() throws IOException {
    Files.writeString(
        folder.resolve("stat"),
        """
        cpu  300 0 100 1000 5 0 0 0 0 0
        cpu0 100 0 50 500 5 0 0 0 0 0
        cpu1 200 0 50 500 0 0 0 0 0 0
        intr 5 6
        btime 1700000000
        """);
    Files.writeString(
        folder.resolve("meminfo"), "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable: 400 kB\n");
    Files.writeString(folder.resolve("diskstats"), "   8       0 sda 10 0 4 0 20 0 6 0 0 0 0\n");
    Files.createDirectory(folder.resolve("net"));
    Files.writeString(
        folder.resolve("net/dev"),
        "Inter-|   Receive\n face |bytes packets\n  eth0: 7 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n");
    assertThat(new HostPage(folder).text().lines())
        .contains(
            "node_cpu_seconds_total{cpu=\"1\",mode=\"user\"} 2.0",
            "node_cpu_seconds_total{cpu=\"0\",mode=\"iowait\"} 0.05",
            "node_boot_time_seconds 1700000000",
            "node_memory_MemTotal_bytes 1024000",
            "node_memory_MemAvailable_bytes 409600",
            "node_disk_read_bytes_total{device=\"sda\"} 2048",
            "node_disk_written_bytes_total{device=\"sda\"} 3072",
            "node_network_receive_bytes_total{device=\"eth0\"} 7",
            "node_network_transmit_bytes_total{device=\"eth0\"} 9")
        .noneMatch(line -> line.contains("cpu=\"\""));
  }

  @Test
  void whatIsNotThereIsLeftOutButCpuTimeIsNeeded() throws IOException {
    assertThatThrownBy(() -> new HostPage(folder).text())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("stat");
    Files.writeString(folder.resolve("stat"), "cpu0 100 0 50 500 5 0 0 0 0 0\n");
    assertThat(new HostPage(folder).text().lines())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("node_cpu_seconds_total"));
  }

  /** Of this machine, by an agent that answers over HTTP. */
  @Test
  void aGovernorReadsWhatAnAgentsMachineUses() throws Exception {
    HostProbe probe;
    try (FakeAgent agent = FakeAgent.of(folder, 1)) {
      probe = new AgentHost(agent.node("n1", 0).agent()).open(TICKER);
      NodeUsage first = probe.sample(soon());
      assertThat(first.hostCores()).isPositive();
      assertThat(first.cpuNanos()).isPositive();
      assertThat(first.memoryBytes()).isPositive();
      NodeUsage second = probe.sample(soon());
      assertThat(second.incarnation()).isEqualTo(first.incarnation());
      assertThat(second.cpuNanos()).isGreaterThanOrEqualTo(first.cpuNanos());
    }
    try (HostProbe again = probe) {
      assertThatThrownBy(() -> again.sample(soon()))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("does not answer");
    }
  }
}
