package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountMeterTest {
  private static final long SECOND = 1_000_000_000;
  private final CountMeter meter = new CountMeter();

  private void answered(long connection, long atNanos, long count) {
    meter.answered(connection, atNanos, 0, count);
  }

  @Test
  void anIntervalIsAsLongAsItsTwoAnswersTookAtLeast() {
    meter.answered(1, SECOND, 2 * SECOND, 0);
    meter.answered(1, 4 * SECOND, 2 * SECOND, 300);
    assertThat(meter.rate()).as("each end may be wrong by a second").isEmpty();
    meter.answered(1, 7 * SECOND, 2 * SECOND, 600);
    assertThat(meter.rate()).contains(new CountMeter.Rate(7 * SECOND, 100));
    answered(1, 9 * SECOND, 1000);
    assertThat(meter.rate()).contains(new CountMeter.Rate(9 * SECOND, 200));
    answered(1, 9 * SECOND + SECOND / 10, 1001);
    assertThat(meter.rate()).contains(new CountMeter.Rate(9 * SECOND + SECOND / 10, 10));
  }

  @Test
  void aRateTakesTwoAnswers() {
    answered(1, 5 * SECOND, 100);
    assertThat(meter.rate()).isEmpty();
    answered(1, 7 * SECOND, 150);
    assertThat(meter.rate()).contains(new CountMeter.Rate(7 * SECOND, 25));
  }

  @Test
  void anAnswerThatNeverCameMakesTheIntervalLonger() {
    answered(1, 0, 0);
    answered(1, SECOND, 10);
    answered(1, 11 * SECOND, 110);
    assertThat(meter.rate()).contains(new CountMeter.Rate(11 * SECOND, 10));
  }

  @Test
  void aLowerCountIsANewBaselineAndLeavesTheRateAsOldAsItIs() {
    answered(1, 0, 1000);
    answered(1, SECOND, 1010);
    answered(1, 2 * SECOND, 3);
    assertThat(meter.rate()).contains(new CountMeter.Rate(SECOND, 10));
    answered(1, 4 * SECOND, 13);
    assertThat(meter.rate()).contains(new CountMeter.Rate(4 * SECOND, 5));
  }

  @Test
  void aCountPastTheOldOneAfterARestartIsANewBaselineToo() {
    answered(1, 0, 10);
    answered(1, SECOND, 20);
    answered(2, 2 * SECOND, 5000);
    assertThat(meter.rate()).contains(new CountMeter.Rate(SECOND, 10));
  }

  @Test
  void answersAtTheSameTimeTellNothing() {
    answered(1, SECOND, 10);
    answered(1, SECOND, 20);
    assertThat(meter.rate()).isEmpty();
    answered(1, 2 * SECOND, 30);
    assertThat(meter.rate()).contains(new CountMeter.Rate(2 * SECOND, 20));
  }

  @Test
  void aClockThatIsSetBackStartsANewBaseline() {
    answered(1, 1000 * SECOND, 10);
    answered(1, 1001 * SECOND, 20);
    answered(1, 5 * SECOND, 30);
    assertThat(meter.rate()).contains(new CountMeter.Rate(1001 * SECOND, 10));
    answered(1, 6 * SECOND, 35);
    assertThat(meter.rate()).contains(new CountMeter.Rate(6 * SECOND, 5));
  }

  @Test
  void theClockMayPassItsLargestValue() {
    answered(1, Long.MAX_VALUE - SECOND / 2 + 1, 0);
    answered(1, Long.MIN_VALUE + SECOND / 2, 8);
    assertThat(meter.rate().map(CountMeter.Rate::perSecond)).isEqualTo(Optional.of(8.0));
  }
}
