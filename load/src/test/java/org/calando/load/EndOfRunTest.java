package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.load.TestRun.MILLI;
import static org.calando.load.TestRun.SECOND;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Mix;
import org.junit.jupiter.api.Test;

class EndOfRunTest {
  private static final Loop FOUR = new Loop.Closed(4);

  /** When runs begin. */
  private static final long START = 1_000;

  private static MemoryStore.Behaviour silentFrom(long nanos) {
    return sent -> sent < nanos ? MILLI : MemoryStore.Behaviour.NEVER;
  }

  @Test
  void unansweredOperationsAreIndeterminateAtTheDrainsDeadline() {
    var workload = TestRun.workload(new Mix(0, 0, 1, 0, 0));
    var inserts = InsertSequence.of(workload);
    TestRun test =
        new TestRun(
            TestRun.spec(workload, FOUR)
                .durationNanos(2 * SECOND)
                .drainNanos(3 * SECOND)
                .inserts(inserts),
            FOUR,
            silentFrom(SECOND));
    LoadResult result = test.runToEnd();

    assertThat(test.scheduler.nanos()).isEqualTo(1_000 + 5 * SECOND);
    assertThat(result.unanswered()).isEqualTo(4);
    assertThat(result.errors()).isEqualTo(4);
    assertThat(result.errorsByOutcome()).containsOnlyKeys(Outcome.INDETERMINATE);
    assertThat(result.operations()).isEqualTo(test.store.requests.size());
    assertThat(test.oracle.snapshot().indeterminateWrites()).isEqualTo(4);
    assertThat(inserts.lastAcknowledged()).isEqualTo(999 + result.operations());
  }

