package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for what, and who hears of it. */
class PreparationTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);

  private Preparation preparation(Runnable work) {
    return new Preparation(
        timer,
        Duration.ZERO,
        () -> {
          attempts.incrementAndGet();
          work.run();
        },
        troubles::add);
  }

  private void hold() {
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void end() throws InterruptedException {
    timer.shutdown();
    assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @AfterEach
  void shutDown() {
    timer.shutdownNow();
  }

  @Test
  void whatIsDoneInTimeIsNoTrouble() throws InterruptedException {
    preparation(() -> {}).begin(LONG);
    end();
    assertThat(attempts).hasValue(1);
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatFailsInTimeIsTheCallersAndIsNotTriedAgain() throws InterruptedException {
    IllegalArgumentException refused = new IllegalArgumentException("refused");
    Preparation preparation =
        preparation(
            () -> {
              throw refused;
            });
    assertThatThrownBy(() -> preparation.begin(LONG)).isSameAs(refused);
    end();
    assertThat(attempts).hasValue(1);
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatTakesLongerIsDoneBehindTheCallerAndItsTroubleIsTold() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    preparation(
            () -> {
              hold();
              if (attempts.get() == 1) {
                throw new IllegalArgumentException("refused");
              }
              done.countDown();
            })
        .begin(Duration.ZERO);
    assertThat(troubles).containsExactly("measuring has not begun: it is being prepared");
    held.countDown();
    assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    end();
    assertThat(attempts).hasValue(2);
    assertThat(troubles)
        .last()
        .isEqualTo("measuring has not begun, and is tried again every 0 s: refused");
  }

  @Test
  void aShutdownEndsItInTheMidst() throws InterruptedException {
    preparation(this::hold).begin(Duration.ZERO);
    timer.shutdownNow();
    assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(attempts.get()).isLessThanOrEqualTo(1);
    assertThat(troubles).hasSize(1);
  }
}
