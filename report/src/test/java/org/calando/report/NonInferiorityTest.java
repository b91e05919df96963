package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.calando.report.NonInferiority.Verdict;
import org.junit.jupiter.api.Test;

class NonInferiorityTest {
  private static final double[] EVEN = {100, 100, 100, 100, 100};

  @Test
  void whatHardlyDiffersIsNoWorse() {
    NonInferiority same = NonInferiority.ofMore(times(EVEN, 0.99, 1.0, 1.01, 1.0, 0.99), EVEN);
    assertThat(same.verdict()).isEqualTo(Verdict.NON_INFERIOR);
    assertThat(same.ratio().low()).isGreaterThan(NonInferiority.MARGIN);
    assertThat(same.blocks()).isEmpty();
  }

  @Test
  void whatIsBelowTheMarginWithItsWholeIntervalIsWorse() {
    double[] less = times(EVEN, 0.90, 0.91, 0.90, 0.89, 0.90);
    assertThat(NonInferiority.ofMore(less, EVEN).verdict()).isEqualTo(Verdict.INFERIOR);
    // Less of a cost is better, and more of it worse.
    assertThat(NonInferiority.ofLess(less, EVEN).ratio().ratio()).isGreaterThan(1.1);
    assertThat(NonInferiority.ofLess(EVEN, less).verdict()).isEqualTo(Verdict.INFERIOR);
  }

  @Test
  void scatterIsUndecidedForAsManyBlocksAsItTakes() {
    // ln ratios 0.04, -0.04, 0.04, -0.04: s = 0.0461880. t(0.975, n-1) s / sqrt(n) is above ln 1.02
    // = 0.0198026
    // at n = 23 (2.073873: 0.0199732), and below at 24 (2.068658: 0.0195035).
    double up = Math.exp(0.04);
    double[] base = {100, 100, 100, 100};
    NonInferiority scattered = NonInferiority.ofMore(times(base, up, 1 / up, up, 1 / up), base);
    assertThat(scattered.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(scattered.ratio().ratio()).isCloseTo(1, within(1e-12));
    assertThat(scattered.blocks()).hasValue(24);
  }

  @Test
  void aWideIntervalDecidesNothingEvenAboveTheMargin() {
    double[] better = times(EVEN, 1.2, 1.3, 1.1, 1.25, 1.15);
    NonInferiority judged = NonInferiority.ofMore(better, EVEN);
    assertThat(judged.ratio().low()).isGreaterThan(1);
    assertThat(judged.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(judged.blocks()).isPresent();
  }

  @Test
  void oneBlockSaysNothing() {
    NonInferiority one = NonInferiority.ofMore(new double[] {100}, new double[] {100});
    assertThat(one.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(one.blocks()).isEmpty();
  }

  private static double[] times(double[] base, double... factors) {
    double[] product = Arrays.copyOf(base, base.length);
    for (int i = 0; i < product.length; i++) {
      product[i] *= factors[i];
    }
    return product;
  }
}
