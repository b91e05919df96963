package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.Vectors;
import org.junit.jupiter.api.Test;

class HarmonyTest {
  @Test
  void theShareIsEquationSix() {
    for (Vectors.Vector vector : Vectors.of(HarmonyTest.class, "harmony_eq6")) {
      Harmony harmony = harmony(vector);
      double value = vector.number("value");
      int read = vector.count("X");
      assertThat(harmony.unclamped(read))
          .as("%s", vector)
          .isCloseTo(value, within(vector.number("rel_tol") * value));
      assertThat(harmony.rate(read))
          .as("%s", vector)
          .isCloseTo(vector.number("clamped"), within(vector.number("rel_tol")));
    }
  }

  @Test
  void theReplicasAreEquationEight() {
    for (Vectors.Vector vector : Vectors.of(HarmonyTest.class, "harmony_eq8")) {
      Harmony harmony = harmony(vector);
      double tolerated = vector.number("asr");
      double exact = vector.number("x_real");
      assertThat(harmony.unclampedReplicasFor(tolerated))
          .as("%s", vector)
          .isCloseTo(exact, within(vector.number("rel_tol") * Math.abs(exact)));
      assertThat(harmony.replicasFor(tolerated)).as("%s", vector).isEqualTo(vector.count("X"));
    }
  }

  @Test
  void withoutReadsWritesOrPropagationNothingIsStaleAndOneReplicaIsEnough() {
    for (Harmony harmony :
        new Harmony[] {
          new Harmony(5, 0, 1, 0.1), new Harmony(5, 1, 0, 0.1), new Harmony(5, 1, 1, 0)
        }) {
      assertThat(harmony.unclamped(1)).as("%s", harmony).isZero();
      assertThat(harmony.rate(1)).as("%s", harmony).isZero();
      assertThat(harmony.replicasFor(0)).as("%s", harmony).isEqualTo(1);
    }
  }

  @Test
  void readingAllReplicasIsNeverStale() {
    Harmony harmony = new Harmony(5, 100, 1000, 2);
    assertThat(harmony.rate(1)).isEqualTo(1);
    assertThat(harmony.unclamped(5)).isZero();
    assertThat(harmony.replicasFor(0)).isEqualTo(5);
    assertThat(new Harmony(5, 1, 1, Double.POSITIVE_INFINITY).replicasFor(0.4)).isEqualTo(4);
  }

  @Test
  void itOverEstimatesWhereMoreReplicasAcknowledge() {
    Harmony harmony = new Harmony(5, 100, 1, 0.1);
    assertThat(harmony.rate(3)).isPositive();
    assertThat(ExactStaleness.of(5, 3, 0.1, 1, KeyPopularity.uniform(1)).rate(3)).isZero();
    assertThat(harmony.rate(1))
        .isGreaterThan(ExactStaleness.of(5, 3, 0.1, 1, KeyPopularity.uniform(1)).rate(1));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Harmony(0, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Harmony(3, -1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Harmony(3, 1, Double.NaN, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Harmony(3, 1, Double.POSITIVE_INFINITY, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Harmony(3, 1, 1, 1).rate(4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Harmony harmony(Vectors.Vector vector) {
    return new Harmony(
        vector.count("N"),
        vector.number("lambda_r"),
        1 / vector.number("lambda_w"),
        vector.number("Tp"));
  }
}
