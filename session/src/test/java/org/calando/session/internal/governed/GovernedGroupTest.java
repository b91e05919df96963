package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops;
import org.junit.jupiter.api.Test;

/** Of how many tables of a keyspace a governor takes reports. */
class GovernedGroupTest {
  private static final long SECOND = 1_000_000_000L;
  private static final UUID INSTANCE = new UUID(1, 1);

  private long now = 7 * SECOND;
  private boolean isWorking;
  private int opened;
  private final GovernedGroup group =
      new GovernedGroup(
          new GoverningLoops.Group("shop", false, "", false),
          keyspace -> {
            throw new FailedWorkException("no node answers", "cluster", "start it");
          },
          this::opens,
          new GoverningLoops.Host(() -> 1, () -> {}, () -> now));

  private void opens(Runnable work) {
    opened++;
    if (isWorking) {
      work.run();
    }
  }

  private static TableName name(int table) {
    return new TableName("shop", "t" + table);
  }

  /** A report that says what reads missed. */
  private void reports(int table) {
    group.take(
        INSTANCE,
        new TableReport(
            name(table),
            ConsistencyLevel.ONE,
            List.of(0.05),
            TableUse.NONE,
            List.of(),
            List.of(),
            Optional.of(new Missed(0, 10, 1)),
            Map.of()),
        Optional.of(TableUse.NONE),
        1);
  }

  private boolean takes(int table) {
    reports(table);
    return group.table(name(table)).flatMap(GovernedTable::missed).isPresent();
  }

  private void fill() {
    for (int table = 0; table < GovernedGroup.MOST_TABLES; table++) {
      assertThat(takes(table)).isTrue();
    }
  }

  @Test
  void tablesThatAreKnownAreTakenHoweverManyThereAre() {
    fill();
    now += 30 * SECOND;
    assertThat(group.table(name(3)).orElseThrow().missed()).as("too long ago").isEmpty();
    assertThat(takes(3)).isTrue();
    assertThat(takes(GovernedGroup.MOST_TABLES)).isFalse();
    assertThat(group.trouble(name(GovernedGroup.MOST_TABLES)))
        .isEqualTo("256 tables of keyspace shop are governed already");
    assertThat(group.trouble(name(3))).isEqualTo("it begins to measure");
  }

  @Test
  void whatFailsToBeginIsTriedAgainAfterASecondAndLessOftenWhileItFails() {
    isWorking = true;
    reports(1);
    assertThat(opened).isEqualTo(1);
    assertThat(group.trouble(name(1))).contains("no node answers");
    List<Integer> gaps = new ArrayList<>();
    int last = 0;
    for (int second = 1; second <= 60; second++) {
      now += SECOND;
      int before = opened;
      reports(1);
      if (opened > before) {
        gaps.add(second - last);
        last = second;
      }
    }
    assertThat(gaps).startsWith(1, 2, 4, 8, 10, 10);
  }

  @Test
  void tablesThatNobodyReportsMakeRoomForOthers() {
    fill();
    now += 500 * SECOND;
    reports(3);
    assertThat(takes(1000)).isFalse();
    now += 200 * SECOND;
    assertThat(takes(1000)).isTrue();
    assertThat(group.table(name(3))).isPresent();
    assertThat(group.table(name(4))).isEmpty();
  }
}
