package org.calando.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.StalenessOracle;
import org.junit.jupiter.api.Test;

class LoadedRowsTest {
  private final Map<Long, Integer> failures = new LinkedHashMap<>();
  private final List<String> written = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final StalenessOracle oracle = new StalenessOracle(StalenessOracle.Config.of(100, 1, 1));
  private final LoadedRows rows = new LoadedRows(new Flaky(), pauses::add);

  /** Fails each key as often as {@code failures} says. */
  private final class Flaky implements Session {
    @Override
    public int slots() {
      return 1;
    }

    @Override
    public void read(int slot, long key, int field, ConsistencyLevel level, Completion done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(
        int slot,
        long key,
        int field,
        int valueBytes,
        long version,
        ConsistencyLevel level,
        Completion completion) {
      boolean fails = failures.merge(key, -1, Integer::sum) >= 0;
      written.add(key + " v" + version + " " + level + (fails ? " failed" : ""));
      completion.complete(slot, fails ? Outcome.INDETERMINATE : Outcome.OK, version);
    }

    @Override
    public void scan(
        int slot, long key, int count, int field, ConsistencyLevel level, Completion done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private void load(long... keys) {
    for (long key : keys) {
      long version = oracle.beginWrite(0, 0, key);
      rows.write(
          0,
          key,
          Session.ALL_FIELDS,
          10,
          version,
          ConsistencyLevel.ALL,
          (slot, outcome, found) -> oracle.endWrite(slot, outcome, 0));
    }
    written.clear();
  }

  @Test
  void onlyRowsThatFailedAreWrittenAgainWithANewerVersion() throws InterruptedException {
    failures.put(3L, 1);
    failures.put(5L, 2);
    load(1, 3, 5, 7);
    assertThat(rows.retry(2, oracle)).isTrue();
    assertThat(written).containsExactly("3 v2 ALL", "5 v2 ALL failed", "5 v3 ALL");
    assertThat(pauses)
        .containsExactly(Duration.ofSeconds(0), Duration.ofSeconds(0), Duration.ofSeconds(2));
  }

  @Test
  void aRowThatFailsEachTimeEndsIt() throws InterruptedException {
    failures.put(3L, 100);
    failures.put(5L, 1);
    load(3, 5);
    assertThat(rows.retry(2, oracle)).isFalse();
    assertThat(written).hasSize(LoadedRows.ATTEMPTS).allMatch(row -> row.startsWith("3 "));
  }

  @Test
  void rowsWithoutAnAnswerCannotBeWrittenAgain() throws InterruptedException {
    load(1);
    assertThat(rows.retry(1, oracle)).isFalse();
    assertThat(written).isEmpty();
  }
}
