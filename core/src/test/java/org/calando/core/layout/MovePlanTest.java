package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class MovePlanTest {
  private static final double ROUNDING = 1e-15;

  @Test
  void fromEvenToHalfWarmTheMedianNodeStays() {
    // Places in 36ths: even at 0, 6, .. 30; half at 4, 12, 20, 24, 28, 32. Away by 4, 6, 8, 6, 4,
    // 2.
    MovePlan plan = plan(even(6), layout(6, WarmShare.HALF), Placement.simple(6, 3));
    assertThat(plan.streamed().toDouble()).isCloseTo(10 / 36.0, within(ROUNDING));
    assertThat(plan.moves()).hasSize(4);
    assertThat(plan.moves())
        .allSatisfy(move -> assertThat(move.streamed().toDouble()).isIn(share(2), share(4)));
  }

  @Test
  void forwardTheNodeItselfGainsAndBackwardTheOneBehindItsReplicas() {
    MovePlan plan = plan(even(6), layout(6, WarmShare.HALF), Placement.simple(6, 3));
    for (MovePlan.Move move : plan.moves()) {
      boolean forward = move.to().compareTo(move.from()) > 0;
      boolean wrapped = move.to().subtract(move.from()).abs().bitLength() > 63;
      int gaining = forward != wrapped ? move.node() : (move.node() - 1 + 3) % 6 + 1;
      assertThat(move.received()).containsOnlyKeys(gaining);
    }
  }

  @Test
  void afterTheMovesNodesOwnWhatTheLayoutSays() {
    for (Arrangement arrangement : Arrangement.values()) {
      TokenLayout layout = TokenLayout.of(39, WarmShare.THIRD, arrangement);
      MovePlan plan = plan(even(39), layout, Placement.simple(39, 5));
      TokenRing ring = TokenRing.of(Partitioner.MURMUR3.ringSize(), plan.tokens());
      for (int position = 0; position < 39; position++) {
        double owned = new Fraction(ring.range(position), ring.size()).toDouble();
        assertThat(owned)
            .isCloseTo(layout.ownership(ring.node(position)).toDouble(), within(ROUNDING));
      }
    }
  }

  @Test
  void aClusterThatIsThereAlreadyHasNothingToMove() {
    TokenLayout layout = layout(6, WarmShare.HALF);
    List<BigInteger> turned =
        IntStream.rangeClosed(1, 6)
            .mapToObj(node -> layout.turnedToken(node, Partitioner.MURMUR3))
            .toList();
    MovePlan there = plan(tokens(layout), layout, Placement.simple(6, 3));
    assertThat(there.moves()).isEmpty();
    assertThat(there.streamed()).isEqualTo(Fraction.ZERO);
    assertThat(plan(turned, layout, Placement.simple(6, 3)).moves()).isEmpty();
    assertThat(plan(even(1), layout(1, WarmShare.HALF), Placement.simple(1, 1)).moves()).isEmpty();
  }

  @Test
  void aClusterThatMovedIsThereWhateverNodeHasTheLeastTokenNow() {
    long seed = Long.getLong("calando.seed", 20130829L);
    Random random = new Random(seed);
    List<Integer> sizes = new ArrayList<>(List.of(39, 12, 2, 1));
    IntStream.range(0, 60).forEach(trial -> sizes.add(1 + random.nextInt(24)));
    for (int nodes : sizes) {
      TokenLayout layout =
          TokenLayoutTest.warm(
              nodes,
              random.nextInt(nodes + 1),
              random.nextBoolean() ? Arrangement.CONTIGUOUS : Arrangement.INTERLEAVED);
      Placement placement = Placement.simple(nodes, 1);
      List<BigInteger> tokens = random.nextBoolean() ? even(nodes) : randomTokens(nodes, random);
      MovePlan once = plan(tokens, layout, placement);
      assertThat(plan(once.tokens(), layout, placement).moves())
          .as("seed %s, %s nodes, %s warm", seed, nodes, layout.warmNodes())
          .isEmpty();
      List<BigInteger> turned = turned(once.tokens(), new BigInteger(62, random));
      assertThat(plan(turned, layout, placement).moves())
          .as("turned, seed %s, %s nodes", seed, nodes)
          .isEmpty();
    }
  }

  private static List<BigInteger> turned(List<BigInteger> tokens, BigInteger by) {
    return tokens.stream().map(token -> Partitioner.MURMUR3.wrap(token.add(by))).toList();
  }

  @Test
  void whatAMoveStreamsIsWhatBruteForceFinds() {
    // A ring of 20 tokens, all keys looked at one by one.
    BigInteger size = BigInteger.valueOf(20);
    TokenRing before = ring(size, 2, 7, 11, 16);
    TokenRing after = ring(size, 2, 13, 11, 16);
    Placement placement = Placement.racks(2, 0, 0, 1, 1);
    Map<Integer, BigInteger> gained = RingChange.gained(before, after, placement);
    int[] expected = new int[5];
    for (int key = 0; key < 20; key++) {
      Set<Integer> had = holders(before, placement, key);
      for (int node : holders(after, placement, key)) {
        expected[node] += had.contains(node) ? 0 : 1;
      }
    }
    for (int node = 1; node <= 4; node++) {
      assertThat(gained.getOrDefault(node, BigInteger.ZERO).intValueExact())
          .as("node %s", node)
          .isEqualTo(expected[node]);
    }
    assertThat(gained).isNotEmpty();
  }

  @Test
  void fromAnyTokensNoMovePassesAnotherNodeAndNoneIsFreeOfCharge() {
    long seed = Long.getLong("calando.seed", 20130828L);
    Random random = new Random(seed);
    for (int trial = 0; trial < 200; trial++) {
      int nodes = 1 + random.nextInt(12);
      int rf = 1 + random.nextInt(nodes);
      List<BigInteger> tokens = randomTokens(nodes, random);
      TokenLayout layout =
          TokenLayoutTest.warm(nodes, random.nextInt(nodes + 1), Arrangement.INTERLEAVED);
      MovePlan plan = plan(tokens, layout, Placement.simple(nodes, rf));
      List<Integer> order = order(tokens);
      List<BigInteger> now = new ArrayList<>(tokens);
      Fraction arcs = Fraction.ZERO;
      for (MovePlan.Move move : plan.moves()) {
        assertThat(now.set(move.node() - 1, move.to())).isEqualTo(move.from());
        assertThat(order(now)).as("seed %s, trial %s", seed, trial).isEqualTo(order);
        arcs = arcs.plus(move.streamed());
      }
      assertThat(now).isEqualTo(plan.tokens());
      assertThat(plan.streamed()).isEqualTo(arcs).isGreaterThanOrEqualTo(plan.change());
      if (rf == nodes) {
        assertThat(plan.streamed()).as("all hold everything").isEqualTo(Fraction.ZERO);
      }
    }
  }

  @Test
  void withEnoughNodesTheMovesCostTheArcsThatTheyCover() {
    List<BigInteger> tokens = even(12);
    MovePlan plan = plan(tokens, layout(12, WarmShare.THIRD), Placement.simple(12, 3));
    Fraction arcs = Fraction.ZERO;
    for (MovePlan.Move move : plan.moves()) {
      BigInteger arc = move.to().subtract(move.from()).abs();
      BigInteger size = Partitioner.MURMUR3.ringSize();
      arcs = arcs.plus(new Fraction(arc.min(size.subtract(arc)), size));
    }
    assertThat(plan.streamed()).isEqualTo(arcs);
  }

  @Test
  void tokensThatCannotBeMovedAreRefused() {
    Placement placement = Placement.simple(3, 1);
    TokenLayout layout = layout(3, WarmShare.THIRD);
    assertThatThrownBy(() -> plan(even(2), layout, placement))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("2 tokens for 3 nodes");
    List<BigInteger> strange = List.of(BigInteger.ONE, BigInteger.TWO, BigInteger.TWO.pow(63));
    assertThatThrownBy(() -> plan(strange, layout, placement))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("9223372036854775808 is no token of Murmur3Partitioner");
    List<BigInteger> twice = List.of(BigInteger.ONE, BigInteger.TWO, BigInteger.ONE);
    assertThatThrownBy(() -> plan(twice, layout, placement))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes 1 and 3 both have token 1");
    assertThatThrownBy(
            () -> plan(even(1001), layout(1001, WarmShare.HALF), Placement.simple(1001, 3)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no plan for 1001 nodes");
  }

  private static double share(int thirtySixths) {
    BigInteger part =
        Partitioner.MURMUR3
            .ringSize()
            .multiply(BigInteger.valueOf(thirtySixths))
            .divide(BigInteger.valueOf(36));
    return new Fraction(part, Partitioner.MURMUR3.ringSize()).toDouble();
  }

  private static Set<Integer> holders(TokenRing ring, Placement placement, int key) {
    int position = 0;
    while (position < ring.nodes() && ring.token(position).intValueExact() < key) {
      position++;
    }
    Set<Integer> holders = new TreeSet<>();
    for (int node : placement.replicas(ring, position % ring.nodes())) {
      holders.add(node);
    }
    return holders;
  }

  private static TokenRing ring(BigInteger size, long... tokens) {
    return TokenRing.of(size, Arrays.stream(tokens).mapToObj(BigInteger::valueOf).toList());
  }

  /** The nodes around the ring, from node 1 on. */
  private static List<Integer> order(List<BigInteger> tokens) {
    TokenRing ring = TokenRing.of(Partitioner.MURMUR3.ringSize(), tokens);
    int first =
        IntStream.range(0, ring.nodes()).filter(i -> ring.node(i) == 1).findFirst().orElse(0);
    return IntStream.range(first, first + ring.nodes()).map(ring::node).boxed().toList();
  }

  private static List<BigInteger> randomTokens(int nodes, Random random) {
    Set<BigInteger> tokens = new HashSet<>();
    while (tokens.size() < nodes) {
      tokens.add(BigInteger.valueOf(random.nextLong()));
    }
    return List.copyOf(new TreeSet<>(tokens)).stream()
        .sorted((a, b) -> Integer.compare(a.hashCode(), b.hashCode()))
        .toList();
  }

  private static List<BigInteger> even(int nodes) {
    return tokens(layout(nodes, WarmShare.EVEN));
  }

  private static List<BigInteger> tokens(TokenLayout layout) {
    return IntStream.rangeClosed(1, layout.nodes())
        .mapToObj(node -> layout.token(node, Partitioner.MURMUR3))
        .toList();
  }

  private static TokenLayout layout(int nodes, WarmShare share) {
    return TokenLayout.of(nodes, share, Arrangement.CONTIGUOUS);
  }

  private static MovePlan plan(List<BigInteger> tokens, TokenLayout layout, Placement placement) {
    return MovePlan.of(layout, Partitioner.MURMUR3, tokens, placement);
  }
}
