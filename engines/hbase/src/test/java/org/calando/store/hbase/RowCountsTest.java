package org.calando.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Region;
import org.calando.store.hbase.RegionServers.Report;
import org.junit.jupiter.api.Test;

class RowCountsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGUN = 900 * SECOND;

  private final RowCounts rows = new RowCounts();

  private static Load load(String region, long reads, long writes) {
    return new Load(new Region(region, "t"), reads, writes, 1);
  }

  private static Report report(long start, long second, Load... loads) {
    return new Report("a:1", start, 1000 * second, List.of(loads));
  }

  private Map<String, Count> look(long second, Report report) {
    return rows.look(List.of(report), BEGUN + second * SECOND);
  }

  private Count count(long second, Report report) {
    return look(second, report).get("a:1");
  }

  @Test
  void rowsOfRegionsAreAddedUpByTheServersOwnClock() {
    Load own = new Load(new Region("meta", "hbase:meta"), 1, 1, 1);
    Count first = count(0, report(1, 50, load("r", 100, 10), load("s", 5, 5), own));
    Load later = new Load(new Region("meta", "hbase:meta"), 999, 999, 1);
    Count second =
        count(11, report(1, 59, load("r", 130, 11), load("s", 7, 5), load("new", 3, 4), later));
    assertThat(second)
        .as("a region that is opened begins at none; whenever we look, 9 s are between reports")
        .isEqualTo(new Count(first.life(), first.atNanos() + 9 * SECOND, 35, 5));
  }

  @Test
  void aServerThatReportsNothingNewIsNotKnown() {
    Report report = report(1, 50, load("r", 100, 10));
    Count first = count(0, report);
    assertThat(look(10, report)).isEmpty();
    assertThat(count(20, report(1, 70, load("r", 101, 10))).life())
        .as("it reports again")
        .isEqualTo(first.life());
    assertThat(look(30, new Report("a:1", 2, 0, List.of()))).as("of a new process").isEmpty();
  }

  @Test
  void countsThatEndedUnseenBeginAnotherLife() {
    long first = count(0, report(1, 50, load("r", 100, 10), load("s", 0, 0))).life();
    long closed = count(10, report(1, 60, load("r", 110, 10))).life();
    long reopened = count(20, report(1, 70, load("r", 3, 10))).life();
    long restarted = count(30, report(2, 80, load("r", 4, 10))).life();
    long setBack = count(40, report(2, 75, load("r", 5, 10))).life();
    assertThat(List.of(first, closed, reopened, restarted, setBack)).doesNotHaveDuplicates();
    assertThat(count(50, report(2, 85, load("r", 6, 10))).life()).isEqualTo(setBack);
  }
}
