package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.load.TestRun.MILLI;
import static org.calando.load.TestRun.SECOND;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.calando.core.workload.Mix;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static Loop open(double perSecond, int maxInFlight) {
    return new Loop.Open(ArrivalProcess.even(RateProfile.constant(perSecond)), maxInFlight, 8);
  }

  /** Answers in 1 ms, but nothing before 6 s of what is sent from 5 s on. */
  private static final MemoryStore.Behaviour STALL =
      sent -> sent >= 5 * SECOND && sent < 6 * SECOND ? 6 * SECOND - sent + MILLI : MILLI;

  @Test
  void latencyCountsFromTheIntendedStartWhenTheStoreStalls() {
    // 100/s for 10 s on one slot: 100 arrivals fall into the stall and wait up to a second.
    Loop loop = open(100, 1);
    TestRun test =
        new TestRun(TestRun.spec(TestRun.reads(), loop).durationNanos(10 * SECOND), loop, STALL);
    LoadResult result = test.runToEnd();

    assertThat(result.operations()).isEqualTo(1000);
    Histogram reads = result.reads();
    // Latencies fall from 1 s by 9 ms an arrival until the backlog is worked off.
    assertThat(reads.getCountBetweenValues(500 * MILLI, 2 * SECOND)).isBetween(50L, 60L);
    assertThat(reads.getValueAtPercentile(95)).isGreaterThan(400 * MILLI);
    assertThat(reads.getMaxValue()).isBetween(SECOND, SECOND + 3 * MILLI);
    assertThat(result.backlog().late()).isBetween(100L, 120L);
    assertThat(result.backlog().maxLateNanos()).isBetween(980 * MILLI, SECOND);
    assertThat(result.backlog().neverStarted()).isZero();
    assertThat(result.backlog().intended()).isEqualTo(1000);
  }

  @Test
  void closedLoopHidesTheSameStall() {
    Loop loop = new Loop.Closed(1);
    TestRun test =
        new TestRun(TestRun.spec(TestRun.reads(), loop).durationNanos(10 * SECOND), loop, STALL);
    assertThat(test.runToEnd().reads().getValueAtPercentile(95)).isLessThan(2 * MILLI);
  }

  @Test
  void neverMoreUnderWayThanAllowed() {
    Loop loop = open(1000, 7);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), loop).operations(500), loop, TestRun.after(50 * MILLI));
    LoadResult result = test.runToEnd();

    assertThat(test.store.mostUnderWay).isEqualTo(7);
    assertThat(result.operations()).isEqualTo(500);
    assertThat(result.backlog().neverStarted()).isZero();
    // Slot i is free at i ms and each 50 ms from then; slot 0 takes arrival 497 in its round 71.
    assertThat(result.backlog().maxLateNanos()).isEqualTo((71 * 50 - 497) * MILLI);
  }

  @Test
  void whatFoundNoSlotInTheWindowIsReported() {
    Loop loop = open(1000, 10);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), loop).durationNanos(SECOND),
            loop,
            TestRun.after(100 * MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.backlog().intended()).isEqualTo(1000);
    assertThat(result.operations() + result.backlog().neverStarted()).isEqualTo(1000);
    assertThat(result.operations()).isBetween(100L, 110L);
    assertThat(result.measuredSeconds()).isEqualTo(1.0);
  }

  @Test
  void operationsStartAtTheTimesOfTheArrivals() {
    Loop loop = open(10, 3);
    TestRun test =
        new TestRun(TestRun.spec(TestRun.reads(), loop).operations(20), loop, TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    long start = result.measuredFromNanos();
    for (int i = 0; i < 20; i++) {
      assertThat(test.store.requests.get(i).sentNanos()).isEqualTo(start + i * (100 * MILLI));
    }
    assertThat(result.backlog().late()).isZero();
  }

  @Test
  void arrivalsBelongToTheWindowByTheirIntendedTime() {
    Loop loop = open(10, 1);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), loop).warmupNanos(SECOND).durationNanos(2 * SECOND),
            loop,
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    assertThat(result.warmupOperations()).isEqualTo(10);
    assertThat(result.operations()).isEqualTo(20);
  }

  @Test
  void warmupByOperationsBeginsTheWindowAtTheFirstMeasuredArrival() {
    Loop loop = open(10, 1);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), loop).warmupOperations(5).durationNanos(SECOND),
            loop,
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    assertThat(result.warmupOperations()).isEqualTo(5);
    assertThat(result.operations()).isEqualTo(10);
    assertThat(test.began).containsExactly(1_000 + 500 * MILLI);
    assertThat(test.ended).containsExactly(1_000 + 1500 * MILLI);
  }

  @Test
  void windowLastsItsTimeThoughArrivalsAreRareOrOver() {
    ArrivalProcess finite =
        ArrivalProcess.even(RateProfile.builder().step(10, SECOND).buildFinite());
    Loop loop = new Loop.Open(finite, 1, 1);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), loop).durationNanos(3 * SECOND),
            loop,
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.measuredSeconds()).isEqualTo(3.0);
    assertThat(result.operations()).isEqualTo(10);
  }

  @Test
  void endsWhenArrivalsAreOverAndNoTimeIsGiven() {
    ArrivalProcess finite =
        ArrivalProcess.even(RateProfile.builder().step(10, SECOND).buildFinite());
    Loop loop = new Loop.Open(finite, 1, 1);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), loop).operations(1000), loop, TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    assertThat(result.reason()).isEqualTo(EndReason.ARRIVALS_EXHAUSTED);
    assertThat(result.operations()).isEqualTo(10);
  }

  @Test
  void operationsDoNotDependOnHowTheStoreAnswers() {
    assertThat(keysWhenAnsweredAfter(MILLI)).isEqualTo(keysWhenAnsweredAfter(77 * MILLI));
  }

  private static List<Long> keysWhenAnsweredAfter(long nanos) {
    Loop loop = new Loop.Open(ArrivalProcess.poisson(500), 5, 8);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), loop).operations(1000), loop, TestRun.after(nanos));
    test.runToEnd();
    return test.store.requests.stream().map(MemoryStore.Request::key).toList();
  }

  @Test
  void aMillionOverdueAnswersAtOnceDoNotRecurse() {
    Loop loop = open(1e9, 2);
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.workload(new Mix(0.5, 0.2, 0, 0, 0.3)), loop)
                .operations(1_000_000),
            loop,
            TestRun.after(MemoryStore.Behaviour.AT_ONCE));
    test.store.keepRequests = false;
    assertThat(test.runToEnd().operations()).isEqualTo(1_000_000);
  }
}
