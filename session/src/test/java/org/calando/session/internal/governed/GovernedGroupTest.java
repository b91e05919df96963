package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.StateKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of how many tables of a keyspace a governor takes reports. */
class GovernedGroupTest {
  private static final long SECOND = 1_000_000_000L;
  private static final UUID INSTANCE = new UUID(1, 1);

  private long now = 7 * SECOND;
  private boolean isWorking;
  private int opened;
  private int connected;
  private GovernedGroup group;

  @TempDir Path folder;

  @BeforeEach
  void make() {
    group = fresh();
  }

  private GovernedGroup fresh() {
    return new GovernedGroup(
        new GoverningLoops.Group("shop", false, "", false),
        keyspace -> {
          connected++;
          throw new FailedWorkException("no node answers", "cluster", "start it");
        },
        this::opens,
        file(),
        new GoverningLoops.Host(() -> 1, () -> {}, () -> now));
  }

  private Path file() {
    return folder.resolve("of/shop.state");
  }

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
    reports(table, 0.05, ConsistencyLevel.ONE);
  }

  private void reports(int table, double tolerated, ConsistencyLevel write) {
    group.take(
        INSTANCE,
        new TableReport(
            name(table),
            write,
            List.of(tolerated),
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

  private void left(int table, Duration ago) throws IOException {
    Files.createDirectories(file().getParent());
    new StateKeeper(file(), now)
        .save(
            List.of(
                new SavedState.Table(
                    System.currentTimeMillis() - ago.toMillis(),
                    name(table).toString(),
                    0.05,
                    "{dc1=3}",
                    ConsistencyLevel.ONE,
                    ReadChoice.of(1),
                    "",
                    Optional.empty())));
  }

  @Test
  void tablesOfAGovernorThatEndedLatelyAreBegunBeforeASessionReports() throws IOException {
    left(3, Duration.ofSeconds(30));
    isWorking = true;
    group.resume();
    assertThat(connected).isEqualTo(1);
    assertThat(group.table(name(3)).orElseThrow().share()).isEqualTo(0.05);
    assertThat(group.isForsaken(600 * SECOND)).isFalse();
  }

  @Test
  void theyAreBegunAgainIfThatFailed() throws IOException {
    left(3, Duration.ofSeconds(30));
    isWorking = true;
    group.resume();
    group.save();
    assertThat(connected).isEqualTo(1);
    now += SECOND;
    group.save();
    assertThat(connected).isEqualTo(2);
    now += SECOND;
    group.save();
    assertThat(connected).as("more and more seldom").isEqualTo(2);
  }

  @Test
  void whatIsTooOldIsNotAmiss() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), new SavedState(List.of()).text());
    isWorking = true;
    group.resume();
    assertThat(connected).isZero();
    assertThat(group.problem()).isEmpty();
  }

  @Test
  void aTableOfAGovernorThatEndedIsAsTheFirstSessionReportsIt() throws IOException {
    left(3, Duration.ofSeconds(30));
    isWorking = true;
    group.resume();
    assertThat(group.table(name(3)).orElseThrow().write()).isEqualTo(ConsistencyLevel.ONE);
    reports(3, 0.1, ConsistencyLevel.QUORUM);
    GovernedTable now = group.table(name(3)).orElseThrow();
    assertThat(now.share()).isEqualTo(0.1);
    assertThat(now.write()).isEqualTo(ConsistencyLevel.QUORUM);
    reports(3, 0.5, ConsistencyLevel.QUORUM);
    assertThat(group.table(name(3))).as("of which others come later").containsSame(now);
  }

  @Test
  void whereNoneEndedLatelyNothingIsConnectedTo() throws IOException {
    isWorking = true;
    group.resume();
    Files.writeString(file(), "damaged");
    group = fresh();
    group.resume();
    assertThat(connected).isZero();
    assertThat(group.problem().orElseThrow()).contains("shop.state is not used");
    group.save();
    now += 11 * SECOND;
    group.save();
    assertThat(group.problem()).as("nothing is lost with it").isEmpty();
  }

  @Test
  void whereNothingCanBeKeptSessionsAreGovernedAllTheSame() throws IOException {
    Files.writeString(folder.resolve("of"), "a file");
    isWorking = true;
    group.resume();
    reports(1);
    assertThat(connected).isEqualTo(1);
    assertThat(group.problem().orElseThrow()).contains("is not kept");
  }

  @Test
  void ofATableThatCannotBeGovernedItIsSaidWhyAndOfOthersNothing() {
    Set<TableName> begun = Set.of(name(1));
    Set<TableName> unusable = Set.of(name(2));
    assertThat(GovernedGroup.trouble(name(1), begun, unusable, "")).isEmpty();
    assertThat(GovernedGroup.trouble(name(2), begun, unusable, "")).contains("no table shop.t2");
    assertThat(GovernedGroup.trouble(name(3), begun, unusable, "")).as("it begins").isEmpty();
    assertThat(GovernedGroup.trouble(name(1), begun, unusable, "no answer")).isEmpty();
    assertThat(GovernedGroup.trouble(name(3), begun, unusable, "no answer")).isEqualTo("no answer");
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
