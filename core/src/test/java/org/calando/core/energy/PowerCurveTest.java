package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PowerCurveTest {
  private static final long SEED = Long.getLong("calando.seed", 20130901L);

  @Test
  void linearIsTheUtilisationKeptWithinZeroAndOne() {
    PowerCurve curve = PowerCurve.linear();
    assertThat(curve.share(0.25)).isEqualTo(0.25);
    assertThat(curve.share(-1)).isZero();
    assertThat(curve.share(3)).isEqualTo(1);
  }

  @Test
  void powerLawRaisesTheUtilisation() {
    PowerCurve curve = PowerCurve.powerLaw(0.5);
    assertThat(curve.share(0.25)).isCloseTo(0.5, within(1e-12));
    assertThat(curve.share(0)).isZero();
    assertThat(curve.share(1)).isEqualTo(1);
  }

  @Test
  void pointsAreJoinedByStraightLines() {
    // 100 W, 160 W at a half, 200 W: at a quarter 130 W, 30 of 100 dynamic watts.
    PowerCurve curve = PowerCurve.points(100, 160, 200);
    assertThat(curve.share(0)).isZero();
    assertThat(curve.share(0.25)).isCloseTo(0.3, within(1e-12));
    assertThat(curve.share(0.5)).isCloseTo(0.6, within(1e-12));
    assertThat(curve.share(0.75)).isCloseTo(0.8, within(1e-12));
    assertThat(curve.share(1)).isEqualTo(1);
  }

  @Test
  void curvesNeverFall() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 300; trial++) {
      PowerCurve curve = randomCurve(random);
      assertThat(curve.problems()).as("seed %d, trial %d: %s", SEED, trial, curve).isEmpty();
      double before = curve.share(0);
      assertThat(before).isZero();
      for (int i = 1; i <= 100; i++) {
        double here = curve.share(i / 100.0);
        assertThat(here)
            .as("seed %d, trial %d: %s at %d %%", SEED, trial, curve, i)
            .isGreaterThanOrEqualTo(before - 1e-12);
        before = here;
      }
      assertThat(before).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void everyBadPointIsNamed() {
    assertThat(PowerCurve.points(100, 90, Double.NaN, 120).problems())
        .hasSize(2)
        .anyMatch(p -> p.contains("point 2"))
        .anyMatch(p -> p.contains("point 3"));
    assertThat(PowerCurve.points(100).problems()).singleElement().asString().contains("at least 2");
    assertThat(PowerCurve.points(100, 100).problems()).hasSize(1);
    assertThat(PowerCurve.powerLaw(0).problems()).hasSize(1);
    assertThat(PowerCurve.powerLaw(Double.NaN).problems()).hasSize(1);
  }

  private static PowerCurve randomCurve(Random random) {
    if (random.nextBoolean()) {
      return PowerCurve.powerLaw(0.1 + 3 * random.nextDouble());
    }
    double[] watts = new double[2 + random.nextInt(12)];
    watts[0] = 200 * random.nextDouble();
    for (int i = 1; i < watts.length; i++) {
      watts[i] = watts[i - 1] + 0.01 + 50 * random.nextDouble();
    }
    return PowerCurve.points(watts);
  }
}
