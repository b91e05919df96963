package org.calando.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.cli.layout.LiveMoveRequest.What;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.RingTokens;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.RingKeyspace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;
import org.junit.jupiter.api.Test;

class LiveMoveTest {
  private static final String FILE = "--inventory cluster.yaml ";
  private static final long GIB = 1L << 30;

  @Test
  void anOrderIsReadFromTheArguments() {
    LiveMoveRequest go = request(FILE + "--layout half --interleave yes --cleanup yes");
    assertThat(go.what()).isEqualTo(What.GO);
    assertThat(go.label()).isEqualTo("half interleaved");
    assertThat(go.cleanup()).isTrue();
    assertThat(go.dryRun()).isFalse();
    assertThat(go.within()).isEqualTo(Duration.ofDays(1));
    assertThat(request(FILE + "--layout even --interleave yes").label()).isEqualTo("even");
    assertThat(request("--local yes --resume yes --within 90s").within()).hasSeconds(90);
    assertThat(request(FILE + "--undo yes --dry-run yes").what()).isEqualTo(What.UNDO);
  }

  @Test
  void ordersThatContradictThemselvesAreRefused() {
    assertRefused(FILE + "--dry-run yes", "--layout: is missing; write even,");
    assertRefused(FILE + "--local yes --layout half", "--local: is given beside --inventory");
    assertRefused(FILE + "--layout half --nodes 6", "--nodes: is read from the cluster itself");
    assertRefused(FILE + "--layout half --rf 3", "--rf: is read from the cluster itself");
    assertRefused(FILE + "--resume yes --layout half", "--layout: is what the unfinished plan has");
    assertRefused(FILE + "--undo yes --cleanup yes", "--cleanup: is what the unfinished plan has");
    assertRefused(FILE + "--resume yes --undo yes", "--undo: is given beside --resume");
    assertRefused(FILE + "--abandon yes --dry-run yes", "--dry-run: is given beside --abandon");
    assertRefused(FILE + "--layout half --within 0s", "--within: ");
    assertRefused(FILE + "--layout 7", "--layout: ");
    assertThatThrownBy(() -> arguments(FILE + "--layout half --cleanup-command nodetool").request())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--cleanup-command: is given without --move-command");
  }

  @Test
  void whatOnlyALiveClusterHasAUseForNeedsOne() {
    MoveArguments arguments = new MoveArguments();
    arguments.put("--layout", "half");
    arguments.put("--resume", "");
    arguments.put("--tokens", "1,2");
    assertThatThrownBy(arguments::request)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--resume: is for live clusters")
        .hasMessageContaining("--dry-run: is missing, and no live cluster");
  }

  @Test
  void theDryRunTellsOwnershipAndBytesOfEachKeyspaceByItsOwnReplicas() {
    LiveMovePlan plan = half(ring(true));
    JsonNode answer = new LiveMoveAnswer(plan, List.of("note: none")).json();
    // 36 GiB with one replica; 10 of 36 parts of the ring change hands.
    assertThat(answer.path("streamed_bytes").asLong()).isEqualTo(10 * GIB);
    assertThat(answer.path("moves")).hasSize(4);
    assertThat(answer.path("keyspaces")).hasSize(2);
    JsonNode move = answer.at("/moves/0");
    assertThat(move.path("command").asText())
        .isEqualTo("nodetool -h 10.0.0.2 move -- " + move.path("to").asText());
    assertThat(move.path("received")).hasSize(1);
    assertThat(move.path("given")).hasSize(1);
    double owned = 0;
    for (JsonNode node : answer.path("nodes")) {
      owned += node.path("ownership_after").asDouble();
    }
    assertThat(owned).isCloseTo(1, within(1e-9));
  }

  @Test
  void linesForPeopleFitATerminal() {
    for (boolean jmx : List.of(true, false)) {
      List<String> lines = new LiveMoveAnswer(half(ring(jmx)), List.of()).table();
      assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
      String text = String.join("\n", lines);
      assertThat(text).contains("dry run: nothing is moved", "in all   10.0 GB");
      assertThat(text.contains("nodetool -h 10.0.0.2 move -- ")).isEqualTo(!jmx);
      assertThat(text).contains("keyspace shop");
    }
  }

  @Test
  void whatIsLeftOfAPlanIsWhatHasNotArrived() {
    RingState ring = ring(true);
    LiveMovePlan plan = half(ring);
    RingState after = moved(ring, plan.to(), 2);
    LiveMovePlan left = LiveMovePlan.of(after, "half", plan.to());
    assertThat(left.forecast().steps()).hasSize(2);
    LiveMovePlan back = LiveMovePlan.back(after, RingTokens.now(ring.tokens()), plan.to());
    assertThat(back.forecast().steps()).hasSize(2);
    assertThat(back.forecast().steps().get(0).node())
        .as("the newest first")
        .isEqualTo(plan.forecast().steps().get(1).node());
    assertThat(back.forecast().streamedBytes() + left.forecast().streamedBytes())
        .isEqualTo(plan.forecast().streamedBytes());

    LiveMovePlan done = half(moved(ring, plan.to(), 4));
    assertThat(done.isEmpty()).isTrue();
    assertThat(new LiveMoveAnswer(done, List.of()).table())
        .contains("nothing to move: every node is where it belongs");
  }

  private static LiveMovePlan half(RingState ring) {
    return LiveMovePlan.of(ring, WarmShare.HALF, Arrangement.CONTIGUOUS, "half", false);
  }

  /** The ring when so many nodes have moved. */
  private static RingState moved(RingState ring, RingTokens to, int arrived) {
    List<RingNode> nodes = new ArrayList<>();
    for (RingNode node : ring.nodes()) {
      boolean there = to.order().subList(0, arrived).contains(node.hostId());
      nodes.add(there ? at(node, to.tokens().get(node.hostId())) : node);
    }
    return new RingState(
        ring.cluster(), ring.partitioner(), nodes, ring.keyspaces(), ring.exactSizes());
  }

  private static RingNode at(RingNode node, BigInteger token) {
    return new RingNode(
        node.name(),
        node.hostId(),
        node.address(),
        node.dataCentre(),
        node.rack(),
        List.of(token),
        node.bytesByKeyspace(),
        node.jmx());
  }

  /** Six nodes, evenly laid out, with 36 GiB three times and something that all have. */
  private static RingState ring(boolean jmx) {
    TokenLayout even = TokenLayout.of(6, WarmShare.EVEN, Arrangement.CONTIGUOUS);
    List<RingNode> nodes = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      nodes.add(
          new RingNode(
              "a-node-with-a-long-name-" + i,
              "host-" + i,
              address(i),
              "dc1",
              "r1",
              List.of(even.token(i, Partitioner.MURMUR3)),
              Map.of("shop", 18 * GIB, "everywhere", GIB),
              jmx ? Optional.of(new Endpoint("10.0.0." + i, 7199)) : Optional.empty()));
    }
    return new RingState(
        "test",
        Partitioner.MURMUR3,
        nodes,
        List.of(
            new RingKeyspace("shop", Map.of("class", "SimpleStrategy", "replication_factor", "3")),
            new RingKeyspace("everywhere", Map.of("class", "NetworkTopologyStrategy", "dc1", "6"))),
        jmx);
  }

  private static InetSocketAddress address(int node) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) node}), 9042);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> request(text))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  private static LiveMoveRequest request(String text) {
    return arguments(text).request();
  }

  private static LiveMoveArguments arguments(String text) {
    LiveMoveArguments read = new LiveMoveArguments();
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    return read;
  }
}
