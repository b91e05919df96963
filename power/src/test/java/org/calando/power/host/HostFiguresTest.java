package org.calando.power.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts for a machine's figures, on pages and files that the test writes. */
class HostFiguresTest {
  private static final String PAGE =
      """
      node_cpu_seconds_total{cpu="0",mode="idle"} 1000
      node_cpu_seconds_total{cpu="0",mode="iowait"} 50
      node_cpu_seconds_total{cpu="0",mode="steal"} 7
      node_cpu_seconds_total{cpu="0",mode="user"} 10
      node_cpu_seconds_total{cpu="0",mode="system"} 5
      node_cpu_seconds_total{cpu="1",mode="idle"} 1000
      node_cpu_seconds_total{cpu="1",mode="irq"} 1
      node_cpu_seconds_total{cpu="1",mode="nice"} 2
      node_cpu_guest_seconds_total{cpu="0",mode="user"} 9
      node_boot_time_seconds 1.7e+09
      """;
  private static final String MORE =
      """
      node_memory_MemTotal_bytes 8000
      node_memory_MemAvailable_bytes 3000
      node_disk_read_bytes_total{device="sda"} 100
      node_disk_read_bytes_total{device="sda1"} 90
      node_disk_read_bytes_total{device="dm-0"} 80
      node_disk_read_bytes_total{device="nvme0n1"} 11
      node_disk_read_bytes_total{device="nvme0n1p2"} 10
      node_disk_written_bytes_total{device="sda"} 200
      node_network_receive_bytes_total{device="eth0"} 300
      node_network_receive_bytes_total{device="lo"} 999
      node_network_receive_bytes_total{device="veth12ab"} 99
      node_network_transmit_bytes_total{device="eth0"} 400
      node_network_transmit_bytes_total{device="bond0"} 401
      """;

  @TempDir Path proc;

  @Test
  void pageIsAddedUpOnceEach() throws Exception {
    assertThat(page(PAGE + MORE, new BootTrack()))
        .isEqualTo(new NodeUsage(7, 0, 18_000_000_000L, 2, -1, 5000, 111, 200, 300, 400));
  }

  @Test
  void whatThePageDoesNotShowIsUnknown() throws Exception {
    NodeUsage usage = page(PAGE, new BootTrack());
    assertThat(usage).isEqualTo(new NodeUsage(7, 0, 18_000_000_000L, 2, -1, -1, -1, -1, -1, -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html><body>It works!</body></html>",
        "node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} NaN",
        "node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} -1"
      })
  void pageWithoutCpuTimeIsAnError(String text) {
    assertThatThrownBy(() -> page(text, new BootTrack()))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("node_cpu_seconds_total");
  }

  @Test
  void bootIsNoticedAndAClockThatIsSetIsNone() {
    BootTrack boots = new BootTrack();
    long first = boots.incarnation(1000, 50_000_000_000L);
    assertThat(boots.incarnation(1003, 51_000_000_000L)).isEqualTo(first);
    long second = boots.incarnation(5000, 52_000_000_000L);
    assertThat(second).isNotEqualTo(first);
    assertThat(boots.incarnation(5001, 3_000_000_000L)).isNotIn(first, second);
    BootTrack unknown = new BootTrack();
    long only = unknown.incarnation(Double.NaN, 10_000_000_000L);
    assertThat(unknown.incarnation(Double.NaN, 11_000_000_000L)).isEqualTo(only);
    assertThat(unknown.incarnation(Double.NaN, 1_000_000_000L)).isNotEqualTo(only);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sda", "sdaa", "vda", "xvdb", "hdc", "nvme0n1", "nvme10n2", "mmcblk0"})
  void wholeDisksCount(String device) {
    assertThat(Devices.isDisk(device)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sda1",
        "vda15",
        "xvdb2",
        "nvme0n1p1",
        "nvme0c1n1",
        "mmcblk0p1",
        "mmcblk0boot0",
        "loop3",
        "ram0",
        "dm-12",
        "md127",
        "zram0",
        "sr0",
        "fd0"
      })
  void partsOfDisksDoNot(String device) {
    assertThat(Devices.isDisk(device)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth0", "eno1", "ens5", "enp0s31f6", "ib0", "wlan0", "wlp2s0"})
  void interfacesCount(String device) {
    assertThat(Devices.isNetwork(device)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "lo", "veth1a2b", "docker0", "br-1f", "br0", "virbr0", "bond0", "eth0.100"})
  void whatLiesAboveThemDoesNot(String device) {
    assertThat(Devices.isNetwork(device)).isFalse();
  }

  @Test
  void procOfAMachine() throws Exception {
    put("stat", "cpu  100 20 30 4000 50 6 7 8 90 10\ncpu0 1 2\ncpu1 1 2\nintr 5\nbtime 17\n");
    put("meminfo", "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  400 kB\n");
    put(
        "diskstats",
        """
           8       0 sda 10 0 4 0 20 0 6 0 0 0 0
           8       1 sda1 10 0 3 0 20 0 5 0 0 0 0
           7       0 loop0 1 0 9 0 2 0 9 0 0 0 0
         259       0 nvme0n1 1 0 2 0 1 0 3 0 0 0 0 0 0 0 0
        """);
    put(
        "net/dev",
        """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
            lo: 777 1 0 0 0 0 0 0 777 1 0 0 0 0 0 0
          eth0: 123 1 0 0 0 0 0 0 45 1 0 0 0 0 0 0
        ens5:1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0
        """);
    NodeUsage usage = local();
    assertThat(usage.cpuNanos()).isEqualTo(1_630_000_000L);
    assertThat(usage.hostCores()).isEqualTo(2);
    assertThat(usage.rssBytes()).isEqualTo(NodeUsage.UNKNOWN);
    assertThat(usage.memoryBytes()).isEqualTo(600 * 1024);
    assertThat(usage.diskReadBytes()).isEqualTo(6 * 512);
    assertThat(usage.diskWriteBytes()).isEqualTo(9 * 512);
    assertThat(usage.netReceivedBytes()).isEqualTo(1123);
    assertThat(usage.netSentBytes()).isEqualTo(2045);
  }

  @Test
  void procThatHidesFilesLeavesBlanks() throws Exception {
    put("stat", "cpu  100 20 30 4000 50 6 7 8 90 10\ncpu0 1\n");
    put("meminfo", "MemTotal: much kB\n");
    assertThat(local())
        .extracting(
            NodeUsage::memoryBytes,
            NodeUsage::diskReadBytes,
            NodeUsage::diskWriteBytes,
            NodeUsage::netReceivedBytes,
            NodeUsage::netSentBytes)
        .containsOnly(NodeUsage.UNKNOWN);
    put("stat", "nonsense\n");
    assertThatThrownBy(this::local).isInstanceOf(MeterException.class);
  }

  private NodeUsage local() throws Exception {
    try (HostProbe probe = LocalHost.probe(proc, 100, Ticker.system())) {
      return probe.sample(Long.MAX_VALUE);
    }
  }

  private static NodeUsage page(String text, BootTrack boots) throws MeterException {
    NodeExporterPage page = new NodeExporterPage();
    Exposition.read(text, page);
    return page.figures(7, boots, "a page");
  }

  private void put(String name, String text) throws Exception {
    Path file = proc.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
