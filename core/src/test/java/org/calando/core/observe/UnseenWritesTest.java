package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.policy.Observation.Rates;
import org.junit.jupiter.api.Test;

class UnseenWritesTest {
  private static final long SECOND = 1_000_000_000L;
  private final UnseenWrites unseen = new UnseenWrites();

  private void count(long second, double writesPerSecond) {
    unseen.count(new Rates(second * SECOND, 100, writesPerSecond, 1000));
  }

  @Test
  void whatServersCountBeyondTheOwnWritesWasNotSeen() {
    count(1, 100);
    count(2, 100);
    count(2, 100);
    count(4, 150);
    assertThat(unseen.share(300)).isCloseTo(0.25, within(1e-12));
    count(5, 100);
    assertThat(unseen.share(100)).as("a window of its own").isZero();
    count(6, 100);
    assertThat(unseen.share(120)).isZero();
  }

  @Test
  void withoutAWriteTheNextOneMayBeAnybodys() {
    assertThat(unseen.share(0)).isEqualTo(1);
    count(1, 0);
    count(2, 0);
    assertThat(unseen.share(0)).isEqualTo(1);
  }
}
