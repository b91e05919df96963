package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class CorePowerTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final PStates PAPER = PStates.xeonSilver4114();
  private static final CorePower DYNAMIC = new CorePower(0, 0);

  /** Processing of a write by a replica, fast and slow, in microseconds (paper, section 4.3). */
  private static final double FAST_US = 10.98;

  private static final double SLOW_US = 22.28;

  /** So what a clock would save is no one number. */
  @Test
  void whatALowClockSavesOfAnIdleCoreHangsOnWhatIdleCoresDraw() {
    double slow = PStates.xeonSilver4114().relativePower(1.0);
    CorePower power = new CorePower(0, 0);
    double busyOnly = power.share(1, 0.1) - power.share(slow, 0.1 * 2.2 / 1.0);
    CorePower charged = power.idleCharged();
    double idleCharged = charged.share(1, 0.1) - charged.share(slow, 0.1 * 2.2 / 1.0);
    assertThat(8.5 * busyOnly).isCloseTo(0.33, within(0.005));
    assertThat(8.5 * idleCharged).isCloseTo(6.14, within(0.005));
  }

  @Test
  void chargingIdleCoresAtTheirClockSavesWhatThePapersFamilyDoes() {
    // Whatever the cores do: 36 % with one replica, 48 % with two. Published: 27-36 % and 44 %.
    CorePower charged = DYNAMIC.idleCharged();
    for (double busy : new double[] {0, 0.3, 1}) {
      assertThat(saving(charged, 1, busy, busy / 3)).isCloseTo(0.361, within(5e-4));
      assertThat(saving(charged, 2, busy, busy / 3)).isCloseTo(0.481, within(5e-4));
    }
  }

  @Test
  void chargingBusyCoresOnlySavesAThirdOfThat() {
    // A master has two to three and a half times the CPU of a replica at equal load.
    assertThat(saving(DYNAMIC, 1, 0.30, 0.10)).isCloseTo(0.109, within(5e-4));
    assertThat(saving(DYNAMIC, 2, 0.30, 0.10)).isCloseTo(0.174, within(5e-4));
    assertThat(saving(DYNAMIC, 1, 0.20, 0.10)).isCloseTo(0.145, within(5e-4));
    assertThat(saving(DYNAMIC, 2, 0.20, 0.10)).isCloseTo(0.218, within(5e-4));
  }

  @Test
  void aStaticShareIsNotSaved() {
    CorePower half = new CorePower(0.5, 1);
    assertThat(saving(half, 1, 0.3, 0.1)).isCloseTo(0.361 / 2, within(5e-4));
    assertThat(saving(new CorePower(1, 1), 2, 0.3, 0.1)).isZero();
    assertThat(half.busyOnly()).isEqualTo(new CorePower(0.5, 0));
  }

  @Test
  void theSumIsTheIntegralOfThePower() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 200; trial++) {
      CorePower power = new CorePower(random.nextDouble(), random.nextDouble());
      CoreSeconds sum = CoreSeconds.NONE;
      double joules = 0;
      for (int i = 0; i < 10; i++) {
        double relative = PAPER.relativePower(PAPER.states().get(random.nextInt(7)).ghz());
        double seconds = random.nextDouble();
        double busyShare = random.nextDouble();
        sum = sum.plus(CoreSeconds.at(relative, seconds, busyShare * seconds));
        joules += 5 * seconds * power.share(relative, busyShare);
      }
      assertThat(power.joules(sum, 5))
          .as("seed " + SEED + ", trial " + trial)
          .isCloseTo(joules, within(1e-9 * joules));
    }
  }

  @Test
  void anIdleShareOfANodesPowerGivesTheStaticShare() {
    CorePower power = CorePower.ofIdleShare(0.4, 0.25);
    assertThat(power.share(1, 0)).isCloseTo(0.4, within(1e-12));
    assertThat(power.share(1, 1)).isCloseTo(1, within(1e-12));
    assertThatThrownBy(() -> CorePower.ofIdleShare(0.2, 0.25))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void clocksOfAMachineGetVoltagesOnALine() {
    // The paper's table is such a line.
    PStates states =
        PStates.ofClocks(
            List.of(1_000_000L, 2_200_000L, 1_600_000L, 2_200_000L), PStates.USUAL_VOLTAGE_RATIO);
    assertThat(states.states()).extracting(PStates.State::ghz).containsExactly(2.2, 1.6, 1.0);
    for (PStates.State state : states.states()) {
      assertThat(states.relativePower(state.ghz()))
          .isCloseTo(PAPER.relativePower(state.ghz()), within(1e-12));
    }
    assertThat(PStates.ofClocks(List.of(3_000_000L), 0.5).relativePower(3)).isEqualTo(1);
    assertThatThrownBy(() -> PStates.ofClocks(List.of(), 0.8))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> PStates.ofClocks(List.of(1L), 1.2))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void statesAreReadFromWords() {
    PStates states = PStates.parse(List.of("1.0GHz@0.86V", "2.2 GHz at 1.10 V"), "power.states");
    assertThat(states.describe()).isEqualTo("2.2 GHz at 1.100 V, 1.0 GHz at 0.860 V");
    assertThat(states.relativePower(1.0)).isCloseTo(PAPER.relativePower(1.0), within(1e-12));
    for (String wrong : List.of("", "2.2", "2.2 GHz", "2..2 GHz at 1 V", "fast at 1 V")) {
      assertThatThrownBy(() -> PStates.parse(List.of(wrong), "power.states"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("'" + wrong + "'");
    }
  }

  @Test
  void clocksBetweenStatesHaveAPowerBetween() {
    for (PStates.State state : PAPER.states()) {
      assertThat(PAPER.relativePowerWithin(state.ghz()))
          .isCloseTo(PAPER.relativePower(state.ghz()), within(1e-12));
    }
    // 1.5 GHz at 0.96 V, and 0.5 GHz at no less than 0.86 V.
    double fastest = 1.10 * 1.10 * 2.2;
    assertThat(PAPER.relativePowerWithin(1.5))
        .isCloseTo(0.96 * 0.96 * 1.5 / fastest, within(1e-12));
    assertThat(PAPER.relativePowerWithin(0.5))
        .isCloseTo(0.86 * 0.86 * 0.5 / fastest, within(1e-12));
    assertThatThrownBy(() -> PAPER.relativePowerWithin(2.3))
        .isInstanceOf(BadRequestException.class);
  }

  /** Of Concerto to all at full speed, each instance on a core of its own, for ten seconds. */
  private static double saving(
      CorePower power, int replicas, double masterBusy, double replicaBusy) {
    CoreSeconds fast = CoreSeconds.at(1, 10, 10 * masterBusy);
    CoreSeconds slow = fast;
    for (int i = 0; i < replicas; i++) {
      fast = fast.plus(CoreSeconds.at(1, 10, 10 * replicaBusy));
      double slowBusy = 10 * replicaBusy * SLOW_US / FAST_US;
      slow = slow.plus(CoreSeconds.at(PAPER.relativePower(1.0), 10, slowBusy));
    }
    return power.saving(slow, fast);
  }
}
