package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

class WatchedTableTest {
  private static final TableName NAME = new TableName("shop", "orders");
  private static final TableLevels LEVELS =
      TableLevels.of(ReplicaPlacement.single(3), QUORUM, false);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final WatchedTable table =
      new WatchedTable(NAME, Set.of(), 0.05, false, LEVELS, new SketchKeys(1), now::get);

  private void decide(ReadChoice choice, long validFor) {
    table.set(table.main(), LEVELS, choice, false, now.get(), validFor, List.of("because"));
  }

  @Test
  void readsAreSafeUntilTheFirstDecision() {
    assertThat(table.main().next()).isEqualTo(QUORUM);
    assertThat(table.main().inUse(0).safe()).isTrue();
  }

  @Test
  void aDecisionHoldsForItsTimeAndThenReadsAreSafeAgain() {
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().next()).isEqualTo(ONE);
    assertThat(table.main().inUse(0).reasons()).containsExactly("because");
    now.addAndGet(9);
    assertThat(table.main().next()).isEqualTo(ONE);
    now.addAndGet(1);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    assertThat(table.main().choice()).isEqualTo(ReadChoice.of(2));
    assertThat(table.main().inUse(0).reasons()).containsExactly("the last decision is too old");
  }

  @Test
  void aClockThatJumpsEitherWayMakesReadsSafe() {
    decide(ReadChoice.of(1), 10);
    now.addAndGet(1_000_000);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().next()).isEqualTo(ONE);
    now.addAndGet(-1_000_000);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    assertThat(table.main().inUse(0).safe()).isTrue();
    assertThat(table.main().choice()).isEqualTo(ReadChoice.of(2));
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().next()).isEqualTo(ONE);
  }

  @Test
  void aMixedChoiceGivesAShareOfReadsTheNextLevel() {
    decide(new ReadChoice(1, 0.25), 10);
    int above = 0;
    for (int i = 0; i < 1000; i++) {
      above += table.main().next() == QUORUM ? 1 : 0;
    }
    assertThat(above).isBetween(240, 260);
  }

  @Test
  void aWeakWriteTurnsReadsToTheFallbackForIt() {
    decide(ReadChoice.of(1), 10);
    table.wrote(QUORUM);
    assertThat(table.main().next()).isEqualTo(ONE);
    table.wrote(ONE);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    assertThat(table.target(0).next()).isEqualTo(ALL);
    // A decision that did not know of it is too late.
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    assertThat(table.main().inUse(0).write()).isEqualTo(ONE);
    assertThat(table.main().inUse(0).safe()).isFalse();
    assertThat(table.main().inUse(0).fallback()).isTrue();
  }

  @Test
  void whatWasDecidedIsKeptForATableThatNobodyReads() {
    decide(ReadChoice.of(1), 10);
    table.main().keep(now.get(), 1000, "asleep");
    table.main().keep(now.get(), 1000, "asleep");
    now.addAndGet(999);
    assertThat(table.main().next()).isEqualTo(ONE);
    assertThat(table.main().inUse(0).reasons()).containsOnlyOnce("asleep");
    now.addAndGet(1);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    // The fallback is not kept in place of a decision.
    table.main().keep(now.get(), 1000, "asleep");
    assertThat(table.main().inUse(0).fallback()).isTrue();
  }

  @Test
  void aPolicyThatLacksAFigureIsAtTheFallbackThoughItsDecisionHolds() {
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().inUse(0).fallback()).isFalse();
    table.set(table.main(), LEVELS, ReadChoice.of(2), true, now.get(), 10, List.of("no lags"));
    assertThat(table.main().inUse(0).fallback()).isTrue();
    assertThat(table.main().inUse(0).reasons()).containsExactly("no lags");
    table.main().keep(now.get(), 1000, "asleep");
    assertThat(table.main().inUse(0).fallback()).isTrue();
    decide(ReadChoice.of(1), 10);
    assertThat(table.main().inUse(0).fallback()).isFalse();
  }

  @Test
  void onlySoManySharesAreToldApart() {
    Set<Target> told = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      told.add(table.target(0.10 + i / 1000.0));
    }
    assertThat(told).hasSize(WatchedTable.MOST_TARGETS);
    // The next stricter one stands for another.
    assertThat(table.target(0.5).tolerated()).isEqualTo(0.115);
    assertThat(table.target(0.01).next()).isEqualTo(QUORUM);
    assertThat(table.target(0.05)).isSameAs(table.main());
  }

  @Test
  void sizesOfWritesAreAveraged() {
    assertThat(table.meanWriteBytes()).isNaN();
    table.wroteBytes(10);
    table.wroteBytes(30);
    assertThat(table.meanWriteBytes()).isEqualTo(20);
  }
}
