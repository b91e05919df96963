package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.load.TestRun.MILLI;
import static org.calando.load.TestRun.SECOND;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.calando.core.FailedWorkException;
import org.calando.core.store.Outcome;
import org.calando.core.workload.OperationKind;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private final List<Interval> intervals = new ArrayList<>();

  @Test
  void logHoldsEachMeasureOfEachMeasuredInterval() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Recorder recorder = new Recorder(intervals::add, out, 1_700_000_000_000L);
    recorder.begin(SECOND);
    recorder.success(Phase.WARMUP, Measure.READ, MILLI);
    recorder.measurementBegan(2 * SECOND);
    recorder.success(Phase.MEASURED, Measure.READ, 2 * MILLI);
    recorder.success(Phase.MEASURED, Measure.UPDATE, 3 * MILLI);
    recorder.interval(3 * SECOND);
    recorder.success(Phase.MEASURED, Measure.READ, 4 * MILLI);
    recorder.interval(4 * SECOND);

    List<String> seen = new ArrayList<>();
    Histogram reads = new Histogram(3);
    try (HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(bytes.toByteArray()))) {
      EncodableHistogram next = reader.nextIntervalHistogram();
      while (next != null) {
        Histogram histogram = (Histogram) next;
        seen.add(histogram.getTag() + " " + histogram.getTotalCount());
        if (histogram.getTag().equals("read")) {
          reads.add(histogram);
        }
        next = reader.nextIntervalHistogram();
      }
    }
    assertThat(seen).containsExactly("read 1", "update 1", "read 1");
    assertThat(reads.getMaxValue()).isBetween(4 * MILLI - 4000, 4 * MILLI + 4000);
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("[StartTime: 1700000000.000");
  }

  @Test
  void whatTheWindowHadBeforeItsBeginWasToldIsOfItsFirstSecond() {
    Recorder recorder = new Recorder(intervals::add);
    recorder.begin(40_000 * SECOND);
    recorder.success(Phase.WARMUP, Measure.READ, MILLI);
    recorder.success(Phase.MEASURED, Measure.UPDATE, MILLI);
    recorder.measurementBegan(40_011 * SECOND);
    assertThat(intervals).extracting(Interval::phase).containsExactly(Phase.WARMUP, Phase.MEASURED);
    assertThat(intervals).extracting(Interval::second).containsExactly(0L, 0L);
  }

  @Test
  void percentilesAreThoseOfMergedHistograms() {
    Recorder recorder = new Recorder(intervals::add);
    recorder.begin(0);
    recorder.measurementBegan(0);
    for (int i = 0; i < 98; i++) {
      recorder.success(Phase.MEASURED, Measure.UPDATE, MILLI);
    }
    recorder.success(Phase.MEASURED, Measure.INSERT, 500 * MILLI);
    recorder.success(Phase.MEASURED, Measure.RMW_WRITE, 500 * MILLI);
    recorder.interval(SECOND);
    Interval interval = intervals.get(0);
    assertThat(interval.operations()).isEqualTo(99);
    assertThat(interval.writes()).isEqualTo(100);
    assertThat(interval.writeP50Nanos()).isBetween(MILLI - 1000, MILLI + 1000);
    assertThat(interval.writeP99Nanos()).isBetween(499 * MILLI, 501 * MILLI);
    assertThat(interval.readP50Nanos()).isEqualTo(Interval.NO_LATENCY);
  }

  @Test
  void latenciesOutOfRangeCountAsItsEnds() {
    Recorder recorder = new Recorder(intervals::add);
    recorder.success(Phase.MEASURED, Measure.READ, -5);
    recorder.success(Phase.MEASURED, Measure.READ, Long.MAX_VALUE);
    recorder.interval(SECOND);
    Histogram reads = recorder.totals().get(Measure.READ);
    assertThat(reads.getMinValue()).isZero();
    assertThat(reads.getMaxValue())
        .isBetween(Recorder.HIGHEST_NANOS, Recorder.HIGHEST_NANOS / 1000 * 1001);
  }

  @Test
  void errorsAreCountedByOutcome() {
    Recorder recorder = new Recorder(intervals::add);
    for (long i = 0; i < 5; i++) {
      recorder.error(Phase.WARMUP, OperationKind.READ, Outcome.REFUSED, MILLI);
      recorder.error(Phase.MEASURED, OperationKind.READ, Outcome.REFUSED, MILLI);
      recorder.error(Phase.MEASURED, OperationKind.UPDATE, Outcome.FAILED, MILLI);
    }
    recorder.interval(SECOND);
    assertThat(recorder.errorsByOutcome())
        .containsEntry(Outcome.REFUSED, 5L)
        .containsEntry(Outcome.FAILED, 5L);
    assertThat(recorder.errors(Phase.MEASURED)).isEqualTo(10);
    assertThat(recorder.successes()).isZero();
  }

  @Test
  void listenerThatThrowsEndsTheRun() {
    Loop loop = new Loop.Closed(1);
    VirtualScheduler scheduler = new VirtualScheduler();
    MemoryStore store = new MemoryStore(1, scheduler, TestRun.after(MILLI));
    Recorder recorder =
        new Recorder(
            interval -> {
              throw new FailedWorkException("disk full", "ops.csv", "");
            });
    LoadRun run =
        new LoadRun(
            TestRun.spec(TestRun.reads(), loop).operations(1_000_000).build(),
            store,
            new org.calando.core.workload.StalenessOracle(
                org.calando.core.workload.StalenessOracle.Config.of(1000, 1, 1)),
            recorder,
            scheduler);
    run.start();
    scheduler.runUntilDone(run);
    org.assertj.core.api.Assertions.assertThatThrownBy(run::result)
        .isInstanceOf(FailedWorkException.class);
  }
}
