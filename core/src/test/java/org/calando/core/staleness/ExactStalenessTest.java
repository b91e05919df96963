package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.Vectors;
import org.junit.jupiter.api.Test;

class ExactStalenessTest {
  @Test
  void aKeysShareIsThatOfTheModelAndOfItsSimulation() {
    for (Vectors.Vector vector : Vectors.of(ExactStalenessTest.class, "exact_model")) {
      ExactStaleness exact = ofKey(vector);
      int read = vector.count("X");
      assertThat(exact.rate(read))
          .as("%s", vector)
          .isCloseTo(vector.number("p"), within(vector.number("abs_tol")))
          .isCloseTo(vector.number("mc"), within(4 * vector.number("mc_se")));
      assertThat(exact.replicasFor(vector.number("asr")))
          .as("%s", vector)
          .isEqualTo(vector.count("X_for_asr"));
    }
  }

  @Test
  void theReplicasForEquationEightsSettingsAreTheExactOnes() {
    for (Vectors.Vector vector : Vectors.of(ExactStalenessTest.class, "harmony_eq8")) {
      ExactStaleness exact =
          ExactStaleness.of(
              vector.count("N"),
              1,
              vector.number("Tp"),
              1 / vector.number("lambda_w"),
              KeyPopularity.uniform(1));
      assertThat(exact.replicasFor(vector.number("asr")))
          .as("%s", vector)
          .isEqualTo(vector.count("X_exact_model"));
    }
  }

  @Test
  void aTablesShareIsTheMeanOverTheReadsOfItsKeys() {
    for (Vectors.Vector vector : Vectors.of(ExactStalenessTest.class, "key_popularity")) {
      long keys = (long) vector.number("n");
      KeyPopularity popularity =
          vector.text("dist").equals("uniform")
              ? KeyPopularity.uniform(keys)
              : KeyPopularity.zipf(keys, vector.number("theta"));
      assertThat(ofTable(vector, popularity).rate(vector.count("X")))
          .as("%s", vector)
          .isCloseTo(vector.number("p"), within(vector.number("rel_tol") * vector.number("p")));
      assertThat(ofTable(vector, KeyPopularity.uniform(1)).rate(vector.count("X")))
          .as("whole store of %s", vector)
          .isCloseTo(vector.number("whole_store"), within(1e-9));
    }
  }

  @Test
  void noReadIsStaleThatOverlapsTheWrites() {
    for (int write = 1; write <= 5; write++) {
      ExactStaleness exact = ExactStaleness.of(5, write, 1, 10, KeyPopularity.uniform(1));
      for (int read = 1; read <= 5; read++) {
        if (read + write > 5) {
          assertThat(exact.rate(read)).isZero();
          assertThat(exact.rateOfVersions(read, 2)).isZero();
        } else {
          assertThat(exact.rate(read)).isPositive();
        }
      }
    }
  }

  @Test
  void whoReadsElsewhereThanIsWrittenReadsNothingStale() {
    KeyPopularity popularity =
        KeyPopularity.of(new double[] {10, 10}, new double[] {1, 0}, new double[] {0, 1});
    assertThat(ExactStaleness.of(3, 1, 1, 1000, popularity).rate(1)).isZero();
    KeyPopularity same =
        KeyPopularity.of(new double[] {10, 10}, new double[] {1, 0}, new double[] {1, 0});
    assertThat(ExactStaleness.of(3, 1, 0.01, 1000, same).rate(1))
        .isCloseTo(2 / 3.0 * (1 - Math.exp(-1)), within(1e-12));
  }

  @Test
  void timesThatDifferAreAveraged() {
    double[] tps = {0.1, 0.2, 0, Double.POSITIVE_INFINITY};
    double expected = 2 / 3.0 * ((1 - Math.exp(-0.5)) + (1 - Math.exp(-1)) + 0 + 1) / tps.length;
    ExactStaleness exact = ExactStaleness.of(3, 1, tps, 5, KeyPopularity.uniform(1));
    assertThat(exact.rate(1)).isCloseTo(expected, within(1e-12));
    assertThat(exact.rateOfVersions(1, 1)).isCloseTo(expected, within(1e-12));
  }

  @Test
  void versionsBehindAreMissesInARowWithinTheTime() {
    // q^k P(at least k writes within Tp), with 2 of them in the mean.
    ExactStaleness exact = ExactStaleness.of(5, 1, 0.5, 4, KeyPopularity.uniform(1));
    double none = Math.exp(-2);
    assertThat(exact.rateOfVersions(2, 1)).isCloseTo(0.6 * (1 - none), within(1e-12));
    assertThat(exact.rateOfVersions(2, 2)).isCloseTo(0.36 * (1 - 3 * none), within(1e-12));
    assertThat(exact.rateOfVersions(2, 3)).isCloseTo(0.216 * (1 - 5 * none), within(1e-12));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> ExactStaleness.of(3, 4, 1, 1, KeyPopularity.uniform(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ExactStaleness.of(3, 1, -1, 1, KeyPopularity.uniform(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ExactStaleness.of(3, 1, 1, -1, KeyPopularity.uniform(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ExactStaleness.of(3, 1, 1, 1, KeyPopularity.uniform(1)).rate(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static ExactStaleness ofKey(Vectors.Vector vector) {
    return ExactStaleness.of(
        vector.count("N"),
        vector.count("W"),
        vector.number("Tp"),
        1 / vector.number("lambda_w"),
        KeyPopularity.uniform(1));
  }

  private static ExactStaleness ofTable(Vectors.Vector vector, KeyPopularity popularity) {
    return ExactStaleness.of(
        vector.count("N"),
        vector.count("W"),
        vector.number("Tp"),
        vector.number("Lambda_w"),
        popularity);
  }
}
