package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops.Earlier;
import org.calando.session.internal.shared.SavedState;
import org.junit.jupiter.api.Test;

/** What a governor says of a table whose figures are unknown. */
class GoverningLoopsTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 5 * SECOND;
  private final WatchedTable table =
      new WatchedTable(
          new TableName("shop", "orders"),
          Set.of(),
          0.05,
          false,
          TableLevels.of(ReplicaPlacement.single(3), QUORUM, false),
          new SketchKeys(1),
          () -> now);

  private void decides(ReadChoice choice, boolean fallback, String... reasons) {
    table.set(table.main(), table.levels(), choice, fallback, now, 5 * SECOND, List.of(reasons));
  }

  @Test
  void figuresThatWereNeverKnownAreNotLost() {
    assertThat(GoverningLoops.lost(table)).as("not decided yet").isEmpty();
    decides(ReadChoice.of(2), true, "it is unknown");
    assertThat(GoverningLoops.lost(table)).isEmpty();
  }

  @Test
  void figuresThatWereKnownAreLostUntilTheyAreKnownAgain() {
    Target other = table.target(0.5);
    decides(ReadChoice.of(1), false, "known");
    assertThat(GoverningLoops.lost(table)).isEmpty();
    decides(ReadChoice.of(2), true, "the lags are old", "the canary fails");
    assertThat(other.tolerated()).isEqualTo(0.5);
    assertThat(GoverningLoops.lost(table))
        .isEqualTo(Map.of(0.05, "the lags are old; the canary fails"));
    decides(ReadChoice.of(1), false, "known");
    assertThat(GoverningLoops.lost(table)).isEmpty();
  }

  @Test
  void aFallbackThatNobodyDecidedIsNone() {
    decides(ReadChoice.of(1), false, "known");
    decides(ReadChoice.of(2), true, "it is unknown");
    now += 6 * SECOND;
    assertThat(GoverningLoops.lost(table)).as("the loop hangs").isEmpty();
    decides(ReadChoice.of(2), true, "it is unknown");
    table.wrote(ONE);
    assertThat(GoverningLoops.lost(table)).as("weaker writes").isEmpty();
  }

  @Test
  void eachOtherLevelThanBeforeHasANumberOfItsOwnOverAllTables() {
    AtomicLong numbers = new AtomicLong(7);
    var host = new GoverningLoops.Host(numbers::incrementAndGet, () -> {}, () -> now);
    Map<Target, GoverningLoops.Chosen> chosen = new HashMap<>();
    Target main = table.main();
    decides(ReadChoice.of(1), false, "known");
    assertThat(GoverningLoops.number(main, chosen, host)).isTrue();
    assertThat(chosen.get(main))
        .isEqualTo(new GoverningLoops.Chosen(ReadChoice.of(1), false, 8, 5 * SECOND));
    now += SECOND;
    decides(ReadChoice.of(1), false, "known, again");
    assertThat(GoverningLoops.number(main, chosen, host)).as("the same level").isFalse();
    assertThat(GoverningLoops.number(table.target(0.5), chosen, host)).isTrue();
    decides(ReadChoice.of(2), false, "known");
    assertThat(GoverningLoops.number(main, chosen, host)).isTrue();
    assertThat(chosen.get(main))
        .isEqualTo(new GoverningLoops.Chosen(ReadChoice.of(2), false, 10, 6 * SECOND));
    decides(ReadChoice.of(2), true, "the lags are old");
    assertThat(GoverningLoops.number(main, chosen, host)).as("figures are unknown").isTrue();
    assertThat(chosen.get(main)).extracting(each -> each.number()).isEqualTo(11L);
    now += SECOND;
    decides(ReadChoice.of(2), false, "known");
    assertThat(GoverningLoops.number(main, chosen, host)).isTrue();
    assertThat(chosen.get(main))
        .isEqualTo(new GoverningLoops.Chosen(ReadChoice.of(2), false, 12, 7 * SECOND));
  }

  @Test
  void loopsThatBeginAnewDoNotBeginWithALevelWhoseFiguresWereLost() {
    Target target = table.main();
    SavedState.Table state =
        new SavedState.Table(
            0, "shop.orders", 0.05, "{dc1=3}", QUORUM, ReadChoice.of(1), "", Optional.empty());
    Map<Target, SavedState.Table> known = new HashMap<>();
    decides(ReadChoice.of(1), false, "known");
    GoverningLoops.note(target, Optional.of(state), known);
    GoverningLoops.note(target, Optional.empty(), known);
    assertThat(known).containsOnlyKeys(target);
    decides(ReadChoice.of(2), true, "it is unknown");
    GoverningLoops.note(target, Optional.empty(), known);
    assertThat(known).isEmpty();
  }

  private SavedState.Table saved(Duration ago) {
    return new SavedState.Table(
        System.currentTimeMillis() - ago.toMillis(),
        "shop.orders",
        0.05,
        table.levels().replication(),
        QUORUM,
        ReadChoice.of(1),
        "",
        Optional.empty());
  }

  @Test
  void whereATableWasTenMinutesAgoIsNowhere() {
    assertThat(table.isAsIn(saved(Duration.ofSeconds(590)), table.main())).isTrue();
    assertThat(table.isAsIn(saved(Duration.ofSeconds(610)), table.main())).isFalse();
    assertThat(table.isAsIn(saved(Duration.ofMinutes(-1)), table.main())).isFalse();
  }

  /** Loops that could not be opened have taken nothing up. */
  @Test
  void whereLoopsEndedStandsUntilOthersHaveBegun() {
    List<SavedState.Table> left = List.of(saved(Duration.ofSeconds(30)));
    List<SavedState.Table> ended = List.of(saved(Duration.ZERO));
    Earlier earlier = new Earlier(List.of(), left).and(ended);
    assertThat(earlier).isEqualTo(new Earlier(ended, left));
    assertThat(earlier.and(List.of())).isEqualTo(earlier);
  }
}
