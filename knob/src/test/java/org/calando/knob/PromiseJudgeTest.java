package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.KeptPromise;
import org.calando.report.column.RunRecord;
import org.junit.jupiter.api.Test;

class PromiseJudgeTest {
  private final PromiseJudge watch =
      PromiseJudge.of(Promise.NONE.with(Promised.STALE, 0.01).with(Promised.READ_P99, 0.05))
          .orElseThrow();

  private void second(long reads, long errors, long stale, double p99Seconds) {
    watch.interval(
        new Interval(
            Phase.MEASURED,
            0,
            0,
            1_000_000_000,
            reads + errors,
            reads,
            0,
            errors,
            stale,
            0,
            reads == 0 ? Interval.NO_LATENCY : (long) (p99Seconds * 1e9),
            0,
            0));
  }

  private KeptPromise found() {
    RunRecord record = new RunRecord();
    watch.record(record);
    return record.find(KeptPromise.class).orElseThrow();
  }

  @Test
  void secondsAreJudgedByWhatWasAnswered() {
    second(1000, 0, 5, 0.04);
    second(1000, 0, 20, 0.04);
    second(1000, 0, 0, 0.06);
    second(0, 0, 0, 0);
    assertThat(found().seconds()).isEqualTo(3);
    assertThat(found().brokenSeconds()).isEqualTo(2);
  }

  @Test
  void anOutageIsBroken() {
    second(0, 100, 0, 0);
    second(1000, 5, 0, 0.04);
    second(1000, 50, 0, 0.04);
    assertThat(found().seconds()).isEqualTo(3);
    assertThat(found().brokenSeconds()).isEqualTo(2);
  }
}
