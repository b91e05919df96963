package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.policy.Observation.Rates;
import org.junit.jupiter.api.Test;

class UnseenWritesTest {
  private static final long SECOND = 1_000_000_000L;
  private final UnseenWrites unseen = new UnseenWrites(6 * SECOND);

  private void count(long second, double writesPerSecond, long own) {
    unseen.count(new Rates(second * SECOND, 100, writesPerSecond, 1000), own);
  }

  @Test
  void whatServersCountBeyondTheOwnWritesWasNotSeen() {
    count(1, 100, 50);
    count(2, 100, 150);
    count(2, 100, 170);
    count(4, 150, 350);
    assertThat(unseen.share()).isCloseTo(0.25, within(1e-12));
    assertThat(unseen.share()).as("nothing new").isCloseTo(0.25, within(1e-12));
    count(5, 100, 450);
    assertThat(unseen.share()).as("a window of its own").isZero();
    count(6, 100, 570);
    assertThat(unseen.share()).as("writes that failed").isZero();
  }

  @Test
  void withoutAWriteTheNextOneMayBeAnybodys() {
    assertThat(unseen.share()).isEqualTo(1);
    count(1, 0, 0);
    count(2, 0, 0);
    assertThat(unseen.share()).isEqualTo(1);
  }

  @Test
  void whatCameInARestIsLeftOut() {
    count(1, 100, 0);
    count(2, 100, 50);
    count(300, 100, 100_000);
    count(301, 100, 100_050);
    assertThat(unseen.share()).isCloseTo(0.5, within(1e-12));
  }
}
