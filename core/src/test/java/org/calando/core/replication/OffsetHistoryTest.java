package org.calando.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OffsetHistoryTest {
  private final OffsetHistory history = new OffsetHistory();

  @Test
  void betweenTwoSamplesTheOffsetGrowsEvenly() {
    history.add(100, 1_000);
    history.add(200, 2_000);
    assertThat(history.offsetAt(150)).isEqualTo(1_500);
    assertThat(history.offsetAt(50)).isEqualTo(1_000);
    assertThat(history.offsetAt(900)).isEqualTo(2_000);
  }

  @Test
  void theAgeIsCountedFromWhenTheMasterPassedTheOffset() {
    history.add(100, 1_000);
    history.add(200, 2_000);
    history.add(300, 2_000);
    assertThat(history.ageNanos(300, 1_500)).hasValue(150);
    assertThat(history.ageNanos(300, 2_000)).hasValue(0);
    assertThat(history.ageNanos(300, 2_500)).hasValue(0);
  }

  @Test
  void whatIsOlderThanAllThatIsKnownHasItsAgeAtLeast() {
    history.add(100, 1_000);
    history.add(200, 2_000);
    assertThat(history.ageNanos(250, 10)).as("it has only begun").isEmpty();
    for (int i = 3; i < 1_000; i++) {
      history.add(100L * i, 1_000L * i);
    }
    assertThat(history.ageNanos(99_950, 10)).hasValue(25_550);
  }

  @Test
  void anOffsetThatGoesBackIsAnotherStream() {
    history.add(100, 1_000);
    history.add(200, 5);
    assertThat(history.offsetAt(100)).isEqualTo(5);
  }

  @Test
  void theOldestSamplesAreForgotten() {
    for (int i = 0; i < 10_000; i++) {
      history.add(i, 10L * i);
    }
    assertThat(history.offsetAt(9_999)).isEqualTo(99_990);
    assertThat(history.offsetAt(0)).isGreaterThan(90_000);
    assertThat(history.ageNanos(9_999, 99_900)).hasValue(9);
  }
}
