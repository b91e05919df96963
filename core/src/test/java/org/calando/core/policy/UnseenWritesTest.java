package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.StaleEstimate;
import org.junit.jupiter.api.Test;

/** Writes that the servers count and whose keys nobody saw are taken to be as bad as can be. */
class UnseenWritesTest {
  private static final int KEYS = 20;
  private static final long SEED = 7;

  private final double[] reads = new double[KEYS];

  private Observation observation(double writesPerSecond, double[] writes, double unseen) {
    double[] one = new double[KEYS];
    Arrays.fill(one, 1);
    KeyPopularity byKey = KeyPopularity.ofBins(one, reads, writes);
    Observation o = Observations.fresh(0, 3, 1, writesPerSecond);
    return Observations.rebuilt(
        o, 3, o.rates(), o.lags(), Optional.of(new Popularity(0, byKey, unseen)), o.truth());
  }

  private void zipf() {
    Arrays.setAll(reads, key -> 1.0 / (key + 1));
    double sum = Arrays.stream(reads).sum();
    Arrays.setAll(reads, key -> reads[key] / sum);
  }

  @Test
  void noSpreadOfTheUnseenWritesIsMuchWorseThanTheEstimate() {
    zipf();
    Random random = new Random(SEED);
    for (double rate : new double[] {0.5, 5, 50, 500}) {
      StaleEstimate worst = Estimates.pbs(observation(rate, new double[KEYS], 1));
      for (int trial = 0; trial < 500; trial++) {
        double[] writes = new double[KEYS];
        double power = 4 * random.nextDouble();
        Arrays.setAll(writes, key -> Math.pow(random.nextDouble() * reads[key], power));
        double sum = Arrays.stream(writes).sum();
        Arrays.setAll(writes, key -> writes[key] / sum);
        StaleEstimate seen = Estimates.pbs(observation(rate, writes, 0));
        for (int read = 1; read <= 3; read++) {
          assertThat(seen.rate(read))
              .as("seed %d, %s writes/s, %d replicas", SEED, rate, read)
              .isLessThanOrEqualTo(worst.rate(read) * 1.05 + 1e-9);
        }
      }
    }
  }

  @Test
  void theFewerAreUnseenTheNearerItIsToWhatWasSeen() {
    zipf();
    double before = 0;
    for (double unseen : new double[] {0, 0.1, 0.5, 1}) {
      double rate = Estimates.pbs(observation(20, reads.clone(), unseen)).rate(1);
      assertThat(rate).isGreaterThanOrEqualTo(before);
      before = rate;
    }
    double seen = Estimates.pbs(observation(20, reads.clone(), 0)).rate(1);
    assertThat(Estimates.pbs(observation(20, reads.clone(), 1e-9)).rate(1))
        .isCloseTo(seen, within(1e-6));
  }

  @Test
  void manyKeysThatAreAllWrittenAreNotTakenForFew() {
    int keys = 1000;
    double[] one = new double[keys];
    double[] even = new double[keys];
    Arrays.fill(one, 1);
    Arrays.fill(even, 1.0 / keys);
    Observation o = Observations.fresh(0, 3, 1, 50_000);
    KeyPopularity known = KeyPopularity.ofBins(one, even, new double[keys]);
    StaleEstimate worst = Estimates.pbs(with(o, new Popularity(0, known, 1)));
    StaleEstimate truth = Estimates.pbs(with(o, new Popularity(0, KeyPopularity.uniform(keys))));
    assertThat(truth.rate(1)).isGreaterThan(0.2);
    assertThat(worst.rate(1)).isGreaterThanOrEqualTo(0.99 * truth.rate(1));
  }

  @Test
  void whetherARareKeyWasReadDecidesLittle() {
    double[] reads = {1.0 / 240, 239.0 / 240};
    double[] none = {0, 1};
    Observation o = Observations.fresh(0, 3, 1, 80);
    double read = rateOfOne(o, new double[] {1, Double.NaN}, reads);
    double unread = rateOfOne(o, new double[] {1, Double.NaN}, none);
    assertThat(read / unread).isBetween(0.25, 4.0);
  }

  private static double rateOfOne(Observation o, double[] keys, double[] reads) {
    KeyPopularity known = KeyPopularity.ofBins(keys, reads, new double[reads.length]);
    return Estimates.pbs(with(o, new Popularity(0, known, 1))).rate(1);
  }

  private static Observation with(Observation o, Popularity popularity) {
    return Observations.rebuilt(o, 3, o.rates(), o.lags(), Optional.of(popularity), o.truth());
  }
}
