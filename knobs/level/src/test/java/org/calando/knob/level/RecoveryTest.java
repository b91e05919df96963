package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  @Test
  void levelIsRightWhereReadsComeWithinThePromiseAndNoStrongerChoiceFollows() {
    // 100 reads a second; 20 % stale for 4 seconds, then 2 %. The second choice comes at 3 s.
    double[] stale = filled(20, 2);
    Arrays.fill(stale, 0, 4, 20);
    double[] replicas = filled(20, 2);
    Arrays.fill(replicas, 0, 3, 1);
    Recovery recovery = recovery(stale, replicas);
    // Of the five seconds from 3 on, (20 + 4 * 2) / 500 = 5.6 % are within 6 %.
    assertThat(recovery.seconds()).isEqualTo(3);
    assertThat(recovery.staleOver()).isCloseTo(60 - 0.05 * 300, within(1e-9));
  }

  @Test
  void whateverAsksMoreLaterWasNotRightYet() {
    double[] replicas = filled(20, 1);
    Arrays.fill(replicas, 8, 20, 2);
    assertThat(recovery(filled(20, 2), replicas).seconds()).isEqualTo(8);
    // A mix that follows the rates is the same choice.
    Arrays.fill(replicas, 8, 20, 1.2);
    assertThat(recovery(filled(20, 2), replicas).seconds()).isZero();
  }

  @Test
  void promiseKeptAllAlongCostsNothing() {
    Recovery recovery = recovery(filled(20, 5), filled(20, 2));
    assertThat(recovery.seconds()).isZero();
    assertThat(recovery.staleOver()).isZero();
  }

  @Test
  void levelThatIsNeverRightCountsUntilTheNextEvent() {
    Recovery recovery = recovery(filled(20, 15), filled(20, 1));
    assertThat(recovery.isReached()).isFalse();
    assertThat(recovery.staleOver()).isCloseTo(20 * (15 - 5), within(1e-9));
  }

  @Test
  void lastSecondsAreTooFewToProveAnything() {
    // The last five seconds have 40 of 500.
    double[] stale = filled(20, 40);
    Arrays.fill(stale, 16, 20, 0);
    assertThat(recovery(stale, filled(20, 1)).isReached()).isFalse();
  }

  @Test
  void fiveGoodSecondsBeforeMoreBadOnesAreNoRecovery() {
    double[] stale = filled(30, 12);
    Arrays.fill(stale, 5, 10, 0);
    assertThat(recovery(stale, filled(30, 1)).isReached()).isFalse();
  }

  @Test
  void policyHasSettledWhenItsChoiceIsThatOfTheEnd() {
    double[] replicas = filled(20, 3);
    Arrays.fill(replicas, 12, 20, 1.2);
    replicas[14] = 1.4;
    Recovery recovery = recovery(filled(20, 0), replicas);
    assertThat(recovery.seconds()).isZero();
    assertThat(recovery.settled()).isEqualTo(12);
    assertThat(recovery(filled(20, 0), filled(20, 2)).settled()).isZero();
    assertThat(recovery(filled(20, 0), filled(20, Double.NaN)).settled()).isNaN();
  }

  @Test
  void secondsWithoutReadsProveNothing() {
    Stretch stretch = new Stretch(filled(10, 0), filled(10, 0), filled(10, 1));
    assertThat(Recovery.of(stretch, 0.05).isReached()).isFalse();
  }

  private static Recovery recovery(double[] stale, double[] replicas) {
    return Recovery.of(new Stretch(filled(stale.length, 100), stale, replicas), 0.05);
  }

  private static double[] filled(int length, double value) {
    double[] values = new double[length];
    Arrays.fill(values, value);
    return values;
  }
}
