package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;

class PartThreadTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final CountDownLatch closed = new CountDownLatch(1);

  private static <T> PartThread<T> part(Retried.Open<T> open, Consumer<T> close) {
    return part(open, close, PartThread.CLOSE_NANOS);
  }

  private static <T> PartThread<T> part(Retried.Open<T> open, Consumer<T> close, long closeNanos) {
    return new PartThread<>(
        "shop control",
        new Retried<>(
            open,
            (opened, now) -> Optional.empty(),
            close,
            InstantSource.system(),
            System::nanoTime),
        () -> {},
        closeNanos);
  }

  @Test
  void anEndDoesNotWaitForWhatHangsAndThatIsClosedOnceItIsOpen() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    PartThread<String> part =
        part(
            () -> {
              begun.countDown();
              hangs.await();
              return "open";
            },
            opened -> closed.countDown());
    part.start();
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    part.close();
    assertThat(part.isAlive()).as("left behind").isTrue();
    assertThat(part.first()).isNotDone();
    hangs.countDown();
    assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
    await().atMost(LONG).until(() -> !part.isAlive());
  }

  @Test
  void anEndWaitsForWhatIsOpenAndThrowsWhatItThrows() throws Exception {
    PartThread<String> part =
        part(
            () -> "open",
            opened -> {
              throw new FailedWorkException("not restored", "n1", "restore it");
            });
    part.start();
    assertThat(part.first().get(1, TimeUnit.MINUTES)).isEmpty();
    assertThat(part.state().works()).isTrue();
    assertThatThrownBy(part::close).hasMessageContaining("not restored");
    assertThat(part.isAlive()).isFalse();
  }

  @Test
  void anEndIsWaitedForAsLongAsThePartMayTakeAndNoLonger() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    PartThread<String> part =
        part(
            () -> "open",
            opened -> {
              try {
                hangs.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              closed.countDown();
            },
            1);
    part.start();
    assertThat(part.first().get(1, TimeUnit.MINUTES)).isEmpty();
    assertThatThrownBy(part::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("did not end in time");
    hangs.countDown();
    assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void whatIsStartedAfterItsEndIsNotOpened() {
    PartThread<String> part = part(() -> "open", opened -> closed.countDown());
    part.close();
    part.start();
    assertThat(part.isAlive()).isFalse();
    assertThat(part.first()).isNotDone();
  }

  @Test
  void whyItIsRefusedIsToldAndItIsTriedAgain() throws Exception {
    PartThread<String> part =
        part(
            () -> {
              throw new BadRequestException("is not offered", "knob", "leave it out");
            },
            opened -> {});
    part.start();
    assertThat(part.first().get(1, TimeUnit.MINUTES).orElseThrow())
        .hasMessageContaining("is not offered");
    assertThat(part.state().problem().orElseThrow()).contains("tries again");
    part.close();
  }

  @Test
  void whatHasNotBegunEndsAtOnce() {
    PartThread<String> part = part(() -> "open", opened -> closed.countDown());
    part.close();
    assertThat(part.isAlive()).isFalse();
    assertThat(closed.getCount()).as("nothing was open").isEqualTo(1);
  }
}
