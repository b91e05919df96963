package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.junit.jupiter.api.Test;

class TokensTest {
  @Test
  void everyNodeOwnsTheSameShare() {
    for (int nodes = 1; nodes <= 9; nodes++) {
      List<BigInteger> ring =
          even(nodes, 1).stream().map(ofNode -> new BigInteger(ofNode.get(0))).sorted().toList();
      BigInteger share = BigInteger.ONE.shiftLeft(64).divide(BigInteger.valueOf(nodes));
      for (int i = 1; i < nodes; i++) {
        BigInteger gap = ring.get(i).subtract(ring.get(i - 1));
        assertThat(gap.subtract(share).abs()).isLessThanOrEqualTo(BigInteger.ONE);
      }
    }
  }

  @Test
  void knownTokensOfThreeNodes() {
    // -2^63 + (2p + 1) 2^64 / 6
    assertThat(even(3, 3))
        .containsExactly(
            List.of("-6148914691236517206"), List.of("0"), List.of("6148914691236517205"));
  }

  @Test
  void aWarmNodeOwnsTwiceWhatACoolOneDoes() {
    List<BigInteger> ring =
        Tokens.of(TokenLayout.of(6, WarmShare.HALF, Arrangement.CONTIGUOUS), 1).stream()
            .map(ofNode -> new BigInteger(ofNode.get(0)))
            .toList();
    BigInteger part = BigInteger.ONE.shiftLeft(64).divide(BigInteger.valueOf(9));
    assertThat(ring).isSorted();
    for (int node = 1; node < 6; node++) {
      BigInteger owned = ring.get(node).subtract(ring.get(node - 1));
      BigInteger parts = BigInteger.valueOf(node < 3 ? 2 : 1);
      assertThat(owned.subtract(part.multiply(parts)).abs()).isLessThan(BigInteger.TEN);
    }
  }

  @Test
  void neighboursOnTheRingAreInDifferentRacks() {
    for (int nodes = 2; nodes <= 9; nodes++) {
      for (int racks = 2; racks <= nodes; racks++) {
        boolean possible = (nodes + racks - 1) / racks * 2 <= nodes;
        List<String> ring = racksAroundTheRing(nodes, racks);
        for (int i = 0; i < nodes && possible; i++) {
          assertThat(ring.get(i))
              .as("%s nodes, %s racks: %s", nodes, racks, ring)
              .isNotEqualTo(ring.get((i + 1) % nodes));
        }
      }
    }
  }

  @Test
  void twoTokensOfANodeAreRead() {
    assertThat(Tokens.parse(List.of("1, 2", "-3,4"), 2))
        .containsExactly(List.of("1", "2"), List.of("-3", "4"));
  }

  @Test
  void wrongTokensAreRefused() {
    assertThatThrownBy(() -> Tokens.parse(List.of("1"), 2))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("1 entries for 2 nodes");
    assertThatThrownBy(() -> Tokens.parse(List.of("1", "1"), 2)).hasMessageContaining("twice");
    assertThatThrownBy(() -> Tokens.parse(List.of("1", "9223372036854775808"), 2))
        .hasMessageContaining("'9223372036854775808' is no token");
  }

  private static List<List<String>> even(int nodes, int racks) {
    return Tokens.of(TokenLayout.of(nodes, WarmShare.EVEN, Arrangement.CONTIGUOUS), racks);
  }

  private static List<String> racksAroundTheRing(int nodes, int racks) {
    List<List<String>> tokens = even(nodes, racks);
    List<Integer> order = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
    order.sort(Comparator.comparingLong(node -> Long.parseLong(tokens.get(node).get(0))));
    return order.stream().map(node -> Tokens.rack(node, racks)).toList();
  }
}
