package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

/** Moments and tails of 300 000 draws, each within 4.5 standard errors. */
class RandomTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final int DRAWS = 300_000;

  @Test
  void streamsDependOnSeedNameAndNumberOnly() {
    RandomStreams streams = new RandomStreams(SEED);
    long first = streams.of("cpu", 3).nextLong();
    assertThat(new RandomStreams(SEED).of("cpu", 3).nextLong()).isEqualTo(first);
    assertThat(streams.of("cpu", 4).nextLong()).isNotEqualTo(first);
    assertThat(streams.of("disk", 3).nextLong()).isNotEqualTo(first);
    assertThat(new RandomStreams(SEED + 1).of("cpu", 3).nextLong()).isNotEqualTo(first);
    assertThat(streams.of("cpu").nextLong()).isEqualTo(streams.of("cpu", 0).nextLong());
  }

  @Test
  void theNumbersOfASeedNeverChange() {
    RandomStream random = new RandomStreams(42).of("cpu", 1);
    assertThat(random.nextLong()).isEqualTo(636780598886619568L);
    assertThat(random.nextExponential()).isEqualTo(0.4877224806171255);
    assertThat(random.nextGaussian()).isEqualTo(-0.06218013369978847);
    assertThat(random.nextGamma(2.5)).isEqualTo(1.5964615982476842);
  }

  @Test
  void exponentialsHaveTheirMomentsAndTail() {
    ToDoubleFunction<RandomStream> draw = RandomStream::nextExponential;
    assertMean(draw, 1, 1);
    assertMean(r -> square(r.nextExponential()), 2, Math.sqrt(20));
    for (double beyond : new double[] {0.01, 0.5, 2, 5, 7.6, 9}) {
      assertShare(r -> r.nextExponential() > beyond, Math.exp(-beyond));
    }
  }

  @Test
  void normalsHaveTheirMomentsAndTail() {
    assertMean(RandomStream::nextGaussian, 0, 1);
    assertMean(r -> square(r.nextGaussian()), 1, Math.sqrt(2));
    assertMean(r -> square(square(r.nextGaussian())), 3, Math.sqrt(96));
    assertShare(r -> r.nextGaussian() > 0.1, 0.460172162722971);
    assertShare(r -> r.nextGaussian() < -1, 0.158655253931457);
    assertShare(r -> Math.abs(r.nextGaussian()) > 3, 0.0026997960632602);
    assertShare(r -> Math.abs(r.nextGaussian()) > 3.7, 0.000215599);
  }

  @Test
  void gammasHaveTheirMeanAndVariance() {
    for (double shape : new double[] {0.3, 1, 2.5, 20}) {
      assertMean(r -> r.nextGamma(shape), shape, Math.sqrt(shape));
      double fourth = 3 * shape * shape + 6 * shape;
      assertMean(r -> square(r.nextGamma(shape) - shape), shape, Math.sqrt(fourth - shape * shape));
    }
  }

  @Test
  void wholeNumbersAreEven() {
    for (int value = 0; value < 3; value++) {
      int wanted = value;
      assertShare(r -> r.nextInt(3) == wanted, 1 / 3.0);
    }
  }

  @Test
  void distributionsHaveTheirMeanAndVariation() {
    double mean = 250_000;
    assertMean(r -> Distribution.exponential(mean).sample(r), mean, mean);
    assertMean(r -> Distribution.lognormal(mean, 0.8).sample(r), mean, 0.8 * mean);
    assertMean(r -> Distribution.gamma(mean, 3).sample(r), mean, mean / Math.sqrt(3));
    assertMean(r -> Distribution.gamma(mean, 2).plus(1000).sample(r), mean + 1000, mean);
    assertMean(r -> Distribution.exponential(mean).plus(5e5).times(0.5).sample(r), 375_000, mean);
  }

  @Test
  void constantsAreConstant() {
    RandomStream random = new RandomStreams(SEED).of("x");
    assertThat(Distribution.constant(1234.4).sample(random)).isEqualTo(1234);
    assertThat(Distribution.NONE.isNone()).isTrue();
    assertThat(Distribution.exponential(0).sample(random)).isZero();
  }

  @Test
  void distributionsAreValues() {
    assertThat(Distribution.gamma(5, 2)).isEqualTo(Distribution.gamma(5, 2));
    assertThat(Distribution.gamma(5, 2)).hasSameHashCodeAs(Distribution.gamma(5, 2));
    assertThat(Distribution.exponential(5)).isNotEqualTo(Distribution.constant(5));
    assertThat(Distribution.gamma(5, 2)).isNotEqualTo(Distribution.gamma(5, 3));
    assertThat(Distribution.exponential(5).plus(1))
        .hasToString("exponential, mean 6.0 ns, at least 1.0 ns");
  }

  @Test
  void timesBelowNothingAreRefused() {
    assertThatThrownBy(() -> Distribution.exponential(-1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> Distribution.constant(Double.NaN))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> Distribution.gamma(1, 0)).isInstanceOf(BadRequestException.class);
  }

  private interface Condition {
    boolean holds(RandomStream random);
  }

  private static void assertShare(Condition condition, double share) {
    assertMean(r -> condition.holds(r) ? 1 : 0, share, Math.sqrt(share * (1 - share)));
  }

  private static void assertMean(
      ToDoubleFunction<RandomStream> draw, double mean, double deviation) {
    RandomStream random = new RandomStreams(SEED).of("draws");
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
      sum += draw.applyAsDouble(random);
    }
    assertThat(sum / DRAWS)
        .as("mean of %d draws, seed %d", DRAWS, SEED)
        .isCloseTo(mean, within(4.5 * deviation / Math.sqrt(DRAWS)));
  }

  private static double square(double value) {
    return value * value;
  }
}
