package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StalenessHistogramTest {
  @Test
  void emptyIsAllZero() {
    assertThat(new StalenessHistogram().distribution())
        .isEqualTo(new Staleness.Distribution(0, 0, 0, 0, 0));
  }

  @Test
  void everyMagnitudeIsWithinTheStatedError() {
    for (int power = 0; power < 63; power++) {
      for (long value : new long[] {1L << power, (1L << power) + 1, (1L << power) * 2 - 1}) {
        StalenessHistogram histogram = new StalenessHistogram();
        histogram.record(value);
        histogram.record(Long.MAX_VALUE);
        Staleness.Distribution found = histogram.distribution();
        assertThat(Math.abs(found.p50() - value))
            .as("error at value %d", value)
            .isLessThanOrEqualTo(value / 128);
        assertThat(found.max()).isEqualTo(Long.MAX_VALUE);
      }
    }
  }

  @Test
  void percentilesOfRandomValuesAreWithinTheStatedError() {
    long seed = Long.getLong("calando.seed", 11L);
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      StalenessHistogram histogram = new StalenessHistogram();
      List<Long> values = new ArrayList<>();
      for (int count = 1 + random.nextInt(500); count > 0; count--) {
        long value = random.nextLong() >>> (8 + random.nextInt(50));
        values.add(value);
        histogram.record(value);
      }
      long p99 = OracleBruteForce.percentile(values, 99);
      assertThat(Math.abs(histogram.distribution().p99() - p99))
          .as("error at %d, seed %d, round %d", p99, seed, round)
          .isLessThanOrEqualTo(p99 / 128);
    }
  }
}
