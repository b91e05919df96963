package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.generator.ZipfianGenerator;

class ZipfianRanksTest {
  private static final int DRAWS = 1_000_000;

  @ParameterizedTest
  @CsvSource({"1000, 0.99", "10000, 0.99", "1000, 0.5", "1000, 0.2", "3, 0.99"})
  void ranksFollowTheFormulaExactly(int items, double theta) {
    long[] counts = sample(new ZipfianRanks(items, theta), items);
    Samples.assertDistributedAs(counts, grayProbabilities(items, theta));
  }

  @ParameterizedTest
  @CsvSource({"1000, 0.99", "10000, 0.8"})
  void ranksAreDistributedAsYcsbs(int items, double theta) {
    ZipfianGenerator ycsb = new ZipfianGenerator(items, theta);
    Samples.assertSameDistribution(
        sample(new ZipfianRanks(items, theta), items),
        Samples.count(DRAWS, 0, items, () -> ycsb.nextValue()));
  }

  @Test
  void theFirstTwoRanksAreExactlyZipfianAndTheRestNearlySo() {
    int items = 1000;
    double zeta = Zeta.of(items, 0.99);
    long[] counts = sample(new ZipfianRanks(items, 0.99), items);
    double distance = 0;
    for (int i = 0; i < items; i++) {
      double probability = 1 / Math.pow(i + 1, 0.99) / zeta;
      double share = (double) counts[i] / DRAWS;
      distance += Math.abs(share - probability) / 2;
      if (i < 2) {
        double deviation = Math.sqrt(probability * (1 - probability) / DRAWS);
        assertThat(share).as("seed %d", Samples.SEED).isCloseTo(probability, within(6 * deviation));
      }
    }
    assertThat(distance).as("total variation from zipfian").isLessThan(0.03);
  }

  @Test
  void aGrownGeneratorIsAsOneMadeForTheLargerNumber() {
    ZipfianRanks grown = new ZipfianRanks(1000, 0.99);
    for (int items = 1001; items <= 5000; items++) {
      grown.growTo(items);
    }
    long[] counts = sample(grown, 5000);
    Samples.assertDistributedAs(counts, grayProbabilities(5000, 0.99));
  }

  @Test
  void theNumberOfItemsNeverShrinks() {
    ZipfianRanks ranks = new ZipfianRanks(1000, 0.99);
    ranks.growTo(10);
    Samples.assertDistributedAs(sample(ranks, 1000), grayProbabilities(1000, 0.99));
  }

  @Test
  void oneItemIsAlwaysRankZero() {
    assertThat(sample(new ZipfianRanks(1, 0.99), 1)).containsExactly(DRAWS);
  }

  @Test
  void twoItemsAreExactlyZipfian() {
    double zeta = 1 + Math.pow(0.5, 0.99);
    long[] counts = sample(new ZipfianRanks(2, 0.99), 2);
    Samples.assertDistributedAs(counts, new double[] {1 / zeta, 1 - 1 / zeta});
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, 1.5, Double.NaN})
  void aConstantOutsideZeroToOneIsRefused(double theta) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ZipfianRanks(10, theta));
  }

  private static long[] sample(ZipfianRanks ranks, int items) {
    RandomStream random = Samples.random();
    return Samples.count(DRAWS, 0, items, () -> ranks.next(random));
  }

  /** The exact probabilities of Gray et al.'s formula: the lengths of the intervals of u. */
  private static double[] grayProbabilities(int items, double theta) {
    double zeta = 0;
    for (int i = 1; i <= items; i++) {
      zeta += 1 / Math.pow(i, theta);
    }
    double zeta2 = 1 + Math.pow(0.5, theta);
    double eta = (1 - Math.pow(2.0 / items, 1 - theta)) / (1 - zeta2 / zeta);
    double[] probabilities = new double[items];
    probabilities[0] = 1 / zeta;
    probabilities[1] = (zeta2 - 1) / zeta;
    for (int i = 2; i < items; i++) {
      double below = Math.pow((double) i / items, 1 - theta);
      double above = Math.pow((i + 1.0) / items, 1 - theta);
      probabilities[i] = (above - below) / eta;
    }
    return probabilities;
  }
}
