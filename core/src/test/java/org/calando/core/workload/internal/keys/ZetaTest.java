package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.generator.ScrambledZipfianGenerator;

class ZetaTest {
  @Test
  void theConstantsAreYcsbs() {
    assertThat(ScrambledZipfianKeys.ITEMS).isEqualTo(ScrambledZipfianGenerator.ITEM_COUNT);
    assertThat(ScrambledZipfianKeys.ZETA).isEqualTo(ScrambledZipfianGenerator.ZETAN);
  }

  @Test
  void zetaOfTenBillionIsYcsbsConstant() {
    // YCSB added up 10^10 terms, whose roundings are the difference.
    assertThat(Zeta.of(ScrambledZipfianKeys.ITEMS, 0.99))
        .isCloseTo(ScrambledZipfianKeys.ZETA, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.5, 0.8, 0.99, 0.999999})
  void zetaIsTheSumOfItsTerms(double theta) {
    double sum = 0;
    double compensation = 0;
    for (int i = 1; i <= 300_000; i++) {
      double term = 1 / Math.pow(i, theta) - compensation;
      double next = sum + term;
      compensation = next - sum - term;
      sum = next;
      if (i == 1 || i == 2 || i == 1024 || i == 1025 || i == 3000 || i == 300_000) {
        assertThat(Zeta.of(i, theta)).as("zeta(%d)", i).isCloseTo(sum, within(1e-12 * sum));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 1000, 1024, 5000})
  void extendingGivesTheZetaOfTheLargerNumber(long from) {
    double sum = Zeta.of(from, 0.99);
    for (long by : new long[] {0, 1, 2, 1024, 1025, 1_000_000}) {
      assertThat(Zeta.extend(sum, from, from + by, 0.99))
          .isCloseTo(Zeta.of(from + by, 0.99), within(1e-12));
    }
  }
}
