package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaLoadTest {
  @ParameterizedTest
  @CsvSource({"even, 0", "half, 1/2", "twothirds, 2/3"})
  void loadsAreThoseOfTheVectors(String name, String share) {
    TokenLayout layout = TokenLayout.of(39, WarmShare.parse(share), Arrangement.CONTIGUOUS);
    ReplicaLoad load = ReplicaLoad.of(layout.ring(), Placement.simple(39, 5));
    for (Vectors.Vector vector : Vectors.of(ReplicaLoadTest.class, name)) {
      int node = vector.count("node");
      assertThat(load.held(node))
          .as("%s", vector)
          .isEqualTo(Fraction.of(vector.count("held"), vector.count("M")));
      assertThat(load.share(node).toDouble())
          .as("%s", vector)
          .isCloseTo(vector.number("share"), within(1e-15));
    }
    Vectors.Vector all = Vectors.of(ReplicaLoadTest.class, name + "-all").get(0);
    double[] shares =
        IntStream.rangeClosed(1, 39).mapToDouble(node -> load.share(node).toDouble()).toArray();
    assertThat(Arrays.stream(shares).max().getAsDouble() * 39)
        .isCloseTo(all.number("max_over_mean"), within(1e-12));
    assertThat(Arrays.stream(shares).min().getAsDouble() * 39)
        .isCloseTo(all.number("min_over_mean"), within(1e-12));
    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-12));
  }

  @Test
  void aNodeHoldsItsOwnRangeAndThoseOfThePredecessors() {
    for (int rf = 1; rf <= 6; rf++) {
      TokenLayout layout = TokenLayout.of(6, WarmShare.HALF, Arrangement.CONTIGUOUS);
      ReplicaLoad load = ReplicaLoad.of(layout.ring(), Placement.simple(6, rf));
      for (int node = 1; node <= 6; node++) {
        int parts = 0;
        for (int back = 0; back < rf; back++) {
          parts += layout.ownedParts((node - 1 - back + 6) % 6 + 1);
        }
        assertThat(load.held(node)).isEqualTo(Fraction.of(parts, 9));
      }
    }
  }

  @Test
  void interleavingLevelsWhatReplicasHold() {
    assertThat(spread(WarmShare.HALF, Arrangement.CONTIGUOUS)).isCloseTo(0.30, within(0.005));
    assertThat(spread(WarmShare.HALF, Arrangement.INTERLEAVED)).isCloseTo(0.06, within(0.01));
    assertThat(spread(WarmShare.EVEN, Arrangement.CONTIGUOUS)).isCloseTo(0, within(1e-12));
  }

  @Test
  void maxMinIsTheLargestLessTheSmallestShare() {
    TokenLayout layout = TokenLayout.of(39, WarmShare.HALF, Arrangement.CONTIGUOUS);
    // Vectors: 10 and 5 of 59 parts, times five replicas.
    assertThat(ReplicaLoad.of(layout.ring(), Placement.simple(39, 5)).spread().maxMin())
        .isCloseTo(5 / (5.0 * 59), within(1e-15));
  }

  @Test
  void asManyReplicasAsNodesMakeAllNodesAlike() {
    TokenRing ring = TokenLayout.of(5, WarmShare.HALF, Arrangement.CONTIGUOUS).ring();
    ReplicaLoad load = ReplicaLoad.of(ring, Placement.simple(5, 5));
    for (int node = 1; node <= 5; node++) {
      assertThat(load.held(node)).isEqualTo(Fraction.ONE);
      assertThat(load.share(node)).isEqualTo(Fraction.of(1, 5));
    }
  }

  @Test
  void replicasAreOnRacksThatHaveNoneYet() {
    TokenRing ring = TokenLayout.of(6, WarmShare.EVEN, Arrangement.CONTIGUOUS).ring();
    Placement pairs = Placement.racks(3, 0, 0, 1, 1, 2, 2);
    assertThat(pairs.replicas(ring, 0)).containsExactly(1, 3, 5);
    assertThat(pairs.replicas(ring, 1)).containsExactly(2, 3, 5);
    assertThat(pairs.replicas(ring, 4)).containsExactly(5, 1, 3);
    assertThat(pairs.replicas(ring, 5)).containsExactly(6, 1, 3);
    // The first node of each rack holds what both of the rack before it own, too.
    ReplicaLoad load = ReplicaLoad.of(ring, pairs);
    assertThat(load.held(1)).isEqualTo(Fraction.of(5, 6));
    assertThat(load.held(2)).isEqualTo(Fraction.of(1, 6));
  }

  @Test
  void withFewerRacksThanReplicasTheRestGoToTheNextNodes() {
    TokenRing ring = TokenLayout.of(5, WarmShare.EVEN, Arrangement.CONTIGUOUS).ring();
    assertThat(Placement.racks(3, 0, 0, 0, 1, 1).replicas(ring, 0)).containsExactly(1, 2, 4);
    assertThat(Placement.racks(3, 0, 0, 0, 0, 0).replicas(ring, 3)).containsExactly(4, 5, 1);
    assertThat(Placement.racks(5, 0, 0, 0, 1, 1).replicas(ring, 2))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }

  @Test
  void oneRackANodeIsAsSimple() {
    TokenRing ring = TokenLayout.of(7, WarmShare.THIRD, Arrangement.INTERLEAVED).ring();
    Placement racks = Placement.racks(3, 0, 1, 2, 3, 4, 5, 6);
    for (int position = 0; position < 7; position++) {
      assertThat(racks.replicas(ring, position))
          .containsExactly(Placement.simple(7, 3).replicas(ring, position));
    }
  }

  @Test
  void placementsOnAnyRacksCoverEveryRackAndEveryShare() {
    long seed = Long.getLong("calando.seed", 20130828L);
    Random random = new Random(seed);
    for (int trial = 0; trial < 300; trial++) {
      int nodes = 1 + random.nextInt(20);
      int rf = 1 + random.nextInt(nodes);
      int[] racks = random.ints(nodes, 0, 1 + random.nextInt(6)).toArray();
      int different = (int) Arrays.stream(racks).distinct().count();
      TokenRing ring = randomRing(nodes, random);
      Placement placement = Placement.racks(rf, racks);
      Fraction all = Fraction.ZERO;
      for (int position = 0; position < nodes; position++) {
        int[] replicas = placement.replicas(ring, position);
        assertThat(replicas).as("seed %s, trial %s", seed, trial).doesNotHaveDuplicates();
        assertThat(replicas[0]).isEqualTo(ring.node(position));
        assertThat(Arrays.stream(replicas).map(node -> racks[node - 1]).distinct())
            .as("seed %s, trial %s", seed, trial)
            .hasSize(Math.min(rf, different));
      }
      ReplicaLoad load = ReplicaLoad.of(ring, placement);
      for (int node = 1; node <= nodes; node++) {
        all = all.plus(load.share(node));
      }
      assertThat(all).as("seed %s, trial %s", seed, trial).isEqualTo(Fraction.ONE);
    }
  }

  @Test
  void moreReplicasThanNodesAndNoneAreRefused() {
    for (int rf : new int[] {0, -1, 4}) {
      assertThatThrownBy(() -> Placement.simple(3, rf))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContainingAll("3 nodes cannot hold " + rf + " replicas", "write 1 to 3");
      assertThatThrownBy(() -> Placement.racks(rf, 0, 1, 2))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("3 nodes cannot hold " + rf + " replicas");
    }
  }

  @Test
  void tokensThatMakeNoRingAreRefused() {
    assertThatThrownBy(() -> ring(10, 3, 3))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes 1 and 2 both have token 3");
    assertThatThrownBy(() -> ring(10, -5, 5))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("tokens -5 and 5 are not of one ring");
  }

  @Test
  void aRingOrdersItsNodesByToken() {
    TokenRing ring = ring(10, 7, -2, 3);
    assertThat(IntStream.range(0, 4).map(ring::node)).containsExactly(2, 3, 1, 2);
    assertThat(ring.range(0)).isEqualTo(BigInteger.ONE);
    assertThat(ring.range(1)).isEqualTo(BigInteger.valueOf(5));
    assertThat(ring.range(2)).isEqualTo(BigInteger.valueOf(4));
    assertThat(ring(10, 4).range(0)).isEqualTo(BigInteger.TEN);
  }

  private static TokenRing randomRing(int nodes, Random random) {
    Set<BigInteger> tokens = new HashSet<>();
    while (tokens.size() < nodes) {
      tokens.add(BigInteger.valueOf(random.nextLong()));
    }
    return TokenRing.of(Partitioner.MURMUR3.ringSize(), List.copyOf(tokens));
  }

  private static TokenRing ring(long size, long... tokens) {
    List<BigInteger> list = new ArrayList<>();
    for (long token : tokens) {
      list.add(BigInteger.valueOf(token));
    }
    return TokenRing.of(BigInteger.valueOf(size), list);
  }

  private static double spread(WarmShare share, Arrangement arrangement) {
    TokenRing ring = TokenLayout.of(39, share, arrangement).ring();
    return ReplicaLoad.of(ring, Placement.simple(39, 5)).spread().cv();
  }
}