  @Test
  void answersAfterTheDeadlineAreIgnored() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).operations(100_000).durationNanos(2 * SECOND),
            FOUR,
            silentFrom(SECOND));
    LoadResult result = test.runToEnd();
    String before = result.toString() + test.oracle.snapshot();
    int requests = test.store.requests.size();

    for (Completion late : test.store.unanswered) {
      late.complete(0, Outcome.OK, 1);
    }
    test.scheduler.runAll();

    assertThat(test.run.result().toString() + test.oracle.snapshot()).isEqualTo(before);
    assertThat(test.store.requests).hasSize(requests);
  }

  @Test
  void stopEndsTheRunInTheMiddle() {
    for (Loop loop : new Loop[] {FOUR, new Loop.Open(ArrivalProcess.poisson(1000), 4, 4)}) {
      TestRun test =
          new TestRun(
              TestRun.spec(TestRun.half(), loop).durationNanos(60 * SECOND),
              loop,
              TestRun.after(MILLI));
      test.scheduler.at(10 * SECOND, test.run::stop);
      LoadResult result = test.runToEnd();

      assertThat(result.reason()).isEqualTo(EndReason.STOPPED);
      assertThat(test.scheduler.nanos()).isBetween(10 * SECOND, 10 * SECOND + 2 * MILLI);
      assertThat(result.measuredToNanos()).isEqualTo(10 * SECOND);
      assertThat(result.operations()).isEqualTo(test.store.requests.size());
    }
  }

  @Test
  void aWindowByTimeLastsUntilWhatItDeferredIsOnTheStore() {
    for (Loop loop : new Loop[] {FOUR, new Loop.Open(ArrivalProcess.poisson(1000), 4, 4)}) {
      TestRun test =
          new TestRun(
              TestRun.spec(TestRun.half(), loop).durationNanos(2 * SECOND),
              loop,
              TestRun.after(MILLI));
      test.store.flushNanos = 70 * MILLI;
      LoadResult result = test.runToEnd();

      long end = test.store.flushes.get(0);
      assertThat(end).isBetween(2 * SECOND, 2 * SECOND + MILLI);
      assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
      assertThat(result.measuredToNanos()).isEqualTo(end + 70 * MILLI);
      assertThat(test.ended).containsExactly(end + 70 * MILLI);
      assertThat(result.operations()).isEqualTo(test.store.requests.size());
    }
  }

  @Test
  void anUnansweredOperationDoesNotMakeTheWindowLonger() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).durationNanos(2 * SECOND).drainNanos(3 * SECOND),
            FOUR,
            silentFrom(SECOND));
    test.store.flushNanos = 70 * MILLI;
    LoadResult result = test.runToEnd();

    assertThat(result.unanswered()).isEqualTo(4);
    assertThat(result.measuredToNanos()).isEqualTo(START + 2 * SECOND + 70 * MILLI);
    assertThat(test.ended).containsExactly(START + 2 * SECOND + 70 * MILLI);
    assertThat(test.scheduler.nanos()).isEqualTo(START + 5 * SECOND);
  }

  @Test
  void aWindowWithoutDeferredWritesEndsWithItsTime() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).durationNanos(2 * SECOND),
            FOUR,
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.measuredToNanos()).isEqualTo(START + 2 * SECOND);
    assertThat(test.ended).containsExactly(START + 2 * SECOND);
  }

  @Test
  void stopWaitsASecondForASilentStore() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).durationNanos(60 * SECOND), FOUR, silentFrom(0));
    test.scheduler.at(2 * SECOND, test.run::stop);
    LoadResult result = test.runToEnd();
    assertThat(test.scheduler.nanos()).isEqualTo(3 * SECOND);
    assertThat(result.unanswered()).isEqualTo(4);
  }

  @Test
  void failureStormBacksOffAndEnds() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).durationNanos(60 * SECOND),
            FOUR,
            ClosedLoopTest.failing(Outcome.REFUSED));
    LoadResult result = test.runToEnd();

    assertThat(result.reason()).isEqualTo(EndReason.NO_SUCCESS);
    assertThat(result.message()).isEqualTo("no operation succeeded for 10 s");
    assertThat(test.scheduler.nanos()).isBetween(10 * SECOND, 11 * SECOND);
    // Pauses double from 1 ms to 100 ms: 127 ms for the first 7, then 10 a second and slot.
    assertThat(test.store.requests.size()).isBetween(400, 450);
    assertThat(result.errors()).isEqualTo(test.store.requests.size());
    assertThat(result.errorsByOutcome()).containsOnlyKeys(Outcome.REFUSED);
  }

  @Test
  void endsWhenTheStoreFallsSilent() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR).operations(1_000_000).giveUpNanos(5 * SECOND),
            FOUR,
            silentFrom(2 * SECOND));
    LoadResult result = test.runToEnd();
    assertThat(result.reason()).isEqualTo(EndReason.NO_SUCCESS);
    assertThat(test.scheduler.nanos()).isBetween(8 * SECOND, 10 * SECOND);
  }

  @Test
  void rareOperationsAreNoFailure() {
    Loop rare = new Loop.Open(ArrivalProcess.even(RateProfile.constant(0.02)), 1, 1);
    TestRun test =
        new TestRun(TestRun.spec(TestRun.reads(), rare).operations(5), rare, TestRun.after(MILLI));
    assertThat(test.runToEnd().reason()).isEqualTo(EndReason.OPERATIONS_DONE);
  }

  @Test
  void loadRecoversAfterAnOutage() {
    MemoryStore.Behaviour outage =
        new MemoryStore.Behaviour() {
          @Override
          public long delayNanos(long sentNanos) {
            return MILLI;
          }

          @Override
          public Outcome outcome(long sentNanos) {
            return sentNanos > 2 * SECOND && sentNanos < 4 * SECOND
                ? Outcome.INDETERMINATE
                : Outcome.OK;
          }
        };
    TestRun test =
        new TestRun(TestRun.spec(TestRun.half(), FOUR).durationNanos(10 * SECOND), FOUR, outage);
    LoadResult result = test.runToEnd();
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.operations() - result.errors()).isBetween(31_000L, 32_100L);
    assertThat(test.intervals).anyMatch(interval -> interval.errors() > 0);
  }

  @Test
  void theWindowEndsAtItsTimeThoughAnswersAreOwed() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.half(), FOUR)
                .warmupNanos(SECOND)
                .durationNanos(2 * SECOND)
                .drainNanos(9 * SECOND),
            FOUR,
            silentFrom(2 * SECOND));
    test.run.start();
    long[] endedWhen = {0};
    test.scheduler.at(4 * SECOND, () -> endedWhen[0] = test.ended.get(0));
    test.scheduler.runUntilDone(test.run);
    assertThat(endedWhen[0]).isEqualTo(1_000 + 3 * SECOND);
    assertThat(test.ended).hasSize(1);
    // A second in which nothing ended is told, too.
    List<Interval> measured =
        test.intervals.stream().filter(interval -> interval.phase() == Phase.MEASURED).toList();
    assertThat(measured.stream().map(Interval::second).toList()).startsWith(0L, 1L, 2L, 3L);
    assertThat(measured.get(2).operations()).isZero();
    assertThat(test.intervals).allMatch(interval -> interval.endNanos() > interval.startNanos());
  }

  @Test
  void theLastOperationsEndIsToldWhenItHappensThoughSecondReadsFollow() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), FOUR).operations(10).dualRead(new DualRead(4)),
            FOUR,
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();

    // Rounds of four take 2 ms each with their second reads; the third has the last two.
    assertThat(test.scheduler.nanos()).isEqualTo(1_000 + 6 * MILLI);
    assertThat(result.measuredToNanos()).isEqualTo(1_000 + 5 * MILLI);
    assertThat(test.mayHaveEnded).containsExactly(1_000 + 5 * MILLI, 1_000 + 5 * MILLI);
    assertThat(test.ended).containsExactly(1_000 + 5 * MILLI);
  }

  @Test
  void theLoadPhaseInsertsEachRecordOnce() {
    TestRun test =
        new TestRun(
            LoadSpec.loading(TestRun.half(), 4, ConsistencyLevel.ALL), FOUR, TestRun.after(MILLI));
    LoadResult result = test.runToEnd();
    assertThat(result.count(Measure.INSERT)).isEqualTo(1000);
    assertThat(test.store.requests.stream().map(MemoryStore.Request::key).sorted().toList())
        .isEqualTo(java.util.stream.LongStream.range(0, 1000).boxed().toList());
  }

  @Test
  void sessionThatThrowsEndsTheRun() {
    TestRun test =
        new TestRun(
            TestRun.spec(TestRun.reads(), FOUR).durationNanos(10 * SECOND),
            FOUR,
            sent -> {
              if (sent > SECOND) {
                throw new IllegalStateException("a defect");
              }
              return MILLI;
            });
    test.run.start();
    test.scheduler.runUntilDone(test.run);
    assertThatThrownBy(test.run::result).hasRootCauseMessage("a defect");
  }

  @Test
  void sessionWithTooFewSlotsIsRefused() {
    TestRun test =
        new TestRun(TestRun.spec(TestRun.reads(), FOUR).operations(1), FOUR, TestRun.after(MILLI));
    LoadSpec five = TestRun.spec(TestRun.reads(), new Loop.Closed(5)).operations(1).build();
    assertThatThrownBy(
            () -> new LoadRun(five, test.store, test.oracle, test.recorder, test.scheduler))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("needs 5 slots, the session has 4");
  }

  @Test
  void allProblemsOfASpecAreReported() {
    assertThatThrownBy(
            () ->
                LoadSpec.builder(TestRun.reads(), FOUR, () -> Levels.both(ConsistencyLevel.ONE))
                    .warmupNanos(-1)
                    .drainNanos(-2)
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("warm-up -1")
        .hasMessageContaining("drain -2")
        .hasMessageContaining("neither operations nor duration");
  }
}
