package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.calando.study.StopSignal;
import org.junit.jupiter.api.Test;

/** How long an end waits, by a clock that goes on with each look. */
class MainTest {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final StopSignal stop = new StopSignal();
  private final AtomicLong now = new AtomicLong();

  private boolean await(LongUnaryOperator next) throws InterruptedException {
    return Main.await(ended, stop, () -> now.updateAndGet(next));
  }

  private static long seconds(int number) {
    return Duration.ofSeconds(number).toNanos();
  }

  @Test
  void anEndThatDoesNotComeIsNotWaitedForLong() throws InterruptedException {
    assertThat(await(nanos -> nanos + seconds(10))).isFalse();
    assertThat(Duration.ofNanos(now.get()))
        .isBetween(Duration.ofSeconds(25), Duration.ofSeconds(50));
  }

  @Test
  void whatIsNotToBeCutOffIsWaitedForAndThenTheEnd() throws InterruptedException {
    StopSignal.Registration shift = stop.finishing();
    assertThat(
            await(
                nanos -> {
                  if (nanos >= seconds(600)) {
                    shift.close();
                  }
                  if (nanos >= seconds(610)) {
                    ended.countDown();
                  }
                  return nanos + seconds(nanos >= seconds(600) ? 10 : 200);
                }))
        .isTrue();
    assertThat(stop.isCutOff()).isFalse();
  }

  @Test
  void whatTakesTooLongIsCutOffInTheEnd() throws InterruptedException {
    Thread hangs =
        new Thread(
            () -> {
              StopSignal.Registration unused = stop.finishing();
            });
    hangs.start();
    hangs.join();
    assertThat(stop.isFinishing()).isTrue();
    assertThat(await(nanos -> nanos + seconds(300))).isFalse();
    assertThat(stop.isCutOff()).isTrue();
  }
}
