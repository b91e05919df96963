package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountMeterTest {
  private static final long SECOND = 1_000_000_000;
  private final CountMeter meter = new CountMeter();

  @Test
  void aRateTakesTwoAnswers() {
    meter.answered(1, 5 * SECOND, 100);
    assertThat(meter.rate()).isEmpty();
    meter.answered(1, 7 * SECOND, 150);
    assertThat(meter.rate()).contains(new CountMeter.Rate(7 * SECOND, 25));
  }

  @Test
  void anAnswerThatNeverCameMakesTheIntervalLonger() {
    meter.answered(1, 0, 0);
    meter.answered(1, SECOND, 10);
    meter.answered(1, 11 * SECOND, 110);
    assertThat(meter.rate()).contains(new CountMeter.Rate(11 * SECOND, 10));
  }

  @Test
  void aLowerCountIsANewBaselineAndLeavesTheRateAsOldAsItIs() {
    meter.answered(1, 0, 1000);
    meter.answered(1, SECOND, 1010);
    meter.answered(1, 2 * SECOND, 3);
    assertThat(meter.rate()).contains(new CountMeter.Rate(SECOND, 10));
    meter.answered(1, 4 * SECOND, 13);
    assertThat(meter.rate()).contains(new CountMeter.Rate(4 * SECOND, 5));
  }

  @Test
  void aCountPastTheOldOneAfterARestartIsANewBaselineToo() {
    meter.answered(1, 0, 10);
    meter.answered(1, SECOND, 20);
    meter.answered(2, 2 * SECOND, 5000);
    assertThat(meter.rate()).contains(new CountMeter.Rate(SECOND, 10));
  }

  @Test
  void answersAtTheSameTimeTellNothing() {
    meter.answered(1, SECOND, 10);
    meter.answered(1, SECOND, 20);
    assertThat(meter.rate()).isEmpty();
    meter.answered(1, 2 * SECOND, 30);
    assertThat(meter.rate()).contains(new CountMeter.Rate(2 * SECOND, 20));
  }

  @Test
  void aClockThatIsSetBackStartsANewBaseline() {
    meter.answered(1, 1000 * SECOND, 10);
    meter.answered(1, 1001 * SECOND, 20);
    meter.answered(1, 5 * SECOND, 30);
    assertThat(meter.rate()).contains(new CountMeter.Rate(1001 * SECOND, 10));
    meter.answered(1, 6 * SECOND, 35);
    assertThat(meter.rate()).contains(new CountMeter.Rate(6 * SECOND, 5));
  }

  @Test
  void theClockMayPassItsLargestValue() {
    meter.answered(1, Long.MAX_VALUE - SECOND / 2 + 1, 0);
    meter.answered(1, Long.MIN_VALUE + SECOND / 2, 8);
    assertThat(meter.rate().map(CountMeter.Rate::perSecond)).isEqualTo(Optional.of(8.0));
  }
}
