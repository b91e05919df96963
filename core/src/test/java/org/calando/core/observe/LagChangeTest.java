package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.calando.core.policy.Observation;
import org.junit.jupiter.api.Test;

class LagChangeTest {
  private static final long SEED = 11;
  private static final long SECOND = 1_000_000_000L;

  private final SampleWindow window = new SampleWindow(256, 60 * SECOND);
  private final Random random = new Random(SEED);
  private long now;

  /** Five samples a second, with lags that scatter by a factor of three. */
  private void sample(double meanSeconds) {
    now += SECOND / 5;
    double last = meanSeconds * Math.exp(0.55 * random.nextGaussian());
    window.add(now, 3, new double[] {0, last / 2, last, Double.NaN, Double.NaN, 0.001});
  }

  private Observation.Lags lags() {
    return window.lags(now).orElseThrow();
  }

  @Test
  void lagsThatAreTwentyTimesAsLongAreAllThatCountsAfterTwoSecondsAndShorterOnesAfterSeven() {
    for (int i = 0; i < 200; i++) {
      sample(0.002);
    }
    int needed = 0;
    while (lags().sample().meanSeconds() < 0.02) {
      sample(0.04);
      needed++;
    }
    assertThat(needed).as("seed %d", SEED).isLessThanOrEqualTo(10);
    assertThat(lags().sample().samples())
        .as("none from before the change, seed %d", SEED)
        .isLessThanOrEqualTo(needed);
    for (int i = 0; i < 60; i++) {
      sample(0.04);
    }
    while (lags().sample().meanSeconds() > 0.004) {
      sample(0.002);
      needed++;
    }
    assertThat(needed).as("seed %d", SEED).isLessThanOrEqualTo(45);
  }

  @Test
  void lagsThatStayAsTheyWereAreNotForgotten() {
    for (int i = 0; i < 2000; i++) {
      sample(0.01);
    }
    assertThat(lags().sample().samples()).as("seed %d", SEED).isEqualTo(256);
  }
}
