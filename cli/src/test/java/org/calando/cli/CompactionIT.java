package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
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

  /** Between two renewals of somebody else's claim. */
  private static final Duration RENEWAL = Duration.ofSeconds(2);

  /** What each renewal adds: more than nodes' clocks differ by. */
  private static final int LONGER_SECONDS = 10;

  private static final Duration LONG = Duration.ofMinutes(2);

  /** An agent's patience with a governor, and what its restoring takes. */
  private static final Duration SILENCE = Duration.ofSeconds(40);

  private static LocalCassandra cluster;

  /**
   * Kept, as nodes are asked ten times a second: to connect costs each of them more than to answer.
   */
  private static final List<JMXConnector> NODES = new ArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    cluster = LocalCassandra.start(OwnCassandra.config(2, "127.48").jmxPort(7800).build());
    for (LocalNode node : cluster.nodes()) {
      NODES.add(connect(node));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    for (JMXConnector node : NODES) {
      node.close();
    }
    cluster.close();
  }

  @BeforeEach
  void asBefore() throws Exception {
    for (JMXConnector node : NODES) {
      node.getMBeanServerConnection().setAttribute(bean(), new Attribute(ATTRIBUTE, BEFORE));
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
      command.killWithGuard();
      assertThat(command.exitCode()).isEqualTo(137);
    }
    assertThat(limits()).containsOnly(SET);
    try (CommandProcess restore = command("restore")) {
      assertThat(restore.exitCode()).as(restore.stdout() + restore.stderr()).isZero();
      assertThat(restore.stdout()).contains("compaction-throughput");
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  /** State folder and guard are gone with the machine; the cluster is not. */
  @Test
  void whatTheGovernorOfALostMachineHadSetIsNotTakenForHowItWas() throws Exception {
    Map<String, String> lost = CommandProcess.stateIn(folder.resolve("lost"));
    String file = govern(SET).toString();
    try (CommandProcess first = CommandProcess.start(folder, lost, "govern", file)) {
      awaitSet(first);
      first.killWithGuard();
      assertThat(first.exitCode()).isEqualTo(137);
    }
    assertThat(limits()).containsOnly(SET);
    govern(SET + 1);
    try (CommandProcess second = start("govern", file)) {
      await().atMost(LONG).untilAsserted(() -> assertThat(limits()).containsOnly(SET + 1));
      second.signal("TERM");
      assertThat(second.exitCode()).as(second.stderr()).isEqualTo(143);
    }
    assertThat(limits()).containsOnly(BEFORE);
    try (CqlSession others = OwnCassandra.session(cluster, LONG)) {
      assertThat(others.execute("SELECT knob FROM calando_governor.calando_knobs").all()).isEmpty();
    }
  }

  /** Nothing but the agent reaches the nodes' JMX; it is as before after whoever is killed. */
  @Test
  void aGovernorSetsItThroughTheAgentOfTheNodesMachine() throws Exception {
    Map<String, String> there = CommandProcess.stateIn(folder.resolve("there"));
    try (CommandProcess agent = CommandProcess.start(folder, there, "agent", agent())) {
      String file = govern("backlog: {least: " + SET + ", most: 64}").toString();
      Path inventory = folder.resolve("inventory.yaml");
      String ofAgent =
          Files.readString(inventory)
              .replaceAll(
                  "name: (\\w+),(.*) jmx: \"[0-9.:]+\"",
                  "name: $1,$2 jmx: {agent: $1}, agent: \""
                      + GovernorAnswers.of(agent).address()
                      + "\"");
      Files.writeString(inventory, ofAgent);
      try (CommandProcess doctor = command("doctor", file)) {
        assertThat(doctor.stdout())
            .containsPattern("ok +knob compaction-throughput: n1 at (?s).{0,200}\\sis\\s" + BEFORE);
      }
      try (CommandProcess command = start("govern", file)) {
        awaitSet(command);
        command.signal("KILL");
        assertThat(command.exitCode()).isEqualTo(137);
      }
      govern(SET + 1);
      Files.writeString(inventory, ofAgent);
      // While the agent still takes the dead one for alive: what that has set is not as before.
      try (CommandProcess command = start("govern", file)) {
        await().atMost(LONG).untilAsserted(() -> assertThat(limits()).containsOnly(SET + 1));
        command.signal("TERM");
        assertThat(command.exitCode()).as(command.stderr()).isEqualTo(143);
        assertThat(limits()).containsOnly(BEFORE);
      }
      govern(SET);
      Files.writeString(inventory, ofAgent);
      try (CommandProcess command = start("govern", file)) {
        awaitSet(command);
        command.signal("KILL");
        await().atMost(SILENCE).untilAsserted(() -> assertThat(limits()).containsOnly(BEFORE));
      }
      try (CommandProcess command = start("govern", file)) {
        awaitSet(command);
        agent.signal("KILL");
        assertThat(agent.exitCode()).isEqualTo(137);
        await().atMost(SILENCE).untilAsserted(() -> assertThat(limits()).containsOnly(BEFORE));
        command.signal("KILL");
      }
    }
  }

  private String agent() throws IOException {
    StringBuilder yaml = new StringBuilder("listen: 127.0.0.1:0\njmx:\n");
    for (LocalNode node : cluster.nodes()) {
      yaml.append("  %s: \"127.0.0.1:%d\"\n".formatted(node.name(), node.jmxPort()));
    }
    return Files.writeString(folder.resolve("agent.yaml"), yaml).toString();
  }

  /** Another process on the plain driver, with its own account of what it asked. */
  @Test
  void aGovernorSetsItAndAccountsForTheRequestsOfOthers() throws Exception {
    try (CommandProcess command = start("govern", govern(SET).toString());
        CqlSession others = OwnCassandra.session(cluster, LONG)) {
      awaitSet(command);
      isRefusedFromElsewhere();
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
      outlivesAClaimOfAnotherMachine(others);
      isRefusedBesideItself();
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  /** Nobody here can look at the process that has it: it is dead unless it renews its claim. */
  private void outlivesAClaimOfAnotherMachine(CqlSession others) throws Exception {
    String claim =
        " INTO calando_governor.calando_claims (table_name, owner, process, since)"
            + " VALUES ('cluster', 'other', 'boot/pid 1 start id', toTimestamp(now()))";
    assertThat(others.execute("INSERT" + claim + " IF NOT EXISTS USING TTL 8").wasApplied())
        .isTrue();
    try (CommandProcess next = start("govern", govern(SET).toString())) {
      awaitSet(next);
      next.signal("TERM");
      assertThat(next.exitCode()).as(next.stderr()).isEqualTo(143);
    }
    assertThat(others.execute("INSERT" + claim + " IF NOT EXISTS USING TTL 40").wasApplied())
        .isTrue();
    try (CommandProcess refused = start("govern", govern(SET).toString())) {
      AtomicInteger left = new AtomicInteger(40);
      await()
          .atMost(LONG)
          .pollInterval(RENEWAL)
          .until(() -> renewed(others, refused, left.addAndGet(LONGER_SECONDS)));
      assertThat(refused.exitCode()).as(refused.stdout() + refused.stderr()).isEqualTo(2);
      assertThat(refused.stderr()).contains("in use by another governor: other");
    }
    var unused =
        others.execute(
            "DELETE FROM calando_governor.calando_claims WHERE table_name = 'cluster'"
                + " IF EXISTS");
  }

  /** One file that names a cluster twice would have two owners of it. */
  private void isRefusedBesideItself() throws Exception {
    String once = Files.readString(govern(SET));
    Path twice = folder.resolve("twice.yaml");
    Files.writeString(
        twice,
        once.replaceFirst("(?s)  - name: gone.*listen", "listen")
            .replaceFirst("(?s)(  - name: )shop(.*?)(listen)", "$1shop$2$1again$2$3")
            .replaceFirst("compaction-throughput: " + SET, "compaction-throughput: " + (SET + 1)));
    try (CommandProcess refused = start("govern", twice.toString())) {
      assertThat(refused.exitCode()).as(refused.stdout() + refused.stderr()).isEqualTo(2);
      assertThat(refused.stderr()).contains("in use by another governor: ");
    }
    assertThat(limits()).containsOnly(BEFORE);
  }

  /**
   * Renews the claim of the process elsewhere, as it does; whether it has refused another by it.
   */
  private static boolean renewed(CqlSession others, CommandProcess refused, int seconds) {
    try {
      var unused =
          others.execute(
              "UPDATE calando_governor.calando_claims USING TTL "
                  + seconds
                  + " SET owner = 'other', process ="
                  + " 'boot/pid 1 start id' WHERE table_name = 'cluster'"
                  + " IF process = 'boot/pid 1 start id'");
    } catch (DriverException e) {
      // Another proposal came between: the next one renews it.
    }
    return !refused.isAlive();
  }

  /** As from another machine, which shares neither journals nor owners with this one. */
  private void isRefusedFromElsewhere() {
    Map<String, String> elsewhere = CommandProcess.stateIn(folder.resolve("elsewhere"));
    try (CommandProcess second =
        CommandProcess.run(folder, elsewhere, "govern", folder.resolve("govern.yaml").toString())) {
      assertThat(second.exitCode()).as(second.stderr()).isEqualTo(2);
      assertThat(second.stderr())
          .contains("table calando_governor.cluster", "in use by another governor: ");
    }
    String file = folder.resolve("govern.yaml").toString();
    try (CommandProcess dry = CommandProcess.run(folder, elsewhere, "govern", file, "--dry-run")) {
      assertThat(dry.stdout()).as(dry.stderr()).contains("shop: is governed by ");
    }
  }

  private Path govern(int limit) throws IOException {
    return govern("compaction-throughput: " + limit);
  }

  private Path govern(String control) throws IOException {
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
            control: [{%s}]
          - name: gone
            engine: cassandra
            inventory: {nodes: [{name: n1, address: 127.0.0.9, port: 1}]}
            rf: 1
        listen: 127.0.0.1:0
        """
            .formatted(control));
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

  private CommandProcess start(String... arguments) {
    return CommandProcess.start(folder, CommandProcess.stateIn(folder), arguments);
  }

  private CommandProcess command(String... arguments) {
    return CommandProcess.run(folder, CommandProcess.stateIn(folder), arguments);
  }

  private static List<Integer> limits() throws IOException, JMException {
    List<Integer> limits = new ArrayList<>();
    for (JMXConnector node : NODES) {
      limits.add((Integer) node.getMBeanServerConnection().getAttribute(bean(), ATTRIBUTE));
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
