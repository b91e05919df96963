package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.Map;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenLayoutTest {
  private static final int THESIS_NODES = 39;
  private static final Map<String, WarmShare> SHARES =
      Map.of("even", WarmShare.EVEN, "half", WarmShare.HALF, "twothirds", WarmShare.TWO_THIRDS);

  @ParameterizedTest
  @ValueSource(strings = {"even", "half", "twothirds"})
  void placesTokensAndOwnershipAreThoseOfTheVectors(String name) {
    TokenLayout layout = thesis(SHARES.get(name));
    assertThat(Vectors.of(TokenLayoutTest.class, name)).hasSize(THESIS_NODES);
    for (Vectors.Vector vector : Vectors.of(TokenLayoutTest.class, name)) {
      int node = vector.count("node");
      assertThat(layout.nodes()).isEqualTo(vector.count("N"));
      assertThat(layout.parts()).isEqualTo(vector.count("M"));
      assertThat(layout.isWarm(node)).as("%s", vector).isEqualTo(vector.flag("warm"));
      assertThat(layout.place(node)).as("%s", vector).isEqualTo(vector.count("index"));
      assertThat(layout.token(node, Partitioner.RANDOM))
          .as("%s", vector)
          .isEqualTo(new BigInteger(vector.text("random")));
      assertThat(layout.token(node, Partitioner.MURMUR3))
          .as("%s", vector)
          .isEqualTo(new BigInteger(vector.text("murmur3")));
      assertThat(layout.ownedParts(node)).as("%s", vector).isEqualTo(vector.count("own"));
      assertThat(layout.ownership(node).toDouble())
          .as("%s", vector)
          .isCloseTo(vector.number("own_fraction"), within(1e-15));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"even", "half", "twothirds"})
  void theThesissOrderOfOperationsLosesAtMostATokenAPlace(String name) {
    for (Vectors.Vector vector : Vectors.of(TokenLayoutTest.class, name)) {
      int place = vector.count("index");
      BigInteger literal =
          Partitioner.RANDOM
              .ringSize()
              .divide(BigInteger.valueOf(vector.count("M")))
              .multiply(BigInteger.valueOf(place));
      assertThat(literal).as("%s", vector).isEqualTo(new BigInteger(vector.text("random_literal")));
      BigInteger lost = Partitioner.RANDOM.token(place, vector.count("M")).subtract(literal);
      assertThat(lost.intValueExact()).as("%s", vector).isBetween(0, place);
    }
  }

  @ParameterizedTest
  @CsvSource({"even, 0, 39", "half, 20, 59", "third, 13, 52", "two-thirds, 26, 65"})
  void theThesissClusterHasItsPoolsAndParts(String text, int warm, int parts) {
    TokenLayout layout = thesis(WarmShare.parse(text));
    assertThat(layout.warmNodes()).isEqualTo(warm);
    assertThat(layout.parts()).isEqualTo(parts);
    assertThat(IntStream.rangeClosed(1, THESIS_NODES).filter(layout::isWarm))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, warm).boxed().toList());
  }

  @Test
  void aThirdHasTheCorrectedPlaces() {
    TokenLayout third = thesis(WarmShare.THIRD);
    assertThat(third.place(1)).isEqualTo(1);
    assertThat(third.place(13)).isEqualTo(25);
    assertThat(third.place(14)).isEqualTo(26);
    assertThat(third.place(39)).isEqualTo(51);
  }

  @Test
  void theLastNodeStandsAtTheLastPlaceAndAllOwnTheWholeRing() {
    for (int nodes = 1; nodes <= 12; nodes++) {
      for (int warm = 0; warm <= nodes; warm++) {
        for (Arrangement arrangement : Arrangement.values()) {
          TokenLayout layout = warm(nodes, warm, arrangement);
          assertThat(layout.place(nodes)).isEqualTo(layout.parts() - 1);
          Fraction all = Fraction.ZERO;
          int before = -1;
          for (int node = 1; node <= nodes; node++) {
            all = all.plus(layout.ownership(node));
            assertThat(layout.place(node) - before).isEqualTo(layout.isWarm(node) ? 2 : 1);
            before = layout.place(node);
          }
          assertThat(all).isEqualTo(Fraction.ONE);
          assertThat(IntStream.rangeClosed(1, nodes).filter(layout::isWarm)).hasSize(warm);
        }
      }
    }
  }

  @Test
  void interleavedWarmNodesAreSpreadEvenly() {
    assertThat(pools(warm(6, 3, Arrangement.INTERLEAVED))).isEqualTo("wcwcwc");
    assertThat(pools(warm(6, 2, Arrangement.INTERLEAVED))).isEqualTo("wccwcc");
    assertThat(pools(warm(6, 3, Arrangement.CONTIGUOUS))).isEqualTo("wwwccc");
  }

  @Test
  void tokensOfSixNodesHalfWarm() {
    TokenLayout layout = TokenLayout.of(6, WarmShare.HALF, Arrangement.CONTIGUOUS);
    // -2^63 + floor(i 2^64 / 9) for i = 1, 3, 5, 6, 7, 8
    assertThat(IntStream.rangeClosed(1, 6).mapToObj(n -> layout.token(n, Partitioner.MURMUR3)))
        .extracting(BigInteger::toString)
        .containsExactly(
            "-7173733806442603407",
            "-3074457345618258603",
            "1024819115206086200",
            "3074457345618258602",
            "5124095576030431004",
            "7173733806442603406");
    // A turn by half a part moves every token by 2^64 / 18, and no token is the least one.
    for (int node = 1; node <= 6; node++) {
      BigInteger turn =
          layout
              .turnedToken(node, Partitioner.MURMUR3)
              .subtract(layout.token(node, Partitioner.MURMUR3));
      assertThat(turn.doubleValue()).isCloseTo(Math.pow(2, 64) / 18, within(2.0));
    }
    assertThat(
            TokenLayout.of(6, WarmShare.EVEN, Arrangement.CONTIGUOUS)
                .turnedToken(1, Partitioner.MURMUR3))
        .isGreaterThan(Partitioner.MURMUR3.token(0, 1));
  }

  @Test
  void layoutsThatCannotBeAreRefused() {
    assertRefused(() -> thesis(0, WarmShare.HALF), "no layout for 0 nodes");
    assertRefused(() -> thesis(10_001, WarmShare.HALF), "no layout for 10001 nodes");
    assertRefused(() -> thesis(2, WarmShare.parse("20%")), "1/5 of 2 nodes is not one node");
    assertThatThrownBy(() -> Partitioner.RANDOM.token(3, 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Partitioner.RANDOM.token(-1, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertRefused(Runnable making, String message) {
    assertThatThrownBy(making::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(message, "remedy: write");
  }

  private static String pools(TokenLayout layout) {
    StringBuilder pools = new StringBuilder();
    for (int node = 1; node <= layout.nodes(); node++) {
      pools.append(layout.isWarm(node) ? 'w' : 'c');
    }
    return pools.toString();
  }

  private static TokenLayout thesis(WarmShare share) {
    return thesis(THESIS_NODES, share);
  }

  private static TokenLayout thesis(int nodes, WarmShare share) {
    return TokenLayout.of(nodes, share, Arrangement.CONTIGUOUS);
  }

  static TokenLayout warm(int nodes, int warm, Arrangement arrangement) {
    return TokenLayout.of(nodes, new WarmShare(Fraction.of(warm, nodes)), arrangement);
  }
}
