package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class TokenRingTest {
  @Test
  void aTokenBelongsToTheNextNodeAndTheRingCloses() {
    TokenRing ring = TokenRing.simple(new long[][] {{-100}, {0}, {100}}, 2);
    assertThat(ring.replicas(-101)).containsExactly(0, 1);
    assertThat(ring.replicas(-100)).containsExactly(0, 1);
    assertThat(ring.replicas(-99)).containsExactly(1, 2);
    assertThat(ring.replicas(100)).containsExactly(2, 0);
    assertThat(ring.replicas(101)).containsExactly(0, 1);
    assertThat(ring.replicas(Long.MIN_VALUE)).containsExactly(0, 1);
  }

  /** Of the whole ring, the share for which a node is the first replica, by 65,536 tokens. */
  private static double ownership(TokenRing ring, int node) {
    return LongStream.range(0, 1 << 16)
            .filter(i -> ring.replicas(Long.MIN_VALUE + (i << 48))[0] == node)
            .count()
        / 0x1p16;
  }

  @Test
  void evenTokensGiveEveryNodeItsShare() {
    TokenRing ring = TokenRing.even(39, 5);
    for (int node = 0; node < 39; node++) {
      assertThat(ownership(ring, node)).isCloseTo(1 / 39.0, within(1e-4));
    }
  }

  @Test
  void aNodeWithTwoTokensOwnsTwiceAsMuchAndReplicasAreDifferentNodes() {
    long quarter = 1L << 62;
    TokenRing ring = TokenRing.simple(new long[][] {{-2 * quarter, -quarter}, {0}, {quarter}}, 2);
    assertThat(ownership(ring, 0)).isCloseTo(0.5, within(1e-4));
    assertThat(ring.replicas(-2 * quarter)).containsExactly(0, 1);
    assertThat(ring.replicas(-quarter)).containsExactly(0, 1);
  }

  @Test
  void replicasAreSpreadOverRacksWhereThereAreEnough() {
    TokenRing ring =
        TokenRing.networkTopology(TokenRing.evenTokens(9), Topology.racks(9, 3), Map.of("dc1", 3));
    for (long token = Long.MIN_VALUE; token < Long.MAX_VALUE - (1L << 58); token += 1L << 58) {
      int[] replicas = ring.replicas(token);
      Set<Integer> racks = new HashSet<>();
      Arrays.stream(replicas).forEach(node -> racks.add(node % 3));
      assertThat(racks).as("racks of %s", Arrays.toString(replicas)).hasSize(3);
    }
  }

  @Test
  void racksRepeatOnlyAsOftenAsTheyMust() {
    // Four nodes in rack r1 come first on the ring, then one each in r2 and r3.
    List<Topology.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(new Topology.Node("n" + i, i < 4 ? "r1" : "r" + (i - 2), "dc"));
    }
    Topology topology = Topology.of(nodes);
    long[][] tokens = TokenRing.evenTokens(6);
    TokenRing three = TokenRing.networkTopology(tokens, topology, Map.of("dc", 3));
    assertThat(three.replicas(tokens[0][0])).containsExactly(0, 4, 5);
    TokenRing four = TokenRing.networkTopology(tokens, topology, Map.of("dc", 4));
    assertThat(four.replicas(tokens[0][0])).containsExactly(0, 1, 4, 5);
  }

  @Test
  void everyDataCentreHasItsOwnReplicas() {
    List<Topology.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      nodes.add(new Topology.Node("n" + i, "r1", i % 2 == 0 ? "east" : "west"));
    }
    TokenRing ring =
        TokenRing.networkTopology(
            TokenRing.evenTokens(8), Topology.of(nodes), Map.of("east", 2, "west", 1));
    assertThat(ring.replicationFactor()).isEqualTo(3);
    assertThat(ring.replicas(Long.MIN_VALUE)).containsExactly(0, 1, 2);
    assertThat(ring.replicas(Long.MIN_VALUE + 1)).containsExactly(1, 2, 4);
  }

  @Test
  void ringsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> TokenRing.even(3, 4))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("4 replicas on 3 nodes");
    assertThatThrownBy(() -> TokenRing.even(3, 0)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> TokenRing.simple(new long[][] {{1}, {1}}, 1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("token 1");
    assertThatThrownBy(() -> TokenRing.simple(new long[][] {{1}, {}}, 1))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(
            () ->
                TokenRing.networkTopology(
                    TokenRing.evenTokens(3), Topology.racks(3, 1), Map.of("dc2", 1)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("dc2");
    assertThatThrownBy(
            () ->
                Topology.of(
                    List.of(new Topology.Node("a", "r", "d"), new Topology.Node("a", "r", "d"))))
        .isInstanceOf(BadRequestException.class);
  }
}
