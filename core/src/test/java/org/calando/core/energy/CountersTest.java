package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CountersTest {
  private static final long SEED = Long.getLong("calando.seed", 20110411L);

  @Test
  void counterThatWrapsGoesOnCounting() {
    WrappingCounter counter = new WrappingCounter(1000);
    assertThat(counter.advance(900)).isZero();
    assertThat(counter.advance(950)).isEqualTo(50);
    assertThat(counter.advance(30)).isEqualTo(80);
    assertThat(counter.advance(30)).isZero();
  }

  @Test
  void counterFollowsAnyIncrementsBelowALap() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 200; trial++) {
      long modulus = 2L + random.nextInt(Integer.MAX_VALUE);
      WrappingCounter counter = new WrappingCounter(modulus);
      long truth = (long) (random.nextDouble() * modulus);
      counter.advance(truth % modulus);
      for (int i = 0; i < 50; i++) {
        long step = (long) (random.nextDouble() * modulus);
        truth += step;
        assertThat(counter.advance(truth % modulus))
            .as("seed %d, trial %d, step %d", SEED, trial, i)
            .isEqualTo(step);
      }
    }
  }

  @Test
  void counterRefusesWhatItCannotShow() {
    WrappingCounter counter = new WrappingCounter(10);
    assertThatThrownBy(() -> counter.advance(11)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> counter.advance(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WrappingCounter(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void powerIsIntegratedByTrapezia() {
    PowerIntegrator integrator = new PowerIntegrator(5_000_000_000L);
    integrator.add(1_000_000_000L, 100);
    integrator.add(2_000_000_000L, 120);
    integrator.add(4_000_000_000L, 80);
    // 110 J in the first second, 2 * 100 J in the next two.
    assertThat(integrator.joules()).isCloseTo(310, within(1e-9));
    assertThat(integrator.gapNanos()).isZero();
  }

  @Test
  void powerOfALongStepIsAGapNotAGuess() {
    PowerIntegrator integrator = new PowerIntegrator(2_000_000_000L);
    integrator.add(0, 100);
    integrator.add(10_000_000_000L, 300);
    integrator.add(11_000_000_000L, 300);
    assertThat(integrator.joules()).isCloseTo(300, within(1e-9));
    assertThat(integrator.gapNanos()).isEqualTo(10_000_000_000L);
  }

  @Test
  void sampleThatIsNotNewerIsIgnored() {
    PowerIntegrator integrator = new PowerIntegrator(2_000_000_000L);
    integrator.add(0, 100);
    integrator.add(0, 900);
    integrator.add(1_000_000_000L, 100);
    assertThat(integrator.joules()).isCloseTo(100, within(1e-9));
    assertThatThrownBy(() -> integrator.add(2_000_000_000L, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
