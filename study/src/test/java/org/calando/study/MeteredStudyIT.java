package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.power.powercap.PowercapTree;
import org.calando.power.snmp.RealSnmpd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Studies on a real cluster whose energy instruments tell, not a model. */
@ExtendWith(SharedCluster.class)
class MeteredStudyIT {
  private static final String RUN = "one-150ps-r1";

  @TempDir Path folder;

  @Test
  void outletsOfAPduGiveEachNodesEnergy() throws Exception {
    try (RealSnmpd pdu = RealSnmpd.start(folder.resolve("pdu"))) {
      pdu.showApc(1, 100, 5).showApc(2, 120, 5).showApc(3, 140, 5);
      TestStudy study = study("snmp", "4s", onOutlets(pdu), "5s");
      study.runWell();

      JsonNode row = study.row(RUN);
      double seconds = row.path("duration_s").asDouble();
      assertThat(row.path("meter").asText()).isEqualTo("snmp");
      assertThat(row.path("provenance").asText()).isEqualTo("measured");
      assertThat(row.path("power_scope").asText()).isEqualTo("host");
      assertThat(row.path("power_mean_w").asDouble()).isCloseTo(360, withPercentage(1));
      // A busy machine reads the window's edges late.
      assertThat(row.path("energy_j").asDouble()).isCloseTo(360 * seconds, within(360 * 1.0));
      assertThat(row.path("energy_net_j").asDouble()).isBetween(-1.0, 1.0);
      assertThat(row.path("power_max_min").asDouble()).isCloseTo(40, withPercentage(1));
      assertThat(row.path("cpu_s").asDouble()).isPositive();
      JsonNode power = study.environment().path("power");
      assertThat(power.path("instruments").toString()).contains("outlet 1 of", "outlet 3 of");
      // The test's outlets are said to feed the machine that the nodes' processes are on: this one.
      assertThat(power.path("load_generator").asText()).isEqualTo("inside");
      assertThat(study.text("report.html")).contains("snmp");
      networkOfEveryNodeIsCounted(study);
    }
  }

  private static void networkOfEveryNodeIsCounted(TestStudy study) {
    List<String> lines = study.text("runs/" + RUN + "/nodes.csv").lines().toList();
    int received = List.of(lines.get(0).split(",", -1)).indexOf("net_received_bytes");
    for (String node : List.of("n1", "n2", "n3")) {
      long bytes =
          lines.stream()
              .filter(line -> line.contains("," + node + ","))
              .map(line -> line.split(",", -1)[received])
              .filter(text -> !text.isEmpty())
              .mapToLong(Long::parseLong)
              .sum();
      assertThat(bytes).as("bytes that %s received", node).isPositive();
    }
  }

  @Test
  void pduThatDiesAndReturnsInARunLeavesAGapAndNoInventedEnergy() throws Exception {
    try (RealSnmpd pdu = RealSnmpd.start(folder.resolve("pdu"))) {
      pdu.showApc(1, 100, 5).showApc(2, 120, 5).showApc(3, 140, 5);
      TestStudy study = study("snmp", "0s", onOutlets(pdu), "15s");
      Thread[] fault = new Thread[1];
      Progress progress =
          TestStudy.when(
              "[1-9]\\d* operations",
              () -> {
                fault[0] = new Thread(() -> dieFor(pdu, Duration.ofSeconds(4)), "pdu-fault");
                fault[0].start();
              });
      StudyRunner.Result result = study.run(progress, new StopSignal(), false);
      fault[0].join();

      assertThat(result.failed()).isEmpty();
      JsonNode row = study.row(RUN);
      assertThat(row.path("energy_j").asText()).isEmpty();
      assertThat(row.path("joules_per_kop").asText()).isEmpty();
      assertThat(row.path("throughput_ops_s").asDouble()).isPositive();
      JsonNode summary = study.summary(RUN);
      assertThat(summary.path("energy").path("coverage").asDouble()).isBetween(0.1, 0.9);
      assertThat(summary.path("notes").toString()).contains("node n1", "outlet 1 of");
      List<String> lines = study.text("runs/" + RUN + "/nodes.csv").lines().toList();
      int gap = List.of(lines.get(0).split(",", -1)).indexOf("gap");
      assertThat(lines.stream().skip(1).filter(line -> line.split(",", -1)[gap].equals("1")))
          .hasSizeGreaterThanOrEqualTo(3 * 3);
      // It answered again before the end.
      assertThat(lines.get(lines.size() - 1).split(",", -1)[gap]).isEqualTo("0");
    }
  }

