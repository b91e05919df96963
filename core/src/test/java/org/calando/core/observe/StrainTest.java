package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StrainTest {
  private static final long SECOND = 1_000_000_000L;
  private final Strain strain = new Strain();

  private void ended(long nowNanos, int answered, int unanswered) {
    for (int i = 0; i < answered; i++) {
      strain.ended(nowNanos, true);
    }
    for (int i = 0; i < unanswered; i++) {
      strain.ended(nowNanos, false);
    }
  }

  @Test
  void itIsOnWhereMostRequestsHaveNoAnswer() {
    assertThat(strain.isOn(0)).isFalse();
    ended(SECOND, 0, 3);
    assertThat(strain.isOn(SECOND)).as("too few to tell").isFalse();
    ended(SECOND, 1, 0);
    assertThat(strain.isOn(SECOND)).isTrue();
    ended(2 * SECOND, 2, 0);
    assertThat(strain.isOn(2 * SECOND)).as("one of two replicas that answer").isFalse();
  }

  @Test
  void itEndsWithThreeSecondsAndIsRememberedForAMinute() {
    ended(0, 0, 10);
    assertThat(strain.isOn(3 * SECOND)).isTrue();
    assertThat(strain.isOn(3 * SECOND + 1)).isFalse();
    assertThat(strain.wasOn(63 * SECOND)).isTrue();
    assertThat(strain.wasOn(63 * SECOND + 1)).isFalse();
  }

  @Test
  void aClockThatWasSetBackForgetsWhatIsInTheFuture() {
    ended(100 * SECOND, 0, 10);
    assertThat(strain.isOn(100 * SECOND)).isTrue();
    assertThat(strain.wasOn(10 * SECOND)).isFalse();
  }
}
