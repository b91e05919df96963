package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepRowTest {
  private static final long SECOND = 1_000_000_000;
  private static final int READS = 20;

  private final Judge judge =
      new Judge(List.of(new WriteEntry(3, 1, -2, -1, WriteEntry.NEVER, "")));
  private final List<ReadEntry> reads = new ArrayList<>();

  /** Reads of a second, of which so many are stale and so many failed. */
  private void second(String task, int second, int stale, String level, int failed) {
    for (int i = 0; i < READS; i++) {
      long at = second * SECOND + i;
      String error = i < failed ? "ReadTimeoutException" : "";
      reads.add(new ReadEntry(task, 3, i < failed + stale ? 0 : 1, at, at + 1, level, error));
    }
  }

  private Seconds seconds(String task) {
    return new Seconds(judge, reads, task::equals, 0, 60);
  }

  private StepRow row() {
    return new StepRow(
        "step", 0.05, 20, 40, 42, 60, seconds("adaptive"), seconds("one"), seconds("quorum"));
  }

  /** Stale for three seconds behind the change, strict until the 48th. */
  private void aChange(int failed, int failedBeside) {
    for (int second = 0; second < 60; second++) {
      boolean changed = second >= 20 && second < 48;
      int stale = second >= 20 && second < 23 ? 6 : 0;
      second("adaptive", second, stale, changed ? "QUORUM" : "ONE", second == 30 ? failed : 0);
      second("one", second, 1, "ONE", second == 30 ? failedBeside : 0);
      second("quorum", second, 0, "QUORUM", 0);
    }
  }

  @Test
  void secondsAreOutOfThePromiseByTheMeanOfFive() {
    aChange(0, 0);
    Seconds seconds = seconds("adaptive");
    assertThat(seconds.staleShare(19)).isZero();
    assertThat(seconds.staleShare(20)).isEqualTo(0.06);
    assertThat(seconds.staleShare(24)).isEqualTo(0.18);
    assertThat(seconds.staleShare(27)).isZero();
    assertThat(seconds.out(0.05, 20, 40)).isEqualTo(7);
    assertThat(seconds.outBeyondChance(0.05, 20, 40)).as("6 of 100 are chance").isEqualTo(5);
    assertThat(seconds.staleShare(20, 40)).isEqualTo(0.045);
    assertThat(seconds.untilWeak(1.1, 42, 60)).isEqualTo(10);
    assertThat(seconds.untilWeak(0.5, 42, 60)).isEqualTo(-1);
    assertThat(seconds.untilWeak(1.1, 10, 48)).as("weak, then strict until the end").isEqualTo(-1);
    assertThat(seconds.csv("adaptive")).contains("adaptive,20,20,6,2.000,0\n");
  }

  @Test
  void aShareThatStaysAboveThePromiseIsNoGoalMet() {
    aChange(0, 0);
    assertThat(seconds("adaptive").isBeyondChance(0.05, 20, 40)).isFalse();
    for (int second = 0; second < 60; second++) {
      second("steady", second, second % 2 == 0 ? 1 : 2, "ONE", 0);
    }
    Seconds steady = seconds("steady");
    assertThat(steady.outBeyondChance(0.05, 0, 60)).as("each window is chance").isZero();
    assertThat(steady.isBeyondChance(0.05, 0, 60)).as("7.5 % of 1200").isTrue();
  }

  @Test
  void failedReadsAreComparedWithThoseBeside() {
    aChange(READS, 0);
    assertThat(row().line(1, 2, 3)).contains("," + READS + ",").endsWith("false");
    assertThat(seconds("adaptive").failed(20, 60)).isEqualTo(READS);
    assertThat(seconds("adaptive").reads(20, 60)).isEqualTo(40L * READS);
  }

  @Test
  void aRowHasACellForEachColumn() {
    aChange(1, 2);
    assertThat(row().line(1, 2, 3).split(",", -1)).hasSameSizeAs(StepRow.HEADER.split(",", -1));
    assertThat(Step.all()).hasSize(8).allMatch(step -> step.cell().id().length() <= 48);
    assertThat(Step.all()).noneMatch(step -> step.name().contains(","));
  }
}
