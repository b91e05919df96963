package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairSequenceTest {
  @Test
  void equalWeightsTakeTurnsInOrder() {
    double[] weights = new double[7];
    Arrays.fill(weights, 1 / 7.0);
    FairSequence sequence = new FairSequence(weights, 1);
    for (int i = 0; i < 700; i++) {
      assertThat(sequence.next()).containsExactly(i % 7);
    }
  }

  @Test
  void afterAnyRoundEachHasItsShareToWithinOneTurn() {
    Random random = new Random(GearLayouts.SEED);
    for (int trial = 0; trial < 200; trial++) {
      int size = 1 + random.nextInt(20);
      int turns = 1 + random.nextInt(Math.min(size, 4));
      double[] weights = Shares.capped(random.doubles(size, 0.01, 1).toArray(), turns);
      FairSequence sequence = new FairSequence(weights, turns);
      long[] taken = new long[size];
      for (int round = 1; round <= 500; round++) {
        List<Integer> next = sequence.next();
        assertThat(next).hasSize(turns).doesNotHaveDuplicates();
        next.forEach(i -> taken[i]++);
        for (int i = 0; i < size; i++) {
          assertThat(Math.abs(taken[i] - round * weights[i]))
              .as("trial %d round %d of %s", trial, round, Arrays.toString(weights))
              .isLessThan(1 + 1e-6);
        }
      }
    }
  }

  @Test
  void nothingIsTakenWhereNothingIsToBe() {
    assertThat(new FairSequence(new double[3], 0).next()).isEmpty();
    assertThat(new FairSequence(new double[0], 0).next()).isEmpty();
  }
}
