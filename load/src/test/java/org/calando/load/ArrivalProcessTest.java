package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.load.TestRun.SECOND;
import static org.calando.load.TestRun.SEED;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArrivalProcessTest {
  private static long[] take(ArrivalProcess process, int count) {
    ArrivalProcess.Arrivals arrivals = process.begin(SEED);
    long[] times = new long[count];
    Arrays.setAll(times, i -> arrivals.nextNanos());
    return times;
  }

  private static long within(long[] times, long from, long to) {
    return Arrays.stream(times).filter(time -> time >= from && time < to).count();
  }

  @Test
  void constantArrivalsDoNotDrift() {
    long[] times = take(ArrivalProcess.even(RateProfile.constant(3)), 3_000_001);
    assertThat(times[0]).isZero();
    assertThat(times[1]).isEqualTo(333_333_333);
    assertThat(times[3_000_000]).isEqualTo(1_000_000 * SECOND);
  }

  @Test
  void stepsHoldExactlyTheirArrivals() {
    RateProfile profile =
        RateProfile.builder()
            .step(100, 2 * SECOND)
            .step(0, SECOND)
            .step(7, 3 * SECOND)
            .step(1000, SECOND)
            .buildFinite();
    long[] times = take(ArrivalProcess.even(profile), 1222);
    assertThat(within(times, 0, 2 * SECOND)).isEqualTo(200);
    assertThat(within(times, 2 * SECOND, 3 * SECOND)).isZero();
    assertThat(within(times, 3 * SECOND, 6 * SECOND)).isEqualTo(21);
    assertThat(within(times, 6 * SECOND, 7 * SECOND)).isEqualTo(1000);
    assertThat(times[1221]).isEqualTo(ArrivalProcess.NONE);
  }

  @Test
  void rampsFollowTheIntegralOfTheirRate() {
    RateProfile profile =
        RateProfile.builder().ramp(0, 200, 10 * SECOND).ramp(200, 0, 10 * SECOND).buildFinite();
    long[] times = take(ArrivalProcess.even(profile), 2000);
    for (int second = 1; second <= 20; second++) {
      // Up: 10 t^2 arrivals before t; down: mirrored.
      long left = 20L - second;
      long expected = second <= 10 ? 10L * second * second : 2000 - 10 * left * left;
      assertThat(within(times, 0, second * SECOND)).isEqualTo(expected);
    }
    assertThat(times).isSorted();
  }

  @Test
  void lastRateGoesOn() {
    RateProfile profile = RateProfile.builder().step(1, SECOND).step(10, SECOND).build();
    long[] times = take(ArrivalProcess.even(profile), 1000);
    assertThat(within(times, 50 * SECOND, 60 * SECOND)).isEqualTo(100);
  }

  @Test
  void poissonArrivalsHaveTheRateAndExponentialGaps() {
    int count = 200_000;
    long[] times = take(ArrivalProcess.poisson(1000), count);
    double[] gaps = new double[count];
    for (int i = 0; i < count; i++) {
      gaps[i] = (times[i] - (i == 0 ? 0 : times[i - 1])) / 1e6;
    }
    // The mean of n exponential gaps has the standard deviation 1/sqrt(n): five of them.
    assertThat(Arrays.stream(gaps).average().orElseThrow())
        .as("seed %d", SEED)
        .isCloseTo(1, offset(5 / Math.sqrt(count)));
    assertThat(kolmogorov(gaps)).as("seed %d", SEED).isLessThan(2.0 / Math.sqrt(count));
    assertThat(dispersion(times)).as("seed %d", SEED).isCloseTo(1, offset(0.15));
  }

  @Test
  void poissonArrivalsFollowAProfile() {
    RateProfile profile =
        RateProfile.builder().step(1000, 10 * SECOND).step(5000, 10 * SECOND).buildFinite();
    long[] times = take(ArrivalProcess.poisson(profile), 70_000);
    assertThat((double) within(times, 0, 10 * SECOND))
        .as("seed %d", SEED)
        .isCloseTo(10_000, offset(500.0));
    assertThat((double) within(times, 10 * SECOND, 20 * SECOND))
        .as("seed %d", SEED)
        .isCloseTo(50_000, offset(1120.0));
    assertThat(times[69_999]).isEqualTo(ArrivalProcess.NONE);
  }

  @Test
  void sequencesDependOnTheSeedAlone() {
    ArrivalProcess process = ArrivalProcess.poisson(100);
    assertThat(take(process, 100)).isEqualTo(take(process, 100));
    assertThat(process.begin(SEED + 1).nextNanos()).isNotEqualTo(take(process, 1)[0]);
  }

  @Test
  void ratesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> ArrivalProcess.even(RateProfile.constant(0)))
        .hasMessageContaining("rate 0");
    assertThatThrownBy(() -> ArrivalProcess.poisson(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> RateProfile.builder().step(-1, 5)).hasMessageContaining("-1.0");
  }

  /** Largest distance between the gaps' distribution and the exponential one of mean 1. */
  private static double kolmogorov(double[] gaps) {
    double[] sorted = gaps.clone();
    Arrays.sort(sorted);
    double largest = 0;
    for (int i = 0; i < sorted.length; i++) {
      double expected = 1 - Math.exp(-sorted[i]);
      largest = Math.max(largest, Math.abs(expected - (double) i / sorted.length));
      largest = Math.max(largest, Math.abs(expected - (i + 1.0) / sorted.length));
    }
    return largest;
  }

  /** Variance over mean of the counts per 100 ms: 1 for a Poisson process. */
  private static double dispersion(long[] times) {
    int bins = (int) (times[times.length - 1] / (SECOND / 10));
    double[] counts = new double[bins];
    for (long time : times) {
      int bin = (int) (time / (SECOND / 10));
      if (bin < bins) {
        counts[bin]++;
      }
    }
    double mean = Arrays.stream(counts).average().orElseThrow();
    double squares = Arrays.stream(counts).map(count -> (count - mean) * (count - mean)).sum();
    return squares / (bins - 1) / mean;
  }

  private static org.assertj.core.data.Offset<Double> offset(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }
}
