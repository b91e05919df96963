package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.Set;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.KeyObserver;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

class KeySpreadTest {
  private static final long SECOND = 1_000_000_000L;

  private final WatchedTable table =
      new WatchedTable(
          new TableName("shop", "orders"),
          Set.of(),
          0.05,
          false,
          TableLevels.of(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false),
          new KeyObserver() {
            private int reads;

            @Override
            public void observed(long hashOfKey, boolean write) {
              reads += write ? 0 : 1;
            }

            @Override
            public Optional<KeyPopularity> renew() {
              Optional<KeyPopularity> told =
                  reads == 0 ? Optional.empty() : Optional.of(KeyPopularity.uniform(reads));
              reads = 0;
              return told;
            }
          },
          () -> 0);
  private final KeySpread spread = new KeySpread(table, 2 * SECOND, 0);
  private long now;

  /** One more second, in which servers counted so many writes. */
  private Optional<Popularity> second(int reads, int own, double counted) {
    for (int i = 0; i < reads; i++) {
      table.observed(1, false);
      table.read(true);
    }
    for (int i = 0; i < own; i++) {
      table.observed(1, true);
    }
    now += SECOND;
    return spread.at(now, Optional.of(new Rates(now, reads, counted, 1)));
  }

  private Popularity after(int seconds, int reads, int own, double counted) {
    Optional<Popularity> known = Optional.empty();
    for (int i = 0; i < seconds; i++) {
      known = second(reads, own, counted);
    }
    return known.orElseThrow();
  }

  @Test
  void whileSessionsJoinTheirWritesDoNotPassForThoseOfOthers() {
    spread.awaitAll(0, Optional.empty());
    for (int i = 0; i < 4; i++) {
      assertThat(second(150, 20 * i, 80)).as("others are missing").isEmpty();
      spread.joined(now);
    }
    assertThat(second(150, 80, 80)).isEmpty();
    assertThat(second(150, 80, 80).orElseThrow().unseenWrites()).isCloseTo(0, within(1e-9));
    spread.joined(now);
    assertThat(second(150, 80, 80)).as("known is known").isPresent();
  }

  @Test
  void whatAFormerGovernorKnewStandsUntilAWholeWindowOfAllSessions() {
    Popularity former = new Popularity(0, KeyPopularity.uniform(7), 0.1);
    now = 50 * SECOND;
    spread.awaitAll(now, Optional.of(former));
    for (int i = 0; i < 4; i++) {
      Popularity known = second(150, 20 * i, 80).orElseThrow();
      assertThat(known.byKey()).isSameAs(former.byKey());
      assertThat(known.unseenWrites()).as("others are missing").isEqualTo(0.1);
      assertThat(known.atNanos()).isEqualTo(now);
      spread.joined(now);
      // Its loop begins anew with what sessions say.
      spread.awaitAll(now, Optional.empty());
    }
    assertThat(second(150, 80, 80).orElseThrow().byKey()).isSameAs(former.byKey());
    Popularity own = second(150, 80, 80).orElseThrow();
    assertThat(own.byKey()).isNotSameAs(former.byKey());
    assertThat(own.unseenWrites()).isCloseTo(0, within(1e-9));
  }

  @Test
  void whatAFormerGovernorKnewOfATableThatIsQuietNowIsKept() {
    Popularity former = new Popularity(0, KeyPopularity.uniform(7), 0.1);
    spread.awaitAll(0, Optional.of(former));
    assertThat(after(30, 0, 0, 10).byKey()).isSameAs(former.byKey());
  }

  @Test
  void sessionsThatJoinForEverAreNotWaitedFor() {
    spread.awaitAll(0, Optional.empty());
    for (int i = 0; i < 9; i++) {
      spread.joined(now);
      assertThat(second(150, 20, 80)).isEmpty();
    }
    spread.joined(now);
    assertThat(second(150, 20, 80)).isPresent();
  }

  @Test
  void whatServersCountBeyondOwnWritesIsUnseen() {
    assertThat(after(7, 150, 80, 80).unseenWrites()).isCloseTo(0, within(1e-9));
    assertThat(after(4, 150, 80, 160).unseenWrites()).isCloseTo(0.5, within(1e-9));
    assertThat(after(4, 150, 0, 160).unseenWrites()).isEqualTo(1);
    // Failed writes were sent and not counted.
    assertThat(after(4, 150, 80, 40).unseenWrites()).isZero();
  }

  /** As with a governor's table of which no session reports a read for long. */
  @Test
  void aTableThatIsReadForTheFirstTimeAfterLongIsKnownTwoSecondsLater() {
    for (int i = 0; i < 605; i++) {
      assertThat(second(0, 0, 5)).as("second %d", i).isEmpty();
    }
    Optional<Popularity> first = second(20, 0, 5);
    Optional<Popularity> then = second(20, 0, 5);
    assertThat(first.or(() -> then)).isPresent();
  }

  @Test
  void withoutAnyWriteTheNextOnesMayBeAnybodys() {
    assertThat(after(4, 150, 0, 0).unseenWrites()).isEqualTo(1);
  }

  @Test
  void aQuietTableKeepsWhatWasKnownAndIsNotOld() {
    after(4, 150, 10, 10);
    Popularity before = after(6, 0, 10, 10);
    Popularity quiet = after(60, 0, 0, 10);
    assertThat(quiet.byKey()).isSameAs(before.byKey());
    assertThat(now - quiet.atNanos()).isLessThanOrEqualTo(6 * SECOND);
    assertThat(quiet.unseenWrites()).isEqualTo(1);
  }

  @Test
  void fewReadsMakeWindowsLonger() {
    Popularity known = after(8, 40, 1, 1);
    assertThat(known.byKey().keys(0)).isEqualTo(200);
  }

  @Test
  void figuresThatComeLateOrSeldomAreSetBesideTheSameOwnWrites() {
    Optional<Popularity> known = Optional.empty();
    for (int i = 0; i < 40; i++) {
      for (int j = 0; j < 150; j++) {
        table.observed(1, false);
        table.read(true);
      }
      for (int j = 0; j < 80; j++) {
        table.observed(1, true);
      }
      now += SECOND;
      // Half of the writes are others'; the figures are of three seconds ago, and new each third
      // time.
      known =
          spread.at(
              now, Optional.of(new Rates(now / SECOND / 3 * 3 * SECOND - 3 * SECOND, 1, 160, 1)));
      if (i > 12) {
        assertThat(known.orElseThrow().unseenWrites())
            .as("second %d", i)
            .isCloseTo(0.5, within(0.01));
      }
    }
    // After a rest in which this session alone wrote nothing is hidden by it.
    for (int j = 0; j < 100_000; j++) {
      table.observed(1, true);
    }
    now += 300 * SECOND;
    assertThat(after(7, 150, 80, 160).unseenWrites()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void withoutRatesAllWritesAreUnseen() {
    table.read(true);
    table.observed(1, false);
    assertThat(spread.at(SECOND, Optional.empty()).orElseThrow().unseenWrites()).isEqualTo(1);
  }
}
