package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class LocalSecondsTest {
  private static final long WEEK = 7 * 86_400;

  @Test
  void weeksBeginOnMondayAndTimeGrowsFromOneToTheNext() {
    long monday = LocalSeconds.of(LocalDateTime.of(2026, 11, 23, 0, 0));
    assertThat(monday % WEEK).isZero();
    assertThat(LocalSeconds.of(LocalDateTime.of(2026, 11, 29, 23, 59, 59)))
        .isEqualTo(monday + WEEK - 1);
    assertThat(LocalSeconds.of(LocalDateTime.of(2026, 11, 30, 0, 0))).isEqualTo(monday + WEEK);
  }
}
