package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.calando.core.store.FileStore;
import org.calando.gears.GearShifter;
import org.calando.gears.GearSpec;
import org.calando.gears.LocalGears;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsFiles;
import org.junit.jupiter.api.Test;

/** The gear commands on a real HDFS of three DataNodes. */
class GearCommandIT extends LeftRunning {
  private static final Duration LONG = Duration.ofMinutes(4);

  private static final Duration POLL = Duration.ofMillis(5);

  GearCommandIT() {
    super("hdfs");
  }

  private JsonNode json(int exitCode, String... arguments) throws IOException {
    CommandAnswer command = command(arguments);
    assertThat(command.exitCode()).as(command.stderr()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(command.stdout());
  }

  private void refused(String what, String... arguments) {
    CommandAnswer command = command(arguments);
    assertThat(command.exitCode()).as(command.stdout()).isEqualTo(2);
    assertThat(command.stderr()).contains(what).doesNotContain("Exception");
  }

  @Test
  void aLocalClusterGoesDownAndUp() throws IOException {
    CommandProcess start = startCluster("gears=2,3");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    JsonNode status = json(0, "gear", "status", "--local", "--json");
    assertThat(status.path("gear").asInt()).isEqualTo(2);
    assertThat(status.path("in_force").asInt()).isEqualTo(2);
    assertThat(status.path("nodes")).hasSize(3).allMatch(node -> node.path("live").asBoolean());
    assertThat(json(0, "gear", "doctor", "--local", "--json").path("well").asBoolean()).isTrue();
    isExaminedByItsInventory();
    String written = state().resolve("inventory.yaml").toString();
    assertThat(json(0, "doctor", written, "--json").path("findings").findValuesAsText("subject"))
        .contains("gear file", "hosts file");
    assertThat(json(0, "gear", "status", "--inventory", written, "--json").path("gear").asInt())
        .isEqualTo(2);
    refused("is the other way", "gear", "up", "--local", "--to", "1");
    refused("there is no gear 9", "gear", "down", "--local", "--to", "9");
    refused("there is no gear 0", "gear", "plan", "--local", "--to", "0");
    refused("there is no unfinished plan", "gear", "up", "--local", "--resume");

    JsonNode price = json(0, "gear", "plan", "--local", "--to", "1", "--json").path("energy");
    // One node of the built-in profile: idle 75 W, off 8 W, a boot of 120 s at 110 W.
    assertThat(price.path("provenance").asText()).isEqualTo("modelled");
    assertThat(price.path("saved_w").asDouble()).isEqualTo(67);
    assertThat(price.path("pays_after_s").asDouble()).isBetween(60.0, 120.0);
    Path governor = folder.resolve("govern.yaml");
    Files.writeString(governor, "gears: {local: true, policy: 1, capacity: 60MB, period: 1s}\n");
    CommandAnswer dry = command("govern", governor.toString(), "--dry-run");
    assertThat(dry.exitCode()).as(dry.stderr()).isZero();
    assertThat(dry.stdout()).contains("hdfs: gear 2; 1 would set gear 1 (");

    JsonNode plan = json(0, "gear", "down", "--local", "--dry-run", "--json");
    assertThat(plan.path("steps").size()).isGreaterThan(4);
    assertThat(json(0, "gear", "down", "--local", "--json").path("gear").asInt()).isEqualTo(1);
    status = json(0, "gear", "status", "--local", "--json");
    assertThat(status.at("/nodes/2/power").asText()).isEqualTo("off");
    assertThat(status.at("/nodes/2/service").asText()).isEqualTo("in maintenance");
    assertThat(status.at("/nodes/0/power").asText()).isEqualTo("on");

    JsonNode log = json(0, "gear", "log", "check", "--local", "--json");
    assertThat(log.path("right").asBoolean()).isTrue();
    assertThat(log.path("missing").asInt()).isZero();
    log = json(0, "gear", "log", "rebuild", "--local", "--dry-run", "--json");
    assertThat(log.path("dry_run").asBoolean()).isTrue();
    assertThat(log.path("written").asInt()).isZero();

    refused("there is no node 'n9'", "gear", "up", "--local", "--without", "n9");
    refused("are nodes that this switches on", "gear", "up", "--local", "--without", "1");
    refused("leaves no node to switch on", "gear", "up", "--local", "--without", "3");
    CommandAnswer up = command("gear", "up", "--local");
    assertThat(up.exitCode()).as(up.stderr()).isZero();
    assertThat(up.stdout()).contains("in gear 2");
    CommandAnswer shown = command("gear", "status", "--local");
    assertThat(shown.exitCode()).as(shown.stderr()).isZero();
    assertThat(shown.stdout()).contains("gear 2 of 2 (rabbit", "in service", " (n1) ");
    isGovernedOnAfterAKill(governor);
    isGovernedByItsLoad();
  }

  /**
   * The next governor resumes the decisions of one that was killed, and the shift that it began.
   */
  private void isGovernedOnAfterAKill(Path governor) throws IOException {
    Path gears = LocalGears.file(state());
    CommandProcess killed = begin("govern", governor.toString());
    Awaitility.await()
        .atMost(LONG)
        .pollInterval(POLL)
        .until(() -> GearShifter.unfinished(gears).isPresent() || !killed.isAlive());
    killed.signal("KILL");
    assertThat(killed.exitCode()).as(killed.stderr()).isEqualTo(137);
    boolean open = GearShifter.unfinished(gears).isPresent();
    CommandProcess next = begin("govern", governor.toString());
    Awaitility.await()
        .atMost(LONG)
        .until(() -> !next.isAlive() || next.stdout().contains("hdfs: gear 1 ("));
    assertThat(next.stdout()).as(next.stderr()).contains("resumes from its decision of ");
    assertThat(next.stdout().contains("resumed an unfinished plan to gear 1")).isEqualTo(open);
    try (CommandProcess second = begin("govern", clusters("60MB").toString())) {
      assertThat(second.exitCode()).as(second.stdout()).isEqualTo(2);
      assertThat(second.stderr()).contains("govern " + governor);
    }
    next.signal("TERM");
    assertThat(next.exitCode()).as(next.stderr()).isEqualTo(143);
    assertThat(next.stdout()).contains("gears stay");
    assertThat(json(0, "gear", "status", "--local", "--json").path("gear").asInt()).isEqualTo(1);
  }

  /** Nodes that boot in no time: being off pays at once. */
  private Path clusters(String capacity) throws IOException {
    return Files.writeString(
        folder.resolve("clusters.yaml"),
        """
        listen: off
        clusters:
          - name: files
            engine: hdfs
            inventory: %s
            period: 1s
            power: {profile: {idle: 75, busy: 150, cores: 4}}
            control: [{gear: {load: {residency: 0s}}}]
            gears: {capacity: %s}
        """
            .formatted(state().resolve("inventory.yaml"), capacity));
  }

  /** Up on load; down without, once the file is read again by which it has none. */
  private void isGovernedByItsLoad() throws IOException {
    Path file = clusters("1B");
    CommandAnswer dry = command("govern", file.toString(), "--dry-run");
    assertThat(dry.exitCode()).as(dry.stderr()).isZero();
    assertThat(dry.stdout()).contains("files: gear 1; load(20%, residency 0ms) would set gear ");
    CommandProcess governor = begin("govern", file.toString());
    LocalHdfs local = LocalHdfs.attach(state());
    HdfsAccess access = HdfsAccess.of(local.uri()).http(local.nameNodeHttp()).build();
    try (HdfsCluster cluster = HdfsCluster.open(access);
        HdfsFiles files = HdfsFiles.open(cluster, GearSpec.FOLDER + "/load")) {
      int[] written = {0};
      Awaitility.await()
          .atMost(LONG)
          .until(
              () -> {
                write(files, "f" + written[0]++);
                return !governor.isAlive() || governor.stdout().contains("shifted to gear 2");
              });
    }
    assertThat(governor.stdout())
        .as(governor.stderr())
        .contains("files: gear 1; shifted to gear 2 (");
    clusters("60MB");
    governor.signal("HUP");
    Awaitility.await()
        .atMost(LONG)
        .until(() -> !governor.isAlive() || governor.stdout().contains("shifted to gear 1"));
    assertThat(governor.stdout())
        .as(governor.stderr())
        .contains("files: load 20 % resumes from its decision of ")
        .contains("files: gear 2; shifted to gear 1 (");
    governor.signal("TERM");
    assertThat(governor.exitCode()).as(governor.stderr()).isEqualTo(143);
    assertThat(governor.stdout()).contains("knobs are as they were before; gears stay");
    assertThat(json(0, "gear", "status", "--local", "--json").path("gear").asInt()).isEqualTo(1);
  }

  private static void write(FileStore files, String name) throws IOException {
    try (FileStore.Writer writer = files.create(name, new FileStore.Shape(1, 1 << 20))) {
      writer.write(new byte[1 << 16], 0, 1 << 16);
    }
  }

  /** What the gear doctor finds is found by the doctor of an inventory too. */
  private void isExaminedByItsInventory() throws IOException {
    LocalHdfs cluster = LocalHdfs.attach(state());
    Path inventory = folder.resolve("own.yaml");
    String text =
        "hdfs: {namenode: \"%s\", http: \"%s\", hosts-file: %s, gear-file: %s}\nnodes:\n"
            .formatted(
                cluster.uri(),
                cluster.nameNodeHttp(),
                cluster.hostsFile(),
                LocalGears.file(state()));
    for (LocalHdfsNode node : cluster.nodes()) {
      text +=
          "  - {name: %s, address: %s, port: %d}\n"
              .formatted(node.name(), node.address(), node.transferPort());
    }
    Files.writeString(inventory, text);
    JsonNode found = json(1, "doctor", inventory.toString(), "--json").path("findings");
    JsonNode gears =
        json(1, "gear", "doctor", "--inventory", inventory.toString(), "--json").path("findings");
    assertThat(gears.findValuesAsText("what")).contains("gear file", "hosts file");
    assertThat(found.findValuesAsText("subject")).containsAll(gears.findValuesAsText("what"));
    // Node 3 goes off by the gears, and the inventory has no switch of it.
    assertThat(found)
        .anyMatch(
            each ->
                !each.path("ok").asBoolean()
                    && each.path("subject").asText().startsWith("node 3 ")
                    && each.path("text").asText().startsWith("nothing switches it\nremedy: "));
  }

  @Test
  void aDeadNodeAndOneThatWasStartedByHandAreReportedAtOnceWithOneRemedy() throws IOException {
    CommandProcess start = startCluster("gears=2,3");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    LocalHdfs cluster = LocalHdfs.attach(state());
    cluster.kill(1);
    JsonNode status = json(1, "gear", "status", "--local", "--json");
    assertThat(status.path("well").asBoolean()).isFalse();
    assertThat(status.at("/findings/0/what").asText()).startsWith("node 1 ");
    String remedy = status.at("/findings/0/remedy").asText();
    CommandAnswer down = command("gear", "down", "--local");
    assertThat(down.exitCode()).isEqualTo(1);
    assertThat(down.stderr()).contains("node " + cluster.nodes().get(0).transferAddress(), remedy);
    assertThat(remedy).isEqualTo("./calando gear up --local --to 2 switches it on");
    // What is refused switches nothing.
    refused("there is no gear 9", "gear", "up", "--local", "--to", "9");
    refused("there is no node 'n9'", "gear", "up", "--local", "--without", "n9");
    assertThat(cluster.isRunning(1)).isFalse();
    CommandAnswer up = command("gear", "up", "--local");
    assertThat(up.exitCode()).as(up.stderr()).isZero();
    assertThat(up.stdout()).contains("in the highest gear already");
    // The command has noted another process.
    cluster = LocalHdfs.attach(state());
    assertThat(cluster.isRunning(1)).isTrue();
    assertThat(json(0, "gear", "status", "--local", "--json").path("well").asBoolean()).isTrue();

    // A DataNode that Calando's list of processes does not have, as if somebody had started it.
    Path processes = state().resolve("state.json");
    byte[] before = Files.readAllBytes(processes);
    cluster.kill(3);
    cluster.launch(3);
    cluster.awaitUp();
    byte[] after = Files.readAllBytes(processes);
    Files.write(processes, before);
    try {
      status = json(1, "gear", "status", "--local", "--json");
      assertThat(status.path("findings")).as(status.toString()).hasSize(1);
      assertThat(status.at("/findings/0/what").asText()).startsWith("node 3 ");
      assertThat(status.at("/findings/0/says").asText()).contains("its switch says UNKNOWN");
      remedy = status.at("/findings/0/remedy").asText();
      down = command("gear", "down", "--local");
      assertThat(down.exitCode()).isEqualTo(1);
      assertThat(down.stderr())
          .contains("node " + cluster.nodes().get(2).transferAddress())
          .contains("says off while the node answers", "ended by hand", remedy);
    } finally {
      Files.write(processes, after);
    }
    assertThat(json(0, "gear", "status", "--local", "--json").path("gear").asInt()).isEqualTo(2);
  }

  @Test
  void whatCannotBeDoneIsRefusedByName() throws IOException {
    refused("no cluster is named", "gear", "status");
    refused("there is no local cluster", "gear", "status", "--local");
    Path inventory = folder.resolve("mine.yaml");
    refused("mine.yaml", "gear", "status", "--inventory", inventory.toString());
    Files.writeString(inventory, "nodes:\n  - {name: d1, address: 127.0.0.1, port: 9866}\n");
    refused("no section hdfs", "gear", "up", "--inventory", inventory.toString());
    refused("are none that a cluster can have", "local", "start", "hdfs", "--set", "gears=3,2");
    refused("check or rebuild?", "gear", "log");
    refused("plan, status, up, down, doctor or log?", "gear");
  }
}
