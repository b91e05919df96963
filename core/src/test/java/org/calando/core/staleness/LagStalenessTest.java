package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LagStalenessTest {
  private static final long SEED = Long.getLong("calando.seed", 20120827L);
  private static final double NEVER = Double.POSITIVE_INFINITY;

  @Test
  void lagsThatAreAllTheSameGiveTheExactModel() {
    for (int write = 1; write <= 5; write++) {
      double[] lags = new double[5];
      for (int i = write; i < 5; i++) {
        lags[i] = 0.02;
      }
      LagWindows windows = windows(lags);
      KeyPopularity popularity = KeyPopularity.zipf(1000, 0.99);
      LagStaleness measured = LagStaleness.of(windows, 300, popularity);
      ExactStaleness exact = ExactStaleness.of(5, write, 0.02, 300, popularity);
      for (int read = 1; read <= 5; read++) {
        assertThat(measured.rate(read)).isCloseTo(exact.rate(read), within(3e-6));
        for (int versions = 1; versions <= 4; versions++) {
          assertThat(measured.rateOfVersions(read, versions))
              .isCloseTo(exact.rateOfVersions(read, versions), within(1e-12));
        }
      }
    }
  }

  @Test
  void ratesAreTheSumOverSamplesRanksAndKeys() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 50; trial++) {
      int replicas = 1 + random.nextInt(6);
      double[][] lags = randomLags(random, 1 + random.nextInt(30), replicas);
      LagWindows windows = LagWindows.of(PropagationLags.of(replicas, lags));
      double writes = Math.pow(10, 8 * random.nextDouble() - 4);
      LagStaleness measured = LagStaleness.of(windows, writes, KeyPopularity.uniform(1));
      for (int read = 1; read <= replicas; read++) {
        double expected = bruteForce(lags, replicas, read, writes);
        assertThat(measured.rate(read))
            .as("seed %d, trial %d, %d of %d", SEED, trial, read, replicas)
            .isCloseTo(expected, within(3e-6));
        assertThat(measured.rateOfVersions(read, 1))
            .as("seed %d, trial %d, %d of %d", SEED, trial, read, replicas)
            .isCloseTo(expected, within(1e-12));
      }
    }
  }

  @Test
  void rareWritesAreAccurateRelativeToTheirFewStaleReads() {
    LagWindows windows = windows(new double[] {0, 0.001, 0.1});
    for (double writes = 1e-12; writes < 1e-2; writes *= 7) {
      double expected = windows.window(1).rate(writes);
      assertThat(LagStaleness.of(windows, writes, KeyPopularity.uniform(1)).rate(1))
          .isCloseTo(expected, within(1e-6 * expected));
    }
  }

  @Test
  void aReplicaThatNeverGetsWritesMakesItsReadsStale() {
    LagWindows windows = windows(new double[] {0, 0, NEVER});
    LagStaleness measured = LagStaleness.of(windows, 1e-6, KeyPopularity.uniform(1));
    assertThat(measured.rate(1)).isCloseTo(1 / 3.0, within(1e-12));
    assertThat(measured.rate(2)).isZero();
    assertThat(measured.rateOfVersions(1, 2)).isCloseTo(1 / 9.0, within(1e-12));
    assertThat(LagStaleness.of(windows, 0, KeyPopularity.uniform(1)).rate(1)).isZero();
  }

  @Test
  void largerReadsAreNeverWorse() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 50; trial++) {
      PropagationLags lags = PropagationLags.of(5, randomLags(random, 20, 5));
      LagStaleness measured =
          LagStaleness.of(LagWindows.of(lags), 1000, KeyPopularity.zipf(10_000, 0.99));
      for (int read = 1; read < 5; read++) {
        assertThat(measured.rate(read + 1))
            .as("seed %d, trial %d", SEED, trial)
            .isLessThanOrEqualTo(measured.rate(read));
        assertThat(measured.rateOfVersions(read, 3))
            .as("seed %d, trial %d", SEED, trial)
            .isLessThanOrEqualTo(measured.rateOfVersions(read, 2));
      }
    }
  }

  @Test
  void versionsAreThoseOfASimulatedKey() {
    // Every write reaches each replica at a lag drawn from two samples; a read asks one at random.
    double[][] lags = {{0, 0.1, 0.5}, {0, 0.02, 1.5}};
    LagWindows windows = LagWindows.of(PropagationLags.of(3, lags));
    double writes = 3;
    LagStaleness measured = LagStaleness.of(windows, writes, KeyPopularity.uniform(1));
    Random random = new Random(SEED);
    int trials = 200_000;
    int behindTwo = 0;
    for (int trial = 0; trial < trials; trial++) {
      double age = 0;
      int missed = 0;
      while (true) {
        age -= Math.log(1 - random.nextDouble()) / writes;
        if (lags[random.nextInt(2)][random.nextInt(3)] <= age) {
          break;
        }
        missed++;
      }
      behindTwo += missed >= 2 ? 1 : 0;
    }
    assertShare("two versions", behindTwo, trials, measured.rateOfVersions(1, 2));
  }

  private static void assertShare(String what, int hits, int trials, double expected) {
    double error = Math.sqrt(expected * (1 - expected) / trials);
    assertThat(hits / (double) trials)
        .as("%s, seed %d", what, SEED)
        .isCloseTo(expected, within(4 * error));
  }

  private static LagWindows windows(double[]... lags) {
    return LagWindows.of(PropagationLags.of(lags[0].length, lags));
  }

  private static double[][] randomLags(Random random, int samples, int replicas) {
    double[][] lags = new double[samples][replicas];
    for (double[] write : lags) {
      for (int i = 1; i < replicas; i++) {
        double choice = random.nextDouble();
        write[i] = choice < 0.2 ? 0 : choice < 0.25 ? NEVER : Math.pow(10, 6 * choice - 5);
      }
    }
    return lags;
  }

  /** Over all subsets of replicas. */
  private static double bruteForce(double[][] lags, int replicas, int read, double writes) {
    double sum = 0;
    int subsets = 0;
    for (int subset = 0; subset < 1 << replicas; subset++) {
      if (Integer.bitCount(subset) == read) {
        subsets++;
        for (double[] write : lags) {
          double least = NEVER;
          for (int i = 0; i < replicas; i++) {
            least = (subset >> i & 1) == 1 ? Math.min(least, write[i]) : least;
          }
          sum += 1 - Math.exp(-writes * least);
        }
      }
    }
    return sum / subsets / lags.length;
  }

  @Test
  void readsOfSeveralReplicasThatWereMeasuredAreNotTakenForRandomOnes() {
    // The second replica is asked only after the way that the write took, too.
    double[][] rows = new double[10][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {0, 0.05, 0.05, i < 2 ? 0.01 : 0, 0};
    }
    KeyPopularity one = KeyPopularity.uniform(1);
    PropagationLags lags = PropagationLags.of(3, rows);
    LagStaleness measured = LagStaleness.of(LagWindows.of(lags), 4, one);
    assertThat(measured.rate(1)).isCloseTo(2.0 / 3 * -Math.expm1(-0.2), within(3e-6));
    assertThat(measured.rate(2)).isCloseTo(0.2 * -Math.expm1(-0.04), within(3e-6));
    assertThat(measured.rate(3)).isZero();
    StaleEstimate exact = ExactStaleness.measured(lags, 1, 4, one);
    assertThat(exact.rate(1)).isCloseTo(2.0 / 3 * -Math.expm1(-0.2), within(1e-12));
    assertThat(exact.rate(2)).isCloseTo(0.2 * -Math.expm1(-0.04), within(1e-12));
    assertThat(exact.rate(3)).isZero();
  }

  @Test
  void fewMeasuredReadsTellNothing() {
    double[][] rows = new double[10][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i < 4 ? new double[] {0, 0.05, 0.05, 0, Double.NaN} : new double[] {0, 0.05, 0.05};
    }
    PropagationLags lags = PropagationLags.of(3, rows);
    assertThat(lags.ofReads(2)).isEmpty();
    LagStaleness random = LagStaleness.of(LagWindows.of(lags), 4, KeyPopularity.uniform(1));
    assertThat(random.rate(2)).isCloseTo(1.0 / 3 * -Math.expm1(-0.2), within(3e-6));
    assertThat(lags.row(0)).containsExactly(0, 0.05, 0.05, 0, Double.NaN);
    assertThat(lags.row(5)).containsExactly(0, 0.05, 0.05);
  }

  @Test
  void aReadCannotFindAWriteBeforeItWasMade() {
    assertThatThrownBy(() -> PropagationLags.of(2, new double[][] {{0, 0.1, -1}}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 replicas, lags of [0.0, 0.1, -1.0]");
  }
}
