package org.calando.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import org.calando.core.policy.clock.ClockForecast;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.ServerCounts;
import org.junit.jupiter.api.Test;

class WorkWindowsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAST = 2_200_000;
  private static final long SLOW = 1_000_000;
  private static final String NODE = "r1";

  private long clockKHz = FAST;
  private final WorkWindows windows = new WorkWindows(node -> clockKHz, SECOND / 2, 3 * SECOND);

  /** Counts of a server that executes a write in 4 us and a read in 2 us. */
  private static ServerCounts counts(double second, long writes, long reads, long cpuNanos) {
    return new ServerCounts(
        (long) (second * SECOND), -1, writes, writes * 4_000, reads, reads * 2_000, cpuNanos, 0);
  }

  private Optional<Work> at(double second) {
    return windows.work(NODE, (long) (second * SECOND));
  }

  @Test
  void aWindowsWorkIsWhatHappenedBetweenTwoCounts() {
    windows.counted(NODE, counts(10, 500, 0, 7_000));
    assertThat(at(10)).isEmpty();
    // 4000 us of execution of writes, 1000 us of reads, and 2 us more for each of 1500 commands.
    windows.counted(NODE, counts(12, 1_500, 500, 7_000 + 8_000_000));
    Work work = at(12).orElseThrow();
    assertThat(work.atNanos()).isEqualTo(12 * SECOND);
    assertThat(work.clockKHz()).isEqualTo(FAST);
    assertThat(work.busyShare()).isCloseTo(0.004, within(1e-9));
    assertThat(work.writesPerSecond()).isCloseTo(500, within(1e-9));
    assertThat(work.nanosPerWrite()).isCloseTo(6_000, within(1e-6));
    assertThat(work.readsPerSecond()).isCloseTo(250, within(1e-9));
    assertThat(work.nanosPerRead()).isCloseTo(4_000, within(1e-6));
  }

  @Test
  void workMeasuredAtALowClockPredictsTheSameAsThatOfAHighOne() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    Work fast = at(2).orElseThrow();
    clockKHz = SLOW;
    windows.counted(NODE, counts(3, 2_000, 0, 25_000_000));
    long slowed = 25_000_000 + 22_000_000;
    windows.counted(NODE, counts(4, 3_000, 0, slowed));
    Work slow = at(4).orElseThrow();
    assertThat(slow.clockKHz()).isEqualTo(SLOW);
    for (long kHz : new long[] {SLOW, FAST}) {
      assertThat(ClockForecast.of(slow, kHz).busyShare())
          .isCloseTo(ClockForecast.of(fast, kHz).busyShare(), within(1e-9));
    }
    assertThat(slow.nanosPerWrite()).isCloseTo(2.2 * fast.nanosPerWrite(), within(1e-6));
  }

  @Test
  void aWindowOfTwoClocksIsPassedOverAndTheOneBeforeItHoldsOn() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    Work before = at(2).orElseThrow();
    clockKHz = SLOW;
    windows.counted(NODE, counts(3, 2_000, 0, 30_000_000));
    assertThat(at(3)).contains(before);
    windows.counted(NODE, counts(4, 3_000, 0, 52_000_000));
    assertThat(at(4).orElseThrow().clockKHz()).isEqualTo(SLOW);
  }

  @Test
  void figuresThatAreTooOldAreNotTold() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    assertThat(at(5)).isPresent();
    assertThat(at(5.001)).isEmpty();
  }

  @Test
  void countsThatGoBackEndTheFigures() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    windows.counted(NODE, counts(3, 10, 0, 20_000_000));
    assertThat(at(3)).isEmpty();
    windows.counted(NODE, counts(4, 20, 0, 30_000_000));
    assertThat(at(4).orElseThrow().writesPerSecond()).isCloseTo(10, within(1e-9));
  }

  @Test
  void aLostNodeBeginsAnew() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    windows.lost(NODE);
    assertThat(at(2)).isEmpty();
    windows.counted(NODE, counts(3, 2_000, 0, 20_000_000));
    assertThat(at(3)).isEmpty();
  }

  @Test
  void aServerWithoutKnownCpuTimeOrClockHasNoFigures() {
    windows.counted(NODE, counts(1, 0, 0, -1));
    windows.counted(NODE, counts(2, 1_000, 0, -1));
    assertThat(at(2)).isEmpty();
    clockKHz = 0;
    windows.counted(NODE, counts(3, 0, 0, 0));
    windows.counted(NODE, counts(4, 1_000, 0, 10_000_000));
    assertThat(at(4)).isEmpty();
  }

  @Test
  void aThreadThatWasBusyThroughoutSaysNothingOfWhatItNeeds() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    windows.counted(NODE, counts(3, 90_000, 0, SECOND + 10_000_000));
    assertThat(at(3)).isEmpty();
  }

  @Test
  void anIdleServerHasWorkOfNoCommands() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(2, 0, 0, 2_000_000));
    Work idle = at(2).orElseThrow();
    assertThat(idle.busyShare()).isCloseTo(0.002, within(1e-9));
    assertThat(ClockForecast.of(idle, SLOW).busyShare()).isCloseTo(0.0044, within(1e-9));
    assertThat(ClockForecast.of(idle, SLOW).lagFactor()).isEqualTo(1);
  }

  @Test
  void countsInQuickSuccessionMakeOneWindow() {
    windows.counted(NODE, counts(1, 0, 0, 0));
    windows.counted(NODE, counts(1.1, 500, 0, 9_000_000));
    assertThat(at(1.1)).isEmpty();
    windows.counted(NODE, counts(2, 1_000, 0, 10_000_000));
    assertThat(at(2).orElseThrow().writesPerSecond()).isCloseTo(1_000, within(1e-9));
  }
}
