package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.power.MeterInfo;
import org.calando.power.SampleRow;
import org.junit.jupiter.api.Test;

class ClusterAccountTest {
  private static final long SECOND = 1_000_000_000L;

  private final ClusterAccount account = account(true);

  private static ClusterAccount account(boolean metered) {
    MeterInfo meter = new MeterInfo("model", Provenance.MODELLED, Scope.NODE, "1 s", true);
    return new ClusterAccount(
        List.of("n1", "n2"), Optional.of(meter).filter(each -> metered), metered ? "" : "none");
  }

  private void second(String node, double joules) {
    account.row(row(node, joules, false));
  }

  private static SampleRow row(String node, double joules, boolean gap) {
    return new SampleRow(0, "idle", node, 0, 0, -1, -1, -1, -1, -1, -1, joules, joules, gap);
  }

  private static Count count(long second, long reads, long writes) {
    return new Count(7, second * SECOND, reads, writes);
  }

  private static Map<String, Count> counts(long second, long reads, long writes) {
    return Map.of("n1", count(second, reads, writes), "n2", count(second, 0, 0));
  }

  @Test
  void joulesOfAPeriodAreSpreadOverItsRequests() {
    account.period(counts(0, 100, 10), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(counts(10, 1000, 110), 10 * SECOND);
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
  void whatWasBeforeTheFirstPeriodIsNotAccounted() {
    second("n1", 30);
    second("n2", 20);
    account.period(counts(0, 100, 10), 5 * SECOND);
    assertThat(account.figures().joules()).isZero();
    assertThat(account.figures().unknown()).isZero();
    assertThat(account.figures().perKop()).isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerMakesThePeriodUnknownAndNotFree() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    second("n2", 20);
    account.period(Map.of("n1", count(10, 500, 0)), 10 * SECOND);
    assertThat(account.figures().unknown()).isEqualTo(10);
    assertThat(account.figures().perKop()).isEmpty();
    assertThat(account.figures().nodes().get(1).readsPerSecond()).isEmpty();
    second("n1", 30);
    second("n2", 20);
    account.period(counts(20, 900, 0), 20 * SECOND);
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
    assertThat(account.figures().requests()).isZero();
    assertThat(account.figures().unknown()).isEqualTo(10);
    second("n1", 1);
    second("n2", 1);
    Map<String, Count> otherLife =
        Map.of("n1", new Count(8, 20 * SECOND, 2000, 0), "n2", count(20, 0, 0));
    account.period(otherLife, 20 * SECOND);
    assertThat(account.figures().requests()).as("a new connection may be a new process").isZero();
  }

  @Test
  void aGapOfTheMeterMakesThePeriodUnknown() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    account.row(row("n2", Double.NaN, true));
    account.period(counts(10, 100, 0), 10 * SECOND);
    ClusterFigures figures = account.figures();
    assertThat(figures.unknown()).isEqualTo(10);
    assertThat(figures.perKop()).isEmpty();
    assertThat(figures.watts()).isEmpty();
    assertThat(figures.nodes().get(1).unknownSeconds()).isEqualTo(1);
    account.gap();
    account.period(counts(20, 200, 0), 20 * SECOND);
    assertThat(account.figures().unknown()).isEqualTo(20);
  }

  @Test
  void aMeterThatSaysNothingMakesThePeriodUnknown() {
    account.period(counts(0, 0, 0), 0);
    second("n1", 30);
    second("n2", 30);
    account.period(counts(10, 100, 0), 10 * SECOND);
    second("n1", 30);
    account.period(counts(20, 200, 0), 20 * SECOND);
    ClusterFigures figures = account.figures();
    assertThat(figures.unknown()).isEqualTo(10);
    assertThat(figures.requests()).isEqualTo(100);
    assertThat(figures.nodes().get(0).watts()).hasValue(30);
    assertThat(figures.nodes().get(1).watts()).isEmpty();
  }

  @Test
  void withoutAMeterRequestsAreKnownAndJoulesAreNot() {
    ClusterAccount none = account(false);
    none.period(counts(0, 0, 0), 0);
    none.period(counts(10, 100, 0), 10 * SECOND);
    assertThat(none.figures().nodes().get(0).readsPerSecond()).hasValue(10);
    assertThat(none.figures().accounted()).isZero();
    assertThat(none.figures().watts()).isEmpty();
    assertThat(none.figures().whyNoMeter()).isEqualTo("none");
  }
}
