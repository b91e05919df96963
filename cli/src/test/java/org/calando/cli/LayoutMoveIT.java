package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.management.JMException;
import org.calando.cli.layout.ShownPace;
import org.calando.control.KnobOwner;
import org.calando.core.policy.Knob;
import org.calando.engine.cassandra.ClusterAccess;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.JmxMover;
import org.calando.store.cassandra.LiveRing;
import org.calando.store.cassandra.RingState;
import org.calando.store.cassandra.TokenKnob;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Four real nodes go from the even layout to the half one, and lose nothing on the way. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LayoutMoveIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final double FLOAT = 1e-6;

  @TempDir static Path folder;
  private static MovingCluster cluster;
  private static Path inventory;
  private static CommandShell shell;

  @BeforeAll
  static void startAndFill() throws IOException, JMException {
    cluster = new MovingCluster(folder.resolve("state/local/cassandra"));
    inventory = folder.resolve("inventory.yaml");
    Files.writeString(inventory, LocalClusters.inventory(cluster.local()));
    cluster.fill();
    shell = CommandShell.start(folder, environment());
  }

  @AfterAll
  static void stop() {
    if (shell != null) {
      shell.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void anotherOwnerIsRefusedAndToldWhoHasTheCluster() {
    Path owners = folder.resolve("state/owners");
    try (KnobOwner first = KnobOwner.take(owners, knob(), "the test")) {
      assertThat(first).isNotNull();
      CommandAnswer refused = move("--layout", "half");
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.stderr())
          .contains("process " + ProcessHandle.current().pid() + ", the test");
    }
    CommandAnswer nothing = move("--resume");
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.stderr()).contains("there is no unfinished plan");
  }

  @Test
  @Order(2)
  void aMoveThatIsKilledGoesOnAndNodesAreWhereThePlanSaidWhileClientsNoticeNothing()
      throws Exception {
    JsonNode plan = dryRun("--layout", "half");
    assertThat(plan.path("exact_sizes").asBoolean()).isTrue();
    assertThat(plan.path("moves")).hasSizeGreaterThan(1);
    assertOwned(plan, "ownership", 1.0);

    try (QuorumLoad load = new QuorumLoad(cluster.session(), MovingCluster.ROWS);
        CommandProcess killed =
            CommandProcess.start(folder, environment(), arguments("--layout", "half"))) {
      await().atMost(LONG).until(LayoutMoveIT::somebodyMoves);
      killed.signal("KILL");
      assertThat(killed.exitCode()).isEqualTo(137);

      CommandAnswer other = move("--layout", "third");
      assertThat(other.exitCode()).as(other.stderr()).isEqualTo(2);
      assertThat(other.stderr()).contains("there is an unfinished plan to half", "--undo");

      CommandAnswer again = move("--layout", "half", "--json");
      assertThat(again.exitCode()).as(again.stderr()).isZero();
      assertThat(load.failures()).isEmpty();
      assertThat(load.rounds()).isPositive();
    }
    assertOwned(plan, "ownership_after", 1.0);
    double predicted = plan.path("streamed_bytes").asDouble();
    double streamed = cluster.relocated();
    System.out.printf("predicted %.0f bytes, streamed %.0f%n", predicted, streamed);
    assertThat(streamed).as(cluster.streams()).isCloseTo(predicted, within(0.2 * predicted));
    assertThat(dryRun("--layout", "half").path("moves")).isEmpty();
  }

  @Test
  @Order(3)
  void afterACleanupNodesHaveOnDiskWhatThePredictionSaysAndEverythingIsThere() throws IOException {
    CommandAnswer cleaned = move("--layout", "half", "--cleanup");
    assertThat(cleaned.exitCode()).as(cleaned.stderr()).isZero();
    JsonNode after = dryRun("--layout", "half");
    for (JsonNode node : after.path("nodes")) {
      double held = node.path("held_bytes").asDouble();
      assertThat(node.path("disk_bytes").asDouble())
          .as(node.path("node").asText())
          .isCloseTo(held, within(0.2 * held));
    }
    assertThat(cluster.found(ConsistencyLevel.ALL)).isEqualTo(MovingCluster.ROWS);
  }

  @Test
  @Order(4)
  void aClusterThatWasMovedAwayFromIsLookedAtWithoutAnInventory() throws IOException {
    CommandAnswer local =
        shell.run("layout", "move", "--local", "--dry-run", "--layout", "two-thirds");
    assertThat(local.exitCode()).as(local.stderr()).isZero();
    assertThat(local.stdout()).contains("dry run: nothing is moved", "keyspace shop");
    assertThat(local.stdout().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));

    Path wrong = folder.resolve("wrong.yaml");
    Files.writeString(
        wrong,
        Files.readAllLines(inventory).stream()
            .filter(line -> !line.contains("name: n4"))
            .reduce("", (text, line) -> text + line + "\n"));
    CommandAnswer unlisted =
        shell.run(
            "layout", "move", "--inventory", wrong.toString(), "--dry-run", "--layout", "half");
    assertThat(unlisted.exitCode()).as(unlisted.stderr()).isEqualTo(2);
    assertThat(unlisted.stderr()).contains("a node that is not listed");
  }

  @Test
  @Order(5)
  void withANodeDownNothingIsMoved() {
    cluster.local().kill(MovingCluster.NODES);
    CommandAnswer refused = move("--layout", "third");
    assertThat(refused.exitCode()).as(refused.stderr()).isEqualTo(1);
    assertThat(refused.stderr()).contains("n4", "does not answer");
  }

  private static void assertOwned(JsonNode plan, String key, double total)
      throws IOException, JMException {
    double sum = 0;
    for (LocalNode node : cluster.local().nodes()) {
      JsonNode predicted = plan.path("nodes").get(node.index() - 1);
      assertThat(cluster.owned(node)).isCloseTo(predicted.path(key).asDouble(), within(FLOAT));
      String held = key.equals("ownership") ? "held_bytes" : "held_bytes_after";
      assertThat(cluster.held(node))
          .isCloseTo(
              predicted.path(held).asDouble() * MovingCluster.REPLICAS / heldByAll(plan, held),
              within(0.01));
      sum += predicted.path(key).asDouble();
    }
    assertThat(sum).isCloseTo(total, within(FLOAT));
  }

  private static double heldByAll(JsonNode plan, String key) {
    double sum = 0;
    for (JsonNode node : plan.path("nodes")) {
      sum += node.path(key).asDouble();
    }
    return sum;
  }

  private static boolean somebodyMoves() {
    return IntStream.rangeClosed(1, MovingCluster.NODES)
        .anyMatch(
            node -> {
              try {
                return cluster.isMoving(node);
              } catch (IOException | JMException e) {
                throw new AssertionError(e);
              }
            });
  }

  /** The cluster's tokens, as the command has them. */
  private static Knob<?> knob() {
    ClusterAccess access = ClusterAccess.of(cluster.local());
    try (LiveRing live = LiveRing.connect(access.config(), access.names())) {
      RingState ring = live.read();
      return new TokenKnob(
          ring,
          live,
          new JmxMover(Optional.empty(), List.of()),
          new ShownPace(new StopSignal(), Progress.silent()),
          LONG);
    }
  }

  private static JsonNode dryRun(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("--dry-run", "--json"));
    CommandAnswer told = move(arguments.toArray(String[]::new));
    assertThat(told.exitCode()).as(told.stderr()).isZero();
    return new ObjectMapper().readTree(told.stdout());
  }

  private static CommandAnswer move(String... more) {
    return shell.run(arguments(more));
  }

  private static String[] arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("layout", "move", "--inventory", inventory.toString()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static Map<String, String> environment() {
    return Map.of("CALANDO_STATE", folder.resolve("state").toString());
  }
}
