package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
  @Test
  void aStreamIsAFunctionOfSeedAndNumber() {
    RandomStream one = new RandomStream(7, 3);
    RandomStream other = new RandomStream(7, 3);
    for (int i = 0; i < 1000; i++) {
      assertThat(one.nextLong()).isEqualTo(other.nextLong());
    }
  }

  @Test
  void streamsAndSeedsDiffer() {
    Set<Long> first = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      for (int stream = 0; stream < 100; stream++) {
        first.add(new RandomStream(seed, stream).nextLong());
      }
    }
    assertThat(first).hasSize(10_000);
  }

  @Test
  void numbersBelowABoundAreUniform() {
    RandomStream random = Samples.random();
    double[] sevenths = new double[7];
    Arrays.fill(sevenths, 1.0 / 7);
    Samples.assertDistributedAs(Samples.count(700_000, 0, 7, () -> random.nextLong(7)), sevenths);
  }

  @Test
  void numbersBelowALargeBoundAreNotBiased() {
    // Without drawing again, values below a third of this bound would be twice as frequent.
    long bound = 3L << 61;
    RandomStream random = Samples.random();
    long third = 1L << 61;
    double[] thirds = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    Samples.assertDistributedAs(
        Samples.count(300_000, 0, 3, () -> random.nextLong(bound) / third), thirds);
  }

  @Test
  void fractionsAreUniform() {
    RandomStream random = Samples.random();
    double[] tenths = new double[10];
    Arrays.fill(tenths, 0.1);
    Samples.assertDistributedAs(
        Samples.count(1_000_000, 0, 10, () -> (long) (random.nextDouble() * 10)), tenths);
  }
}
