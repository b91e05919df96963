package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReadStepsTest {
  private static final AdaptiveConfig CONFIG = AdaptiveConfig.of(0.05);

  private static String replicas(int replicas, int write, int live) {
    Observation o = Observations.withLive(Observations.saying(0.5, 0, replicas, write), live);
    ReadSteps steps =
        ReadSteps.of(CONFIG, o, Observations.steered(o), Correction.NONE, replicas - live);
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < steps.count(); step++) {
      text.append(steps.replicas(step)).append(' ');
    }
    return text.toString().trim();
  }

  @Test
  void thereIsAStepForEachLevelUpToTheSafeOne() {
    assertThat(replicas(1, 1, 1)).isEqualTo("1");
    assertThat(replicas(3, 1, 3)).isEqualTo("1 2 3");
    assertThat(replicas(3, 2, 3)).isEqualTo("1 2");
    assertThat(replicas(5, 1, 5)).isEqualTo("1 2 3 5");
    assertThat(replicas(7, 1, 7)).isEqualTo("1 2 3 4 7");
    assertThat(replicas(7, 5, 7)).isEqualTo("1 2 3");
    assertThat(replicas(7, 2, 7)).isEqualTo("1 2 3 4 7");
  }

  @Test
  void thereIsNoneThatAsksMoreThanLive() {
    assertThat(replicas(3, 1, 2)).isEqualTo("1 2");
    assertThat(replicas(5, 1, 4)).isEqualTo("1 2 3");
    assertThat(replicas(5, 4, 4)).isEqualTo("1 2");
  }

  @Test
  void aLateReplicaIsAskedAsOftenAsTheOthers() {
    Observation o = Observations.saying(0.1, 0, 3, 1);
    ReadSteps steps = ReadSteps.of(CONFIG, o, Observations.steered(o), Correction.NONE, 1);
    assertThat(steps.rate(0)).isCloseTo((1 + 2 * 0.1) / 3, within(1e-12));
    assertThat(steps.rate(1)).isCloseTo((2 * 0.1 + 0.01) / 3, within(1e-12));
    assertThat(steps.rate(2)).isZero();
  }

  @Test
  void waysToChooseAreBinomialCoefficients() {
    assertThat(ReadSteps.choose(7, 3)).isEqualTo(35);
    assertThat(ReadSteps.choose(5, 0)).isEqualTo(1);
    assertThat(ReadSteps.choose(2, 3)).isZero();
  }
}
