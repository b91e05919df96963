package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(-7 * SECOND);
  private final Lease lease = new Lease(Duration.ofSeconds(60), now::get);

  @Test
  void holdsASecondLessThanTheRowLives() {
    now.addAndGet(59 * SECOND - 1);
    assertThat(lease.hasLapsed()).isFalse();
    now.addAndGet(1);
    assertThat(lease.hasLapsed()).isTrue();
  }

  @Test
  void isCountedFromWhenTheRenewalWasSentNotAnswered() {
    now.addAndGet(20 * SECOND);
    long sent = lease.nowNanos();
    now.addAndGet(30 * SECOND);
    lease.confirm(sent);
    now.addAndGet(28 * SECOND);
    assertThat(lease.hasLapsed()).isFalse();
    now.addAndGet(SECOND);
    assertThat(lease.hasLapsed()).isTrue();
  }

  @Test
  void aRowThatWasStillThereWasNeverLost() {
    now.addAndGet(70 * SECOND);
    assertThat(lease.hasLapsed()).isTrue();
    lease.confirm(lease.nowNanos());
    assertThat(lease.hasLapsed()).isFalse();
  }

  @Test
  void aGapStaysUntilItIsForgotten() {
    lease.markGap();
    lease.confirm(lease.nowNanos());
    assertThat(lease.hasLapsed()).isTrue();
    lease.forgetGap();
    assertThat(lease.hasLapsed()).isFalse();
  }
}
