package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.calando.load.TestRun.MILLI;
import static org.calando.load.TestRun.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Mix;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  private static final Loop FOUR = new Loop.Closed(4);

  private static TestRun closed(LoadSpec.Builder spec, MemoryStore.Behaviour behaviour) {
    return new TestRun(spec, FOUR, behaviour);
  }

  @Test
  void startsAndCompletesExactlyTheOperationsAsked() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.half(), FOUR).operations(1001).warmupOperations(100),
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    assertThat(result.warmupOperations()).isEqualTo(100);
    assertThat(result.operations()).isEqualTo(1001);
    assertThat(result.errors()).isZero();
    assertThat(test.store.requests).hasSize(1101);
    assertThat(result.count(Measure.READ) + result.count(Measure.UPDATE)).isEqualTo(1001);
    // 1101 operations of 1 ms on 4 slots; the first measured ones start after 25 rounds.
    assertThat(result.measuredToNanos() - result.measuredFromNanos()).isEqualTo(251 * MILLI);
    assertThat(result.throughputPerSecond()).isEqualTo(1001 / 0.251);
  }

  @Test
  void operationsCountIfTheyStartInTheWindow() {
    // 100 ms operations on 4 slots from 0; the window is [150 ms, 450 ms): rounds at 200, 300, 400.
    TestRun test =
        closed(
            TestRun.spec(TestRun.reads(), FOUR).durationNanos(300 * MILLI).warmupNanos(150 * MILLI),
            TestRun.after(100 * MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.operations()).isEqualTo(12);
    assertThat(result.warmupOperations()).isEqualTo(8);
    assertThat(result.measuredSeconds()).isEqualTo(0.3);
    assertThat(test.began).containsExactly(result.measuredFromNanos());
    assertThat(test.ended).containsExactly(result.measuredToNanos());
  }

  @Test
  void aWarmUpThatEndsWhenToldLastsUntilThen() {
    for (Loop loop :
        List.of(FOUR, new Loop.Open(ArrivalProcess.even(RateProfile.constant(400)), 4, 4))) {
      TestRun test =
          new TestRun(
              TestRun.spec(TestRun.reads(), loop).durationNanos(2 * SECOND).beginsWhenTold(),
              loop,
              TestRun.after(10 * MILLI));
      test.scheduler.at(7 * SECOND, test.run::measure);
      test.scheduler.at(8 * SECOND, test.run::measure);
      LoadResult result = test.runToEnd();

      assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
      assertThat(test.began).containsExactly(7 * SECOND);
      assertThat(test.ended).containsExactly(9 * SECOND);
      assertThat(result.measuredSeconds()).isEqualTo(2);
      assertThat(result.warmupOperations()).isCloseTo(2800, within(4L));
      assertThat(result.operations()).isCloseTo(800, within(4L));
    }
  }

  @Test
  void windowIncludesItsBeginAndExcludesItsEnd() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.reads(), FOUR).durationNanos(200 * MILLI).warmupNanos(100 * MILLI),
            TestRun.after(100 * MILLI));
    assertThat(test.runToEnd().operations()).isEqualTo(8);
  }

  @Test
  void whicheverLimitComesFirstEndsTheRun() {
    TestRun byCount =
        closed(
            TestRun.spec(TestRun.reads(), FOUR).operations(10).durationNanos(SECOND),
            TestRun.after(MILLI));
    assertThat(byCount.runToEnd().reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    TestRun byTime =
        closed(
            TestRun.spec(TestRun.reads(), FOUR).operations(1_000_000).durationNanos(SECOND),
            TestRun.after(MILLI));
    LoadResult result = byTime.runToEnd();
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.operations()).isEqualTo(4000);
  }

  @Test
  void intervalsOfAPhaseAddUpToItsTotals() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.half(), FOUR).durationNanos(5 * SECOND).warmupNanos(1500 * MILLI),
            TestRun.after(7 * MILLI));
    LoadResult result = test.runToEnd();

    List<Interval> measured = new ArrayList<>(test.intervals);
    measured.removeIf(interval -> interval.phase() == Phase.WARMUP);
    assertThat(measured.stream().mapToLong(Interval::operations).sum())
        .isEqualTo(result.operations());
    assertThat(measured.stream().mapToLong(Interval::reads).sum())
        .isEqualTo(result.count(Measure.READ));
    assertThat(measured.stream().mapToLong(Interval::writes).sum())
        .isEqualTo(result.count(Measure.UPDATE));
    assertThat(test.intervals.stream().mapToLong(Interval::operations).sum())
        .isEqualTo(result.operations() + result.warmupOperations());
    assertThat(measured.get(0).startNanos()).isEqualTo(result.measuredFromNanos());
    assertThat(measured.get(0).endNanos()).isEqualTo(result.measuredFromNanos() + SECOND);
    assertThat(measured.get(0).readP50Nanos()).isBetween(7 * MILLI, 7 * MILLI + 10_000);
  }

  @Test
  void readModifyWriteIsOneOperationOfTwoRequests() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.workload(new Mix(0, 0, 0, 0, 1)), FOUR).operations(100),
            TestRun.after(3 * MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.operations()).isEqualTo(100);
    assertThat(result.count(Measure.READ_MODIFY_WRITE)).isEqualTo(100);
    assertThat(result.reads().getTotalCount()).isEqualTo(100);
    assertThat(result.writes().getTotalCount()).isEqualTo(100);
    assertMillis(result, Measure.RMW_READ, 3);
    assertMillis(result, Measure.RMW_WRITE, 3);
    assertMillis(result, Measure.READ_MODIFY_WRITE, 6);
    List<MemoryStore.Request> ofOneSlot =
        test.store.requests.stream().filter(request -> request.slot() == 0).toList();
    for (int i = 0; i < ofOneSlot.size(); i += 2) {
      assertThat(ofOneSlot.get(i).verb()).isEqualTo("read");
      assertThat(ofOneSlot.get(i + 1).verb()).isEqualTo("write");
      assertThat(ofOneSlot.get(i + 1).key()).isEqualTo(ofOneSlot.get(i).key());
    }
  }

  @Test
  void readModifyWriteWhoseReadFailsDoesNotWrite() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.workload(new Mix(0, 0, 0, 0, 1)), FOUR).operations(8),
            failing(Outcome.FAILED));
    LoadResult result = test.runToEnd();

    assertThat(result.errors()).isEqualTo(8);
    assertThat(test.store.requests).hasSize(8).allMatch(request -> request.verb().equals("read"));
  }

  @Test
  void secondReadsAreAtAllAndAreNoLoad() {
    DualRead dual = new DualRead(4);
    TestRun test =
        closed(
            TestRun.spec(TestRun.half(), FOUR).operations(200).dualRead(dual),
            TestRun.after(MILLI));
    LoadResult result = test.runToEnd();

    assertThat(result.operations()).isEqualTo(200);
    long reads = result.count(Measure.READ);
    assertThat(reads).isPositive();
    assertThat(result.reads().getTotalCount()).isEqualTo(reads);
    assertThat(result.count(Measure.DUAL_READ)).isEqualTo(reads);
    assertThat(dual.pairs()).isEqualTo(reads);
    assertThat(test.store.requests)
        .filteredOn(request -> request.level() == ConsistencyLevel.ALL)
        .hasSize((int) reads);
    assertThat(test.store.requests).hasSize((int) (200 + reads));
  }

  @Test
  void insertsAreAcknowledgedAndScansHaveTheirOwnMeasure() {
    var workload = TestRun.workload(new Mix(0, 0, 0.5, 0.5, 0));
    var inserts = org.calando.core.workload.InsertSequence.of(workload);
    TestRun test =
        closed(TestRun.spec(workload, FOUR).operations(300).inserts(inserts), TestRun.after(MILLI));
    LoadResult result = test.runToEnd();

    long inserted = result.count(Measure.INSERT);
    assertThat(inserted).isPositive();
    assertThat(inserts.lastAcknowledged()).isEqualTo(999 + inserted);
    assertThat(result.count(Measure.SCAN)).isEqualTo(300 - inserted);
    assertThat(result.reads().getTotalCount()).isZero();
  }

  @Test
  void levelsAreReadForEachOperation() {
    List<Levels> levels =
        List.of(Levels.both(ConsistencyLevel.ONE), Levels.both(ConsistencyLevel.QUORUM));
    int[] asked = {0};
    Loop one = new Loop.Closed(1);
    TestRun test =
        new TestRun(
            LoadSpec.builder(TestRun.half(), one, () -> levels.get(asked[0]++ % 2)).operations(10),
            one,
            TestRun.after(MILLI));
    test.runToEnd();
    assertThat(test.store.requests)
        .filteredOn(request -> request.level() == ConsistencyLevel.QUORUM)
        .hasSize(5);
  }

  @Test
  void aMillionAnswersAtOnceDoNotRecurse() {
    TestRun test =
        closed(
            TestRun.spec(TestRun.workload(new Mix(0.4, 0.3, 0, 0, 0.3)), FOUR)
                .operations(1_000_000),
            TestRun.after(MemoryStore.Behaviour.AT_ONCE));
    test.store.keepRequests = false;
    assertThat(test.runToEnd().operations()).isEqualTo(1_000_000);
  }

  @Test
  void sameSeedGivesTheSameRun() {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      TestRun test =
          closed(
              TestRun.spec(TestRun.workload(new Mix(0.5, 0.2, 0.1, 0.1, 0.1)), FOUR)
                  .operations(2000),
              sent -> MILLI + sent % 7919);
      LoadResult result = test.runToEnd();
      runs.add(result.toString() + test.store.requests + test.intervals);
    }
    assertThat(runs.get(1)).isEqualTo(runs.get(0));
  }

  static MemoryStore.Behaviour failing(Outcome outcome) {
    return new MemoryStore.Behaviour() {
      @Override
      public long delayNanos(long sentNanos) {
        return AT_ONCE;
      }

      @Override
      public Outcome outcome(long sentNanos) {
        return outcome;
      }
    };
  }

  private static void assertMillis(LoadResult result, Measure measure, long millis) {
    assertThat(result.histograms().get(measure).getMaxValue())
        .isBetween(millis * MILLI, millis * MILLI + millis * MILLI / 500);
    assertThat(result.histograms().get(measure).getMinValue())
        .isBetween(millis * MILLI - millis * MILLI / 500, millis * MILLI);
  }
}
