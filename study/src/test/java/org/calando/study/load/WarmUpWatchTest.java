package org.calando.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.load.Interval;
import org.calando.load.Phase;
import org.junit.jupiter.api.Test;

class WarmUpWatchTest {
  private static final long SECOND = 1_000_000_000;

  private final WarmUpWatch closed = new WarmUpWatch(false);

  @Test
  void whatIsSteadyFromTheBeginEndsAfterThreeSpans() {
    assertThat(secondsUntilEnd(closed, second -> 1000)).isEqualTo(15);
    assertThat(closed.seconds()).isEqualTo(15);
    assertThat(closed.note()).isEmpty();
  }

  @Test
  void aColdEngineIsWarmedUntilItsThroughputRisesNoMore() {
    // 400/s at first, 1000/s from second 27 on: spans end at 5, 10, .. s.
    assertThat(secondsUntilEnd(closed, second -> Math.min(1000, 400 + 22L * second))).isEqualTo(40);
    assertThat(closed.note()).isEmpty();
  }

  @Test
  void aStallIsNoSteadiness() {
    // The span from second 5 on is slow, the next one shows that throughput still rises.
    assertThat(secondsUntilEnd(closed, second -> second < 5 ? 500 : second < 10 ? 300 : 1000))
        .isEqualTo(25);
  }

  @Test
  void endsAfterAMinuteSteadyOrNotAndSaysSo() {
    assertThat(secondsUntilEnd(closed, second -> 100 + 50L * second)).isEqualTo(60);
    assertThat(closed.note()).hasValueSatisfying(note -> assertThat(note).contains("after 60 s"));
  }

  @Test
  void nothingThatIsDoneIsNotSteady() {
    assertThat(secondsUntilEnd(closed, second -> 0)).isEqualTo(60);
    assertThat(closed.note()).isPresent();
  }

  @Test
  void inAnOpenLoopLatencyTellsAsTheRateIsGiven() {
    WarmUpWatch open = new WarmUpWatch(true);
    int ended = 0;
    for (int second = 0; ended == 0; second++) {
      // From 10 ms to 1 ms within 20 s, at 100/s all the while.
      long latency = second < 20 ? 10_000_000 - 450_000L * second : 1_000_000;
      ended = open.ends(interval(Phase.WARMUP, second, 100, latency)) ? second + 1 : 0;
    }
    assertThat(ended).isEqualTo(35);
  }

  @Test
  void theMeasuredWindowIsNotItsMatter() {
    for (int second = 0; second < 100; second++) {
      assertThat(closed.ends(interval(Phase.MEASURED, second, 100, SECOND))).isFalse();
    }
  }

  private interface PerSecond {
    long at(int second);
  }

  private static int secondsUntilEnd(WarmUpWatch watch, PerSecond operations) {
    int second = 0;
    while (!watch.ends(interval(Phase.WARMUP, second, operations.at(second), 1_000_000))) {
      second++;
    }
    return second + 1;
  }

  private static Interval interval(Phase phase, int second, long operations, long latencyNanos) {
    return new Interval(
        phase,
        second,
        second * SECOND,
        (second + 1) * SECOND,
        operations,
        operations / 2,
        operations - operations / 2,
        0,
        0,
        latencyNanos,
        latencyNanos,
        latencyNanos,
        latencyNanos);
  }
}
