package org.calando.power.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.NodeProcess;
import org.calando.power.NodeUsage;
import org.calando.power.ProcessCpu;
import org.calando.power.ProcessUsage;
import org.calando.power.Ticker;
import org.calando.power.internal.SystemConstants;
import org.calando.power.prometheus.Endpoint;
import org.calando.power.prometheus.PageServer;
import org.calando.power.prometheus.RealPrometheus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads this machine through a real node_exporter, directly and by way of a real Prometheus. */
class HostSourcesIT {
  private static final long SECOND = 1_000_000_000L;
  private static final Ticker TICKER = Ticker.system();
  private static final NodeProfile PROFILE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  @TempDir static Path folder;
  private static RealNodeExporter exporter;
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws Exception {
    exporter = new RealNodeExporter(folder);
    exporter.start();
    Path data = Files.createDirectories(folder.resolve("prometheus"));
    prometheus = new RealPrometheus(data, Map.of("node", exporter.hostAndPort()));
    prometheus.start();
  }

  @AfterAll
  static void stop() {
    prometheus.close();
    exporter.close();
  }

  @Test
  void burntCpuSecondsAreSeenByEveryWay() throws Exception {
    HostSource viaPrometheus =
        new PrometheusHostSource(prometheus.endpoint(), exporter.hostAndPort());
    for (HostSource source :
        List.of(new LocalHost(), new NodeExporterSource(exporter.page()), viaPrometheus)) {
      try (HostProbe probe = source.open(TICKER)) {
        long opened = TICKER.nanos();
        NodeUsage before = newerThan(probe, Long.MIN_VALUE);
        long burnt = burn(SECOND / 2);
        long burntBy = TICKER.nanos();
        NodeUsage after = newerThan(probe, burntBy);
        // What is dated when it is asked for is read later, on a busy machine much later.
        long seenBy = TICKER.nanos() + SECOND / 10;
        // Each of the fields that are added up may be cut to a tick, on each core.
        long slack = 6L * before.hostCores() * SECOND / SystemConstants.get().ticksPerSecond();
        long seen = after.cpuNanos() - before.cpuNanos();
        assertThat(seen).as(source.describe()).isGreaterThanOrEqualTo(burnt - slack);
        assertThat(seen)
            .as(source.describe())
            .isLessThanOrEqualTo(before.hostCores() * (seenBy - before.atNanos()) + slack);
        assertThat(after.incarnation()).isEqualTo(before.incarnation());
        assertThat(before.atNanos()).isGreaterThan(opened - 60 * SECOND);
      }
    }
  }

  @Test
  void exporterAndProcAgreeOnThisMachine() throws Exception {
    try (HostProbe local = new LocalHost().open(TICKER);
        HostProbe remote = new NodeExporterSource(exporter.page()).open(TICKER)) {
      NodeUsage before = sample(local);
      NodeUsage told = sample(remote);
      NodeUsage after = sample(local);
      long slack = 6L * before.hostCores() * SECOND / SystemConstants.get().ticksPerSecond();
      assertThat(told.cpuNanos()).isBetween(before.cpuNanos() - slack, after.cpuNanos() + slack);
      assertThat(told.hostCores()).isEqualTo(before.hostCores());
      assertThat(told.memoryBytes()).isPositive();
      assertThat(told.diskReadBytes()).isBetween(before.diskReadBytes(), after.diskReadBytes());
      assertThat(told.diskWriteBytes()).isBetween(before.diskWriteBytes(), after.diskWriteBytes());
      assertThat(told.netReceivedBytes())
          .isBetween(before.netReceivedBytes(), after.netReceivedBytes());
      assertThat(told.netSentBytes()).isBetween(before.netSentBytes(), after.netSentBytes());
    }
  }

  @Test
  void collectorsThatAreOffLeaveBlanks() throws Exception {
    Path logs = Files.createDirectories(folder.resolve("cpu-only"));
    try (RealNodeExporter cpuOnly = new RealNodeExporter(logs, List.of("cpu"))) {
      cpuOnly.start();
      try (HostProbe probe = new NodeExporterSource(cpuOnly.page()).open(TICKER)) {
        NodeUsage usage = sample(probe);
        assertThat(usage.cpuNanos()).isPositive();
        assertThat(usage.memoryBytes()).isEqualTo(NodeUsage.UNKNOWN);
        assertThat(usage.diskReadBytes()).isEqualTo(NodeUsage.UNKNOWN);
        assertThat(usage.netSentBytes()).isEqualTo(NodeUsage.UNKNOWN);
      }
    }
  }

