package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.power.MeterInfo;
import org.calando.power.SampleRow;
import org.junit.jupiter.api.Test;

class ClusterAccountTest {
  private static final long SECOND = 1_000_000_000L;

  private static final MeterInfo METER =
      new MeterInfo("model", Provenance.MODELLED, Scope.NODE, "1 s", true);

  private final ClusterAccount account = account(Optional.of(METER));
  private long end = 10 * SECOND;

  private static ClusterAccount account(Optional<MeterInfo> meter) {
    ClusterAccount account = new ClusterAccount(0);
    opened(account, meter, 0);
    return account;
  }

  private static void opened(ClusterAccount account, Optional<MeterInfo> meter, long nanos) {
    account.opened(List.of("n1", "n2"), meter, meter.isPresent() ? "" : "none", SECOND, nanos);
  }

  /** A row at the end of a period. */
  private void second(String node, double joules) {
    account.row(row(node, joules, false), end);
  }

  private static SampleRow row(String node, double joules, boolean gap) {
    return new SampleRow(0, "idle", node, 0, 0, -1, -1, -1, -1, -1, -1, joules, joules, gap);
  }

  private static Count count(long second, long reads, long writes) {
    return new Count(7, second * SECOND, reads, writes);
  }

  private static Counts counts(long second, long reads, long writes) {
    return Counts.of(Map.of("n1", count(second, reads, writes), "n2", count(second, 0, 0)));
  }

  /** Of nodes that both count each write. */
  private static Counts both(long second, long reads, long writes, long whole) {
    Count each = count(second, reads, writes);
    return new Counts(Map.of("n1", each, "n2", each), Optional.of(count(second, 0, whole)));
  }

  @Test
  void aWriteThatSeveralNodesCountIsOneRequest() {
    account.period(both(0, 5, 10, 10), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(both(10, 15, 40, 40), end);
    assertThat(account.figures().requests()).isEqualTo(10 + 10 + 30);
    assertThat(account.figures().nodes())
        .allMatch(node -> node.writes().equals(OptionalLong.of(30)));
    end = 20 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(both(20, 15, 40, 5), end);
    assertThat(account.figures().unknown()).as("it began anew").isEqualTo(10);
    assertThat(account.figures().requests()).isEqualTo(50);
  }

  @Test
  void aClusterIsAnsweredOnceANodeIsUntilItIsLost() {
    account.period(Counts.UNKNOWN, end);
    account.period(Counts.of(Map.of("n2", new Count(0, end, 0, 0))), end);
    assertThat(account.isAnswered()).as("by one that is off by order").isFalse();
    account.period(counts(20, 0, 0), 20 * SECOND);
    account.period(Counts.UNKNOWN, 30 * SECOND);
    opened(account, Optional.of(METER), 40 * SECOND);
    assertThat(account.isAnswered()).isTrue();
    account.lost(50 * SECOND);
    assertThat(account.isAnswered()).isFalse();
    account.late(counts(55, 0, 0), 60 * SECOND);
    assertThat(account.isAnswered()).as("though of more than a period").isTrue();
    assertThat(account.figures().nodes()).allMatch(node -> node.readsPerSecond().isEmpty());
    account.lost(70 * SECOND);
    account.late(Counts.UNKNOWN, 80 * SECOND);
    assertThat(account.isAnswered()).isFalse();
    account.unasked();
    assertThat(account.isAnswered()).isTrue();
    account.lost(90 * SECOND);
    assertThat(account.isAnswered()).as("none is asked, when its meter is lost too").isTrue();
  }

  @Test
  void aNodeThatIsOffByOrderAnswersNothingAndIsNoGap() {
    for (int seconds = 0; seconds < 30; seconds += 10) {
      end = seconds * SECOND;
      second("n1", 30);
      second("n2", 0.1);
      Count off = new Count(0, end, 0, 0);
      account.period(Counts.of(Map.of("n1", count(seconds, 100L * seconds, 0), "n2", off)), end);
    }
    assertThat(account.figures().accounted()).isEqualTo(20);
    assertThat(account.figures().requests()).isEqualTo(2000);
    end = 30 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(counts(30, 3000, 0), end);
    assertThat(account.figures().unknown()).as("it came back").isEqualTo(10);
  }

  @Test
  void joulesOfAPeriodAreSpreadOverItsRequests() {
    account.period(counts(0, 100, 10), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(counts(10, 1000, 110), end);
    ClusterFigures figures = account.figures();
    assertThat(figures.requests()).isEqualTo(1000);
    assertThat(figures.joules()).isEqualTo(50);
    assertThat(figures.perKop()).hasValue(50);
    assertThat(figures.lastPerKop()).hasValue(50);
    assertThat(figures.accounted()).isEqualTo(10);
    assertThat(figures.watts()).hasValue(50);
    assertThat(figures.nodes().get(0).readsPerSecond().orElseThrow()).isCloseTo(90, within(1e-9));
    assertThat(figures.nodes().get(0).writesPerSecond().orElseThrow()).isCloseTo(10, within(1e-9));
  }

  @Test
  void joulesOfAnOutageAreNotThoseOfTheSecondAfterIt() {
    account.row(row("n1", 30, false), SECOND);
    account.row(row("n1", Double.NaN, true), 2 * SECOND);
    account.row(row("n1", 6000, false), 62 * SECOND);
    account.row(row("n1", 30, false), 63 * SECOND);
    assertThat(account.figures().nodes().get(0).joules()).hasValue(60);
    assertThat(account.figures().nodes().get(0).unknownSeconds()).isEqualTo(61);
  }

  @Test
  void whatWasBeforeTheFirstPeriodIsNotAccounted() {
    second("n1", 30);
    second("n2", 20);
    account.period(counts(0, 100, 10), 5 * SECOND);
    assertThat(account.figures().joules()).isZero();
    assertThat(account.figures().unknown()).isEqualTo(5);
    assertThat(account.figures().perKop()).isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerMakesThePeriodUnknownAndNotFree() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(Counts.of(Map.of("n1", count(10, 500, 0))), 10 * SECOND);
    end = 20 * SECOND;
    assertThat(account.figures().unknown()).isEqualTo(10);
    assertThat(account.figures().perKop()).isEmpty();
    assertThat(account.figures().nodes().get(1).readsPerSecond()).isEmpty();
    second("n1", 30);
    second("n2", 20);
    account.period(counts(20, 900, 0), 20 * SECOND);
    end = 30 * SECOND;
    assertThat(account.figures().unknown()).as("its counts are new to us").isEqualTo(20);
    second("n1", 3);
    second("n2", 2);
    account.period(counts(30, 1000, 0), 30 * SECOND);
    assertThat(account.figures().perKop()).hasValue(50);
  }

  @Test
  void aRestartedNodesCountsBeginAnew() {
    account.period(counts(0, 900, 0), 0);
    second("n1", 1);
    second("n2", 1);
    account.period(counts(10, 50, 0), 10 * SECOND);
    end = 20 * SECOND;
    assertThat(account.figures().requests()).isZero();
    assertThat(account.figures().unknown()).isEqualTo(10);
    second("n1", 1);
    second("n2", 1);
    Counts otherLife =
        Counts.of(Map.of("n1", new Count(8, 20 * SECOND, 2000, 0), "n2", count(20, 0, 0)));
    account.period(otherLife, 20 * SECOND);
    end = 30 * SECOND;
    assertThat(account.figures().requests()).as("a new connection may be a new process").isZero();
  }

  @Test
  void aGapOfTheMeterMakesThePeriodUnknown() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    account.row(row("n2", Double.NaN, true), end);
    account.period(counts(10, 100, 0), 10 * SECOND);
    end = 20 * SECOND;
    ClusterFigures figures = account.figures();
    assertThat(figures.unknown()).isEqualTo(10);
    assertThat(figures.perKop()).isEmpty();
    assertThat(figures.watts()).isEmpty();
    assertThat(figures.nodes().get(1).unknownSeconds()).isEqualTo(10);
    account.gap();
    account.period(counts(20, 200, 0), 20 * SECOND);
    end = 30 * SECOND;
    assertThat(account.figures().unknown()).isEqualTo(20);
  }

  @Test
  void aMeterThatSaysNothingMakesThePeriodUnknown() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    second("n2", 30);
    account.period(counts(10, 100, 0), 10 * SECOND);
    end = 20 * SECOND;
    second("n1", 30);
    account.period(counts(20, 200, 0), 20 * SECOND);
    end = 30 * SECOND;
    ClusterFigures figures = account.figures();
    assertThat(figures.unknown()).isEqualTo(10);
    assertThat(figures.requests()).isEqualTo(100);
    assertThat(figures.nodes().get(0).watts()).hasValue(30);
    assertThat(figures.nodes().get(1).watts()).isEmpty();
  }

