package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

class GovernedTableTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 3 * SECOND;
  private final GovernedTable table = new GovernedTable(0.05, ConsistencyLevel.ONE, () -> now);

  private void second(long instance, long reads, int tables) {
    second(instance, reads, tables, Map.of());
  }

  private void second(long instance, long reads, int tables, Map<Double, Reading> reading) {
    now += SECOND;
    table.take(
        new UUID(0, instance),
        new TableReport(
            new TableName("shop", "orders"),
            ConsistencyLevel.ONE,
            List.of(0.05),
            TableUse.NONE,
            List.of(),
            List.of(),
            Optional.empty(),
            reading),
        new TableUse(reads, 0, 0, 0, 0),
        tables);
  }

  private static Reading reading(int replicas, double above, String policy) {
    return new Reading(new ReadChoice(replicas, above), policy);
  }

  @Test
  void theLeastThatSessionsReadIsKnownForTenSeconds() {
    assertThat(table.reading(0.05)).isEmpty();
    second(1, 1, 1, Map.of(0.05, reading(1, 0, "a"), 0.5, reading(1, 0, "b")));
    second(2, 1, 1, Map.of(0.05, reading(1, 0.5, "c")));
    second(3, 1, 1, Map.of(0.05, reading(3, 0, "d"), 0.5, reading(1, 0, "")));
    second(4, 1, 1);
    assertThat(table.reading(0.05)).contains(reading(1, 0, "a"));
    assertThat(table.reading(0.5)).as("whose policy says why").contains(reading(1, 0, "b"));
    assertThat(table.reading(0.1)).isEmpty();
    now += 9 * SECOND;
    assertThat(table.reading(0.05)).isEmpty();
    second(1, 1, 1, Map.of(0.05, reading(1, 0, "")));
    assertThat(table.reading(0.05)).contains(reading(1, 0, ""));
  }

  @Test
  void noSessionReadsLessThanIsInForce() {
    assertThat(table.inForce(0.05)).as("nobody has said anything").isEmpty();
    second(1, 1, 1, Map.of(0.05, reading(1, 0, "")));
    second(2, 1, 1, Map.of(0.05, reading(1, 0.5, ""), 0.5, reading(3, 0, "")));
    assertThat(table.inForce(0.05)).contains(new ReadChoice(1, 0.5));
    second(1, 1, 1, Map.of(0.05, reading(2, 0, "")));
    assertThat(table.inForce(0.05)).contains(new ReadChoice(2, 0));
    second(1, 1, 1, Map.of(0.05, reading(1, 0, "")));
    assertThat(table.inForce(0.05)).as("what it said last").contains(new ReadChoice(1, 0.5));
    second(3, 1, 1, Map.of());
    assertThat(table.inForce(0.05)).as("one is at the fallback").isEmpty();
    now += 8 * SECOND;
    second(1, 1, 1, Map.of(0.05, reading(1, 0, "")));
    assertThat(table.inForce(0.05)).as("a while ago").isEmpty();
    now += 3 * SECOND;
    assertThat(table.inForce(0.05)).as("gone").contains(new ReadChoice(1, 0));
  }

  @Test
  void sharesWithoutEndAreNotKept() {
    for (int i = 0; i < 1000; i++) {
      second(1, 1, 1, Map.of(i / 1000.0, reading(1, 0, "")));
      now -= SECOND;
    }
    assertThat(table.reading(0)).isPresent();
    assertThat(table.reading(0.999)).isEmpty();
  }

  @Test
  void keysOfFewOperationsAreAllReported() {
    second(1, 200, 1);
    second(1, 200, 1);
    assertThat(table.keyShare()).isEqualTo(1);
  }

  @Test
  void whatASessionReportsFitsItsReportHoweverManyTablesItHas() {
    for (int tables : new int[] {1, 2, 8, 64}) {
      second(1, 20_000, tables);
      second(1, 20_000, tables);
      double reported = 20_000 * table.keyShare();
      assertThat(reported).isLessThanOrEqualTo(512).isLessThanOrEqualTo(1024.0 / tables);
      assertThat(reported).isGreaterThan(0);
    }
  }

  @Test
  void theBusiestSessionSetsTheShareOfAll() {
    for (int i = 0; i < 4; i++) {
      second(i % 2, i % 2 == 0 ? 10 : 4000, 1);
    }
    assertThat(table.keyShare()).isCloseTo(256.0 / 2000, within(0.01));
  }

  @Test
  void manySessionsTogetherReportTwoThousandKeysASecond() {
    for (int second = 0; second < 4; second++) {
      for (int i = 0; i < 100; i++) {
        second(i, 200, 1);
        now -= i == 0 ? 0 : SECOND;
      }
    }
    assertThat(100 * 200 * table.keyShare()).isCloseTo(2000, within(400.0));
  }
}
