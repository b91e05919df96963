package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MoveForecastTest {
  private static final long GIB = 1L << 30;

  @Test
  void eachKeyspaceStreamsByItsOwnReplicas() {
    Plan plan = new Plan(6, WarmShare.HALF);
    MoveForecast one = plan.forecast(new MoveForecast.Part(Placement.simple(6, 1), 36 * GIB));
    MoveForecast three = plan.forecast(new MoveForecast.Part(Placement.simple(6, 3), 36 * GIB));
    MoveForecast all = plan.forecast(new MoveForecast.Part(Placement.simple(6, 6), 36 * GIB));
    // In 36ths of the ring: 2 + 4 + 2 forward and 2 backward, whatever the replicas.
    assertThat(one.streamedBytes()).isEqualTo(10 * GIB);
    assertThat(three.streamedBytes()).isEqualTo(10 * GIB);
    assertThat(all.streamedBytes()).as("all hold everything").isZero();
    MoveForecast both =
        plan.forecast(
            new MoveForecast.Part(Placement.simple(6, 3), 36 * GIB),
            new MoveForecast.Part(Placement.simple(6, 6), 36 * GIB));
    assertThat(both.streamedBytes()).isEqualTo(three.streamedBytes());
    assertThat(both.heldBefore(1)).isEqualTo(18 * GIB + 36 * GIB);
  }

  @Test
  void whatNodesGainAndLoseInTheMovesIsWhatTheyHoldAfterLessWhatTheyHeldBefore() {
    long seed = Long.getLong("calando.seed", new Random().nextLong());
    Random random = new Random(seed);
    for (int trial = 0; trial < 50; trial++) {
      int nodes = 2 + random.nextInt(12);
      int replicas = 1 + random.nextInt(nodes);
      WarmShare share = List.of(WarmShare.HALF, WarmShare.TWO_THIRDS).get(random.nextInt(2));
      int racks = 1 + random.nextInt(3);
      Placement placement =
          Placement.racks(
              replicas, IntStream.range(0, nodes).map(i -> i % Math.min(racks, nodes)).toArray());
      MoveForecast forecast =
          new Plan(nodes, share).forecast(new MoveForecast.Part(placement, 1L << 40));
      long total = 0;
      for (int node = 1; node <= nodes; node++) {
        long change = 0;
        for (MoveForecast.Step step : forecast.steps()) {
          change += step.received().getOrDefault(node, 0L) - step.given().getOrDefault(node, 0L);
        }
        // Each part of each step is rounded to a byte.
        assertThat((double) (forecast.heldAfter(node) - forecast.heldBefore(node)))
            .as("seed %d, trial %d, node %d", seed, trial, node)
            .isCloseTo((double) change, within(4.0 * nodes));
        total += forecast.heldAfter(node);
      }
      assertThat((double) total).isCloseTo((double) replicas * (1L << 40), within(4.0 * nodes));
    }
  }

  @Test
  void ownershipIsThatOfTheLayoutAfterwards() {
    MoveForecast forecast =
        new Plan(6, WarmShare.HALF).forecast(new MoveForecast.Part(Placement.simple(6, 3), GIB));
    for (int node = 1; node <= 6; node++) {
      assertThat(forecast.ownedBefore(node).toDouble()).isCloseTo(1 / 6.0, within(1e-9));
      assertThat(forecast.ownedAfter(node).toDouble())
          .isCloseTo(node <= 3 ? 2 / 9.0 : 1 / 9.0, within(1e-9));
    }
  }

  /** The moves from an even layout to another one. */
  private static final class Plan {
    private final List<BigInteger> tokens = new ArrayList<>();
    private final MovePlan moves;

    Plan(int nodes, WarmShare share) {
      TokenLayout even = TokenLayout.of(nodes, WarmShare.EVEN, Arrangement.CONTIGUOUS);
      for (int node = 1; node <= nodes; node++) {
        tokens.add(even.token(node, Partitioner.MURMUR3));
      }
      moves =
          MovePlan.of(
              TokenLayout.of(nodes, share, Arrangement.CONTIGUOUS),
              Partitioner.MURMUR3,
              tokens,
              Placement.simple(nodes, 1));
    }

    MoveForecast forecast(MoveForecast.Part... parts) {
      List<Map.Entry<Integer, BigInteger>> targets =
          moves.moves().stream().map(move -> Map.entry(move.node(), move.to())).toList();
      return MoveForecast.of(Partitioner.MURMUR3, tokens, targets, List.of(parts));
    }
  }
}
