package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.calando.core.workload.internal.keys.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PopularitySketchTest {
  private static final long SEED = Long.getLong("calando.seed", 20071216L);
  private static final int WINDOW = 200_000;
  // Seconds; WINDOW operations in it, half of them writes.
  private static final double WINDOW_SECONDS = 10;

  @ParameterizedTest
  @CsvSource({"100", "10000", "1000000"})
  void staleRatesFromAZipfianSketchAreThoseOfZipfianKeys(int keys) {
    KeyPopularity truth = KeyPopularity.zipf(keys, 0.99);
    for (int seed = 0; seed < 5; seed++) {
      RandomStream random = new RandomStream(SEED + seed, 1);
      Zipf zipf = new Zipf(keys, 0.99);
      assertRates(estimate(SEED + seed, () -> zipf.next(random)), truth, seed);
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "50", "1000", "1000000"})
  void staleRatesFromAUniformSketchAreThoseOfUniformKeys(int keys) {
    KeyPopularity truth = KeyPopularity.uniform(keys);
    for (int seed = 0; seed < 5; seed++) {
      RandomStream random = new RandomStream(SEED + seed, 1);
      assertRates(estimate(SEED + seed, () -> random.nextLong(keys)), truth, seed);
    }
  }

  private static void assertRates(KeyPopularity estimate, KeyPopularity truth, int seed) {
    double writes = WINDOW / 2 / WINDOW_SECONDS;
    assertThat(estimate.bins()).isLessThanOrEqualTo(PopularitySketch.BINS);
    for (double tp : new double[] {1e-4, 1e-3, 1e-2, 0.1, 0.5}) {
      double expected = rate(tp, writes, truth);
      double found = rate(tp, writes, estimate);
      assertThat(found)
          .as("Tp %s, seed %d + %d, %s", tp, SEED, seed, estimate)
          .isCloseTo(expected, within(0.02 + 0.02 * expected));
    }
  }

  private static double rate(double tp, double writes, KeyPopularity popularity) {
    return ExactStaleness.of(3, 1, tp, writes, popularity).rate(1);
  }

  private static KeyPopularity estimate(long seed, LongSupplier keys) {
    PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(seed));
    SplittableRandom coin = new SplittableRandom(seed);
    fill(sketch, keys, coin);
    assertThat(sketch.rotate()).as("the first window chooses what is counted").isEmpty();
    fill(sketch, keys, coin);
    return sketch.rotate().orElseThrow();
  }

  private static void fill(PopularitySketch sketch, LongSupplier keys, SplittableRandom coin) {
    for (int i = 0; i < WINDOW; i++) {
      if (coin.nextBoolean()) {
        sketch.read(keys.getAsLong());
      } else {
        sketch.write(keys.getAsLong());
      }
    }
  }

  @Test
  void keysThatAreWrittenAndKeysThatAreReadAreToldApart() {
    PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(SEED));
    for (int window = 0; window < 2; window++) {
      for (int i = 0; i < 10_000; i++) {
        sketch.read(i % 10);
        sketch.write(10 + i % 10);
      }
      if (window == 0) {
        assertThat(sketch.rotate()).isEmpty();
      }
    }
    KeyPopularity estimate = sketch.rotate().orElseThrow();
    assertThat(rate(1, 1e6, estimate)).isZero();
  }

  @Test
  void fewKeysAreCountedOneByOne() {
    PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(SEED));
    for (int window = 0; window < 2; window++) {
      for (int i = 0; i < 10_000; i++) {
        sketch.read(i % 4 == 0 ? 1 : 2);
        sketch.write(i % 10 == 0 ? 1 : 2);
      }
      if (window == 0) {
        assertThat(sketch.rotate()).isEmpty();
      }
    }
    KeyPopularity estimate = sketch.rotate().orElseThrow();
    KeyPopularity truth =
        KeyPopularity.of(new double[] {1, 1}, new double[] {0.25, 0.75}, new double[] {0.1, 0.9});
    assertThat(rate(0.1, 20, estimate)).isCloseTo(rate(0.1, 20, truth), within(1e-9));
  }

  @Test
  void whatIsNoLongerReadIsForgotten() {
    PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(SEED));
    for (int window = 0; window < 4; window++) {
      for (int i = 0; i < 10_000; i++) {
        // Half of all requests go to one key, at first.
        long key = window < 2 && i % 2 == 0 ? -1 : i;
        sketch.read(key);
        sketch.write(key);
      }
      var estimate = sketch.rotate();
      if (window > 0) {
        double rate = rate(0.01, 1000, estimate.orElseThrow());
        assertThat(rate > 0.1).as("window %d: %s", window, rate).isEqualTo(window < 2);
      }
    }
    assertThat(sketch.rotate()).as("no reads").isEmpty();
    assertThat(sketch.rotate()).as("no reads sampled").isEmpty();
  }

  @Test
  void threadsLoseNothing() throws InterruptedException {
    PopularitySketch sketch = new PopularitySketch(PopularitySketch.Config.of(SEED));
    sketch.read(7);
    assertThat(sketch.rotate()).isEmpty();
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int j = 0; j < 50_000; j++) {
                  sketch.read(7);
                  sketch.write(j % 2 == 0 ? 7 : j);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    KeyPopularity estimate = sketch.rotate().orElseThrow();
    assertThat(sketch.writes()).isEqualTo(200_000);
    assertThat(estimate.writesPerKey(0)).isCloseTo(0.5, within(1e-4));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new PopularitySketch.Config(1, 8, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PopularitySketch.Config(1024, 3, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Keys that are zipfian to the last: the workload's ranks are so but for the first few. */
  private static final class Zipf {
    private final double[] cumulative;

    Zipf(int keys, double theta) {
      cumulative = new double[keys];
      double sum = 0;
      for (int i = 0; i < keys; i++) {
        sum += Math.pow(i + 1.0, -theta);
        cumulative[i] = sum;
      }
    }

    long next(RandomStream random) {
      double at = random.nextDouble() * cumulative[cumulative.length - 1];
      int rank = java.util.Arrays.binarySearch(cumulative, at);
      return Math.min(cumulative.length - 1, rank < 0 ? -rank - 1 : rank);
    }
  }
}
