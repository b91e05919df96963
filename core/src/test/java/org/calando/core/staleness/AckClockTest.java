package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AckClockTest {
  private static final long SEED = Long.getLong("calando.seed", 7L);

  @Test
  void whereAllAcknowledgementsTakeTheSameTheClockRunsFromThenOn() {
    AckClock clock = new AckClock(new double[] {0.3, 0.3, 0.3});
    assertThat(clock.at(0)).isZero();
    assertThat(clock.at(0.3)).isZero();
    assertThat(clock.at(0.5)).isCloseTo(0.2, within(1e-12));
    assertThat(clock.ageAt(0.2)).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void theClockRunsAsFastAsWritesAreAcknowledged() {
    AckClock clock = new AckClock(new double[] {1, 0, 0, 3});
    assertThat(clock.at(1)).isCloseTo(0.5, within(1e-12));
    assertThat(clock.at(3)).isCloseTo(0.5 + 2 * 0.75, within(1e-12));
    // Behind the last it lacks the mean of all.
    assertThat(clock.at(10)).isCloseTo(10 - 1, within(1e-12));
  }

  @Test
  void ageIsTheInverse() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 200; trial++) {
      double[] acks = new double[1 + random.nextInt(20)];
      for (int i = 0; i < acks.length; i++) {
        acks[i] = random.nextInt(4) == 0 ? 0.01 : random.nextDouble();
      }
      AckClock clock = new AckClock(acks);
      double time = 1e-6 + 2 * random.nextDouble() * random.nextDouble();
      assertThat(clock.at(clock.ageAt(time)))
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(time, within(1e-12));
    }
  }
}