  @Test
  void withoutAMeterRequestsAreKnownAndJoulesAreNot() {
    ClusterAccount none = account(Optional.empty());
    none.period(counts(0, 0, 0), 0);
    none.period(counts(10, 100, 0), 10 * SECOND);
    assertThat(none.figures().nodes().get(0).readsPerSecond()).hasValue(10);
    assertThat(none.figures().accounted()).isZero();
    assertThat(none.figures().watts()).isEmpty();
    assertThat(none.figures().whyNoMeter()).isEqualTo("none");
  }

  @Test
  void sumsGoOnWhenTheClusterIsReachedAgainAndTheTimeBetweenIsUnknown() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(counts(10, 1000, 0), end);
    account.lost(25 * SECOND);
    assertThat(account.figures().watts()).isEmpty();
    assertThat(account.figures().lastPerKop()).isEmpty();
    account.lost(40 * SECOND);
    opened(account, Optional.of(METER), 40 * SECOND);
    end = 50 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(counts(50, 1500, 0), end);
    ClusterFigures figures = account.figures();
    assertThat(figures.accounted()).isEqualTo(10);
    assertThat(figures.unknown()).as("lost, and the period after").isEqualTo(40);
    assertThat(figures.joules()).isEqualTo(50);
    assertThat(figures.requests()).isEqualTo(1000);
    assertThat(figures.nodes().get(0).unknownSeconds()).isEqualTo(30);
    MeterInfo other = new MeterInfo("snmp", Provenance.MEASURED, Scope.HOST, "1 W", true);
    opened(account, Optional.of(other), 50 * SECOND);
    assertThat(account.figures().joules()).as("of another meter").isZero();
  }

  @Test
  void rowsThatDoNotReachAPeriodsEndCoverNeitherItNorTheNext() {
    account.period(counts(0, 0, 0), 0);
    end = 5 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(counts(10, 100, 0), 10 * SECOND);
    assertThat(account.figures().unknown()).isEqualTo(10);
    end = 20 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(counts(20, 200, 0), end);
    assertThat(account.figures().unknown()).as("the row has joules of before").isEqualTo(20);
    end = 30 * SECOND;
    second("n1", 30);
    second("n2", 20);
    account.period(counts(30, 300, 0), end);
    assertThat(account.figures().accounted()).isEqualTo(10);
    assertThat(account.figures().perKop()).hasValue(500);
  }
}
