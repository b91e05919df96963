package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The throughput of a real cluster's compactions, which the command sets and restores. */
class CompactionIT {
  private static final String ATTRIBUTE = "CompactionThroughputMbPerSec";
  private static final int BEFORE = 48;
  private static final int SET = 16;
  private static final Duration LONG = Duration.ofMinutes(2);

  private static LocalCassandra cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(2)
                .replicationFactor(2)
                .heapMebibytes(192)
                .block("127.48")
                .jmxPort(7800)
                .startTimeout(Duration.ofMinutes(5))
                .build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void asBefore() throws Exception {
    for (LocalNode node : cluster.nodes()) {
      try (JMXConnector connector = connect(node)) {
        connector.getMBeanServerConnection().setAttribute(bean(), new Attribute(ATTRIBUTE, BEFORE));
      }
    }
  }

  @Test
  void aStudySetsItBesideAPolicyOfLevelsAndRestoresIt() throws Exception {
    Path study = study("4s");
    try (CommandProcess doctor = command("doctor", study.toString())) {
      assertThat(doctor.stdout())
          .containsPattern("ok +knob compaction-throughput: .*\\s+is\\s+" + BEFORE);
    }
    try (CommandProcess command = start("study", study.toString())) {
      awaitSet(command);
      assertThat(command.exitCode()).as(command.stderr() + command.stdout()).isZero();
    }
    assertThat(limits()).containsOnly(BEFORE);
    Path out = folder.resolve("out/compactions");
    List<RunRow> rows = RunRows.read(out);
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).text("knob_compaction_throughput")).isEqualTo("backlog 16-64 at 20");
    try (CommandProcess replay = command("decisions", "replay", out.toString())) {
      assertThat(replay.exitCode()).as(replay.stdout()).isZero();
      assertThat(replay.stdout()).contains("All decisions are the same.");
    }
  }

  @Test
  void afterCtrlCItIsAsBefore() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      command.signal("INT");
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(130);
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  @Test
  void afterKillTheGuardRestoresIt() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      command.signal("KILL");
      assertThat(command.exitCode()).isEqualTo(137);
    }
    await().atMost(LONG).untilAsserted(() -> assertThat(limits()).containsOnly(BEFORE));
  }

  @Test
  void afterKillOfTheGuardTooTheCommandRestoresIt() throws Exception {
    try (CommandProcess command = start("study", study("120s").toString())) {
      awaitSet(command);
      ProcessHandle guard = guard(command);
      command.signal("STOP");
      guard.destroyForcibly();
      command.signal("KILL");
      assertThat(command.exitCode()).isEqualTo(137);
    }
    assertThat(limits()).containsOnly(SET);
    try (CommandProcess restore = command("restore")) {
      assertThat(restore.exitCode()).as(restore.stdout() + restore.stderr()).isZero();
      assertThat(restore.stdout()).contains("compaction-throughput");
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  /** Another process on the plain driver, with its own account of what it asked. */
  @Test
  void aGovernorSetsItAndAccountsForTheRequestsOfOthers() throws Exception {
    try (CommandProcess command = start("govern", govern(SET).toString());
        CqlSession others =
            CqlSession.builder()
                .addContactPoints(contactPoints())
                .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
                .build()) {
      awaitSet(command);
      GovernorAnswers answers = GovernorAnswers.of(command);
      others.execute(
          "CREATE KEYSPACE shop WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 2}");
      others.execute("CREATE TABLE shop.carts (id int PRIMARY KEY, items int)");
      answers.awaitMetrics("calando_node_requests_total{", 4);
      for (int i = 0; i < 300; i++) {
        others.execute("INSERT INTO shop.carts (id, items) VALUES (" + i + ", 1)");
      }
      for (int i = 0; i < 200; i++) {
        others.execute("SELECT items FROM shop.carts WHERE id = " + i);
      }
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(answers.sum("calando_node_requests_total", "kind=\"write\""))
                    .isEqualTo(300);
                assertThat(answers.sum("calando_node_requests_total", "kind=\"read\""))
                    .isEqualTo(200);
                assertThat(answers.sum("calando_accounted_joules_total", "shop")).isPositive();
              });
      assertThat(answers.metrics()).contains("provenance=\"modelled\"");
      HttpResponse<String> ready = answers.get("/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body().lines()).singleElement().asString().startsWith("gone: ");
      Files.writeString(folder.resolve("govern.yaml"), "clusters: [{name: shop}]\n");
      command.signal("HUP");
      await().atMost(LONG).until(() -> command.stdout().contains("stays in force"));
      assertThat(limits()).containsOnly(SET);
      govern(SET + 1);
      command.signal("HUP");
      await().atMost(LONG).untilAsserted(() -> assertThat(limits()).containsOnly(SET + 1));
      command.signal("TERM");
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(143);
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  private Path govern(int limit) throws IOException {
    Files.writeString(folder.resolve("inventory.yaml"), LocalClusters.inventory(cluster));
    return Files.writeString(
        folder.resolve("govern.yaml"),
        """
        clusters:
          - name: shop
            engine: cassandra
            inventory: inventory.yaml
            rf: 2
            period: 1s
            control: [{compaction-throughput: %d}]
          - name: gone
            engine: cassandra
            inventory: {nodes: [{name: n1, address: 127.0.0.9, port: 1}]}
            rf: 1
        listen: 127.0.0.1:0
        """
            .formatted(limit));
  }

  private static List<InetSocketAddress> contactPoints() {
    return cluster.nodes().stream()
        .map(node -> new InetSocketAddress(node.address(), node.cqlPort()))
        .toList();
  }

  private static ProcessHandle guard(CommandProcess command) {
    return command
        .handle()
        .descendants()
        .filter(each -> commandLine(each).contains("GuardMain"))
        .findFirst()
        .orElseThrow();
  }

  /** All of it: what a handle knows of it ends after a page. */
  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException ended) {
      return "";
    }
  }

  private Path study(String duration) throws IOException {
    Path inventory = folder.resolve("inventory.yaml");
    Files.writeString(inventory, LocalClusters.inventory(cluster));
    return Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: compactions
        store: {engine: cassandra, inventory: inventory.yaml, rf: 2}
        workload: {preset: ycsb-a, records: 100, warm-up: 1s}
        matrix:
          control: [{beside: [{pbs: {tolerate: 5%%}}, {backlog: {least: %d, most: 64}}]}]
          threads: [2]
          duration: %s
        repeats: 1
        monitor: {period: 500ms}
        power: {baseline: 1s}
        """
            .formatted(SET, duration));
  }

  private void awaitSet(CommandProcess command) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(command.isAlive()).as(command.stderr() + command.stdout()).isTrue();
              assertThat(limits()).containsOnly(SET);
            });
  }

  private Map<String, String> environment() {
    return Map.of(
        "CALANDO_STATE",
        folder.resolve("state").toString(),
        "CALANDO_RUN",
        folder.resolve("run").toString());
  }

  private CommandProcess start(String... arguments) {
    return CommandProcess.start(folder, environment(), arguments);
  }

  private CommandProcess command(String... arguments) {
    return CommandProcess.run(folder, environment(), arguments);
  }

  private static List<Integer> limits() throws IOException, JMException {
    List<Integer> limits = new ArrayList<>();
    for (LocalNode node : cluster.nodes()) {
      try (JMXConnector connector = connect(node)) {
        limits.add((Integer) connector.getMBeanServerConnection().getAttribute(bean(), ATTRIBUTE));
      }
    }
    return limits;
  }

  private static ObjectName bean() throws JMException {
    return new ObjectName("org.apache.cassandra.db:type=StorageService");
  }

  @SuppressWarnings("BanJNDI") // our own child's registry
  private static JMXConnector connect(LocalNode node) throws IOException {
    return JMXConnectorFactory.connect(
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + node.jmxPort() + "/jmxrmi"));
  }
}
