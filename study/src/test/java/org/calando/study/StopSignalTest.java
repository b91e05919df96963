package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StopSignalTest {
  private final StopSignal stop = new StopSignal();
  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void nothingHappensUnasked() {
    stop.onRequest(calls::incrementAndGet);
    assertThat(stop.isRequested()).isFalse();
    assertThatCode(stop::check).doesNotThrowAnyException();
    assertThat(calls).hasValue(0);
  }

  @Test
  void aRequestRunsEveryActionOnceAndStays() {
    stop.onRequest(calls::incrementAndGet);
    stop.onRequest(calls::incrementAndGet);
    stop.request();
    stop.request();
    assertThat(calls).hasValue(2);
    assertThat(stop.isRequested()).isTrue();
    assertThatThrownBy(stop::check).isInstanceOf(StopSignal.StoppedException.class);
  }

  @Test
  void anActionThatComesLateRunsAtOnce() {
    stop.request();
    stop.onRequest(calls::incrementAndGet).close();
    assertThat(calls).hasValue(1);
  }

  @Test
  void anActionThatWasTakenBackDoesNotRun() {
    stop.onRequest(calls::incrementAndGet).close();
    stop.request();
    assertThat(calls).hasValue(0);
  }

  @Test
  void anActionMayUseTheSignal() {
    StopSignal.Registration[] own = new StopSignal.Registration[1];
    own[0] =
        stop.onRequest(
            () -> {
              own[0].close();
              stop.request();
              calls.incrementAndGet();
            });
    stop.request();
    assertThat(calls).hasValue(1);
  }

  @Test
  void theEndWaitsForEachThatFinishes() {
    StopSignal.Registration first = stop.finishing();
    StopSignal.Registration second = stop.finishing();
    first.close();
    assertThat(stop.isFinishing()).isTrue();
    second.close();
    assertThat(stop.isFinishing()).isFalse();
    stop.cutOff();
    assertThat(Thread.interrupted()).as("of nobody who finishes").isFalse();
  }

  @Test
  void whatFinishesIsInterruptedWhenItIsCutOff() {
    StopSignal.Registration finishing = stop.finishing();
    assertThat(stop.isCutOff()).isFalse();
    stop.cutOff();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(stop.isCutOff()).isTrue();
    assertThat(stop.isFinishing()).isFalse();
    assertThatThrownBy(stop::finishing).isInstanceOf(StopSignal.StoppedException.class);
    finishing.close();
  }
}