  private static void dieFor(RealSnmpd pdu, Duration time) {
    try {
      pdu.kill();
      AtomicInteger asked = new AtomicInteger();
      // The fault has a length of its own; nothing is expected to happen in it.
      await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> asked.incrementAndGet() > 0);
      pdu.restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void nodesOnOneMeteredMachineShareWhatItsCounterTells() throws Exception {
    PowercapTree tree = new PowercapTree(folder.resolve("powercap"));
    tree.zone("intel-rapl:0", "package-0", 262_143_328_850L, 262_143_000_000L);
    String inventory =
        SharedCluster.inventory().replaceAll("(pid: \\d+)", "$1, power: {powercap: powercap}");
    ScheduledExecutorService machine = Executors.newSingleThreadScheduledExecutor();
    try {
      // 200 W, told twenty times a second.
      var unused =
          machine.scheduleAtFixedRate(
              () -> tree.add("intel-rapl:0", 10_000_000), 0, 50, TimeUnit.MILLISECONDS);
      TestStudy study = study("auto", "0s", inventory, "4s");
      study.runWell();
      JsonNode row = study.row(RUN);
      assertThat(row.path("meter").asText()).isEqualTo("powercap");
      assertThat(row.path("provenance").asText()).isEqualTo("attributed");
      // Who tells it does so late on a busy machine, and makes up for it: at the window's edges
      // that is energy too much or too little.
      assertThat(row.path("power_mean_w").asDouble()).isCloseTo(200, withPercentage(50));
      double sum = 0;
      double cpu = 0;
      JsonNode nodes = study.summary(RUN).path("energy").path("nodes");
      for (JsonNode node : nodes) {
        sum += node.path("energy_j").asDouble();
        cpu += node.path("cpu_s").asDouble();
      }
      assertThat(sum).isCloseTo(row.path("energy_j").asDouble(), withPercentage(0.01));
      for (JsonNode node : nodes) {
        double share = node.path("cpu_s").asDouble() / cpu;
        assertThat(node.path("energy_j").asDouble()).isCloseTo(sum * share, withPercentage(25));
      }
      JsonNode power = study.environment().path("power");
      assertThat(power.path("load_generator").asText()).isEqualTo("inside");
      assertThat(power.path("reasons").toString()).contains("snmp: no outlet", "powercap: chosen");
    } finally {
      machine.shutdownNow();
    }
  }

  private static String onOutlets(RealSnmpd pdu) {
    String inventory = SharedCluster.inventory();
    for (int outlet = 1; outlet <= 3; outlet++) {
      inventory =
          inventory.replaceAll(
              "(\\{name: n" + outlet + ".*)\\}",
              "$1, power: {snmp: pdu1, outlet: " + outlet + "}}");
    }
    return inventory
        + "pdus:\n  pdu1: {address: 127.0.0.1, port: %d, mib: apc, community-file: pdu/community}\n"
            .formatted(pdu.port());
  }

  private TestStudy study(String meter, String baseline, String inventory, String duration) {
    TestStudy.write(folder.resolve("cluster.yaml"), inventory);
    return TestStudy.of(
        folder,
        """
        study: metered
        store: {engine: cassandra, inventory: cluster.yaml, rf: 3, keyspace: metered}
        power: {meter: %s, baseline: %s}
        workload: {preset: heavy-update, records: 50}
        matrix: {consistency: [ONE], rate: [150/s], duration: %s}
        repeats: 1
        """
            .formatted(meter, baseline, duration));
  }
}