  @Test
  void instanceThatPrometheusDoesNotKnowIsNamed() throws Exception {
    try (HostProbe probe =
        new PrometheusHostSource(prometheus.endpoint(), "10.9.8.7:9100").open(TICKER)) {
      assertThatThrownBy(() -> sample(probe))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("10.9.8.7:9100")
          .hasMessageContaining("no node_cpu_seconds_total");
    }
  }

  @Test
  void clusterMayBeHereAndElsewhereAndANodeMayBeDown() throws Exception {
    try (PageServer dead = new PageServer()) {
      dead.show("node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} 5\n");
      Optional<HostSource> remote = Optional.of(new NodeExporterSource(exporter.page()));
      Optional<HostSource> down =
          Optional.of(
              new NodeExporterSource(
                  Endpoint.of(URI.create("http://" + dead.hostAndPort() + "/metrics"))));
      List<MeteredNode> nodes =
          List.of(node("here"), node("there"), node("down"), node("beside"), node("nowhere"));
      ProcessCpu reader = ProcessCpu.ofThisMachine();
      NodeProcess own = reader.identify(ProcessHandle.current().pid());
      ProcessUsage processes = new ProcessUsage(reader, nodes, Map.of(0, own));
      try (RemoteUsage usage =
          new RemoteUsage(
              nodes,
              List.of(Optional.empty(), remote, down, remote, Optional.empty()),
              processes,
              TICKER)) {
        assertThat(usage.immediate()).isFalse();
        assertThatThrownBy(() -> usage.read(1)).hasMessageContaining("was not asked yet");
        refresh(usage);
        assertThat(usage.read(0).hostCores()).isZero();
        assertThat(usage.read(0).rssBytes()).isPositive();
        assertThat(usage.read(1).hostCores()).isPositive();
        assertThat(usage.read(3)).isSameAs(usage.read(1));
        assertThat(usage.read(2).cpuNanos()).isEqualTo(5 * SECOND);
        assertThatThrownBy(() -> usage.read(4))
            .isInstanceOf(MeterException.class)
            .hasMessageContaining("node nowhere");

        dead.stop();
        refresh(usage);
        assertThatThrownBy(() -> usage.read(2))
            .isInstanceOf(MeterException.class)
            .hasMessageContaining("node down")
            .hasMessageContaining(dead.hostAndPort());
        assertThat(usage.read(1).cpuNanos()).isPositive();
        dead.start();
        dead.answer(503);
        refresh(usage);
        assertThatThrownBy(() -> usage.read(2)).hasMessageContaining("HTTP 503");
        dead.answer(200);
        refresh(usage);
        assertThat(usage.read(2).cpuNanos()).isEqualTo(5 * SECOND);
      }
    }
  }

  @Test
  void endlessPageIsCutOff() throws Exception {
    try (PageServer endless = new PageServer()) {
      endless.show("node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} 5\n".repeat(200_000));
      URI page = URI.create("http://" + endless.hostAndPort() + "/metrics");
      try (HostProbe probe = new NodeExporterSource(Endpoint.of(page)).open(TICKER)) {
        assertThatThrownBy(() -> sample(probe))
            .isInstanceOf(MeterException.class)
            .hasMessageContaining("longer than");
      }
    }
  }

  private static MeteredNode node(String name) {
    return new MeteredNode(name, PROFILE);
  }

  private static void refresh(RemoteUsage usage) throws InterruptedException {
    usage.refresh(TICKER.nanos() + 20 * SECOND).await();
  }

  private static NodeUsage sample(HostProbe probe) throws MeterException, InterruptedException {
    return probe.sample(TICKER.nanos() + 10 * SECOND);
  }

  private static NodeUsage newerThan(HostProbe probe, long nanos) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsInstanceOf(MeterException.class)
        .until(() -> sample(probe), usage -> usage.atNanos() > nanos);
  }

  /** Burns CPU time on this thread and tells how much. */
  private static long burn(long nanos) {
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    long sum = 1;
    while (threads.getCurrentThreadCpuTime() - start < nanos) {
      for (int i = 0; i < 100_000; i++) {
        sum = sum * 6364136223846793005L + 1442695040888963407L;
      }
    }
    assertThat(sum).isNotEqualTo(1);
    return threads.getCurrentThreadCpuTime() - start;
  }
}
