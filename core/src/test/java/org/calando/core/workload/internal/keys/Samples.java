package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.commons.math3.stat.inference.ChiSquareTest;

/** Frequencies of samples, and chi-square tests on them. */
final class Samples {
  static final long SEED = Long.getLong("calando.seed", 42);

  /** So small that a right program fails less than once in a million runs with other seeds. */
  private static final double SIGNIFICANCE = 1e-6;

  /** Cells with fewer than this expected are pooled with their neighbours. */
  private static final double MIN_EXPECTED = 25;

  private Samples() {}

  static RandomStream random() {
    return new RandomStream(SEED, 0);
  }

  /** How often each of {@code first .. first + cells - 1} is drawn; anything else fails. */
  static long[] count(int draws, long first, int cells, LongSupplier source) {
    long[] counts = new long[cells];
    for (int i = 0; i < draws; i++) {
      long value = source.getAsLong();
      if (value < first || value >= first + cells) {
        throw new AssertionError("drew " + value + " with seed " + SEED);
      }
      counts[(int) (value - first)]++;
    }
    return counts;
  }

  /** Fails unless the counts can come from the probabilities, which sum to 1. */
  static void assertDistributedAs(long[] counts, double[] probabilities) {
    long draws = 0;
    for (long count : counts) {
      draws += count;
    }
    List<Double> expected = new ArrayList<>();
    List<Long> observed = new ArrayList<>();
    double expectedCell = 0;
    long observedCell = 0;
    for (int i = 0; i < counts.length; i++) {
      expectedCell += probabilities[i] * draws;
      observedCell += counts[i];
      if (expectedCell >= MIN_EXPECTED || i == counts.length - 1) {
        expected.add(Math.max(expectedCell, 1e-9));
        observed.add(observedCell);
        expectedCell = 0;
        observedCell = 0;
      }
    }
    double p =
        new ChiSquareTest()
            .chiSquareTest(
                expected.stream().mapToDouble(Double::doubleValue).toArray(),
                observed.stream().mapToLong(Long::longValue).toArray());
    assertThat(p).as("p-value with seed %d", SEED).isGreaterThan(SIGNIFICANCE);
  }

  /** Fails unless both counts can come from one distribution. */
  static void assertSameDistribution(long[] ours, long[] theirs) {
    List<Long> left = new ArrayList<>();
    List<Long> right = new ArrayList<>();
    long leftCell = 0;
    long rightCell = 0;
    for (int i = 0; i < ours.length; i++) {
      leftCell += ours[i];
      rightCell += theirs[i];
      if (leftCell + rightCell >= 2 * MIN_EXPECTED) {
        left.add(leftCell);
        right.add(rightCell);
        leftCell = 0;
        rightCell = 0;
      }
    }
    double p =
        new ChiSquareTest()
            .chiSquareTestDataSetsComparison(
                left.stream().mapToLong(Long::longValue).toArray(),
                right.stream().mapToLong(Long::longValue).toArray());
    assertThat(p).as("p-value with seed %d", SEED).isGreaterThan(SIGNIFICANCE);
  }
}
