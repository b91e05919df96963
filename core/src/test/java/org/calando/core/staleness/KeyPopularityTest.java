package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyPopularityTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0.99",
    "2, 0.5",
    "128, 0.99",
    "129, 0.99",
    "130, 3",
    "1000, 0.01",
    "1000, 1",
    "40000, 0.5",
    "300000, 0.99",
    "300000, 1",
    "300000, 1.000001",
    "300000, 1.5",
    "300000, 2.5",
    "300000, 5"
  })
  void meansOverZipfianKeysAreThoseKeyByKey(int keys, double theta) {
    double[] shares = shares(keys, theta);
    KeyPopularity popularity = KeyPopularity.zipf(keys, theta);
    for (double writes : new double[] {1e-9, 1e-3, 1, 30, 1e3, 1e5, 1e7, 1e12}) {
      double expected = 0;
      for (double share : shares) {
        expected -= share * Math.expm1(-writes * share);
      }
      assertThat(mean(popularity, writes))
          .as("%d keys, zipf %s, %s writes within Tp", keys, theta, writes)
          .isCloseTo(expected, within(1e-6 * expected));
    }
  }

  @Test
  void millionsOfKeysTakeSomeHundredsOfBins() {
    assertThat(KeyPopularity.zipf(2_000_000, 0.99).bins()).isEqualTo(184);
    assertThat(KeyPopularity.zipf(1_000_000_000_000_000L, 0.99).bins()).isLessThan(304);
    assertThat(KeyPopularity.zipf(5, 0.99).bins()).isEqualTo(5);
  }

  @Test
  void binsThatWereToldMakeTheSamePopularity() {
    double third = 1 / 3.0;
    for (KeyPopularity told :
        new KeyPopularity[] {
          KeyPopularity.zipf(5000, 0.99),
          KeyPopularity.of(new double[] {1}, new double[] {1}, new double[] {1 + 5e-7}),
          ofReads(new double[] {third, 1 - third}, new double[] {third, 0})
        }) {
      double[][] bins = bins(told);
      // Bit by bit: one NaN is as another.
      assertThat(Arrays.deepEquals(bins(KeyPopularity.ofBins(bins[0], bins[1], bins[2])), bins))
          .isTrue();
    }
    double[] one = {1};
    for (double[] bad : new double[][] {{}, {-1}, {1, 1}}) {
      assertThatThrownBy(() -> KeyPopularity.ofBins(bad, one, one))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> KeyPopularity.ofBins(one, bad, one))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> KeyPopularity.ofBins(one, one, bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static double[][] bins(KeyPopularity popularity) {
    double[][] bins = new double[3][popularity.bins()];
    for (int bin = 0; bin < popularity.bins(); bin++) {
      bins[0][bin] = popularity.keys(bin);
      bins[1][bin] = popularity.reads(bin);
      bins[2][bin] = popularity.writesPerKey(bin);
    }
    return bins;
  }

  @Test
  void noKeyIsLost() {
    KeyPopularity popularity = KeyPopularity.zipf(1_000_000, 0.8);
    double keys = 0;
    double reads = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      keys += popularity.keys(bin);
      reads += popularity.reads(bin);
    }
    assertThat(keys).isCloseTo(1_000_000, within(1e-3));
    assertThat(reads).isCloseTo(1, within(1e-12));
  }

  @Test
  void fewerBinsChangeTheMeanByNoMoreThanTheySay() {
    KeyPopularity popularity = KeyPopularity.zipf(1_000_000, 0.99);
    KeyPopularity fewer = popularity.inBins(60);
    assertThat(fewer.bins()).isLessThanOrEqualTo(60);
    for (double writes = 1e-3; writes < 1e9; writes *= 3) {
      double expected = mean(popularity, writes);
      assertThat(mean(fewer, writes))
          .as("%s writes within Tp", writes)
          .isCloseTo(expected, within(2e-3 * expected));
    }
    assertThat(popularity.inBins(184)).isSameAs(popularity);
  }

  @Test
  void keysThatAreNeverWrittenKeepABinOfTheirOwn() {
    KeyPopularity popularity =
        ofReads(new double[] {0.25, 0.25, 0.25, 0.25}, new double[] {0, 0.001, 0.0011, 0.5})
            .inBins(3);
    assertThat(popularity.bins()).isEqualTo(3);
    assertThat(popularity.writesPerKey(0)).isZero();
    assertThat(popularity.reads(0)).isEqualTo(0.25);
    assertThat(popularity.writesPerKey(1)).isCloseTo(0.00105, within(1e-12));
    assertThat(popularity.reads(1)).isEqualTo(0.5);
    assertThat(popularity.keys(1)).isNaN();
    assertThat(popularity.writesPerKey(2)).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> KeyPopularity.zipf(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyPopularity.zipf(10, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyPopularity.zipf(10, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ofReads(new double[] {0.5}, new double[] {0}))
        .hasMessageContaining("reads add up to 0.5");
    assertThatThrownBy(() -> KeyPopularity.uniform(0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Bins of which it is not known how many keys they have. */
  private static KeyPopularity ofReads(double[] reads, double[] writesPerKey) {
    double[] keys = new double[reads.length];
    Arrays.fill(keys, Double.NaN);
    return KeyPopularity.ofBins(keys, reads, writesPerKey);
  }

  private static double mean(KeyPopularity popularity, double writes) {
    return ExactStaleness.of(2, 1, writes, 1, popularity).rate(1) * 2;
  }

  private static double[] shares(int keys, double theta) {
    double[] shares = new double[keys];
    double sum = 0;
    // From the rear, where they are small.
    for (int i = keys - 1; i >= 0; i--) {
      shares[i] = Math.pow(i + 1.0, -theta);
      sum += shares[i];
    }
    for (int i = 0; i < keys; i++) {
      shares[i] /= sum;
    }
    return shares;
  }
}
