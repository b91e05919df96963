package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.calando.core.CpuSet;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.energy.PStates;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnergyEntriesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final PStates STATES = PStates.xeonSilver4114();
  private static final long FAST = 2_200_000;
  private static final long SLOW = 1_000_000;
  private static final Offset<Double> EXACT = within(1e-9);

  @TempDir Path proc;
  private FakeStat stat;

  @BeforeEach
  void aProcess() {
    stat = new FakeStat(proc).used(7, 3);
  }

  @Test
  void timeAtAClockIsChargedAtItsPowerBusyAndIdleApart() {
    EnergyLedger ledger = ledger(ManagedNode.of("n", CpuSet.of(0)));
    ledger.enter("n", 7, FAST, 1);
    stat.used(7, 7);
    ledger.enter("n", 7, SLOW, 10 * SECOND + 1);
    double slow = STATES.relativePower(1.0);
    EnergyReport.Node node = ledger.report().nodes().get("n");
    assertThat(node.time().seconds()).isCloseTo(10, within(1e-8));
    assertThat(node.time().busyAtFastest()).isCloseTo(4 * slow, EXACT);
    assertThat(node.time().idleAtFastest()).isCloseTo(6 * slow, within(1e-8));
    // At the fastest clock the same work would have been done in less of the same time.
    assertThat(node.atFastest().busyAtFastest()).isCloseTo(4 / 2.2, EXACT);
    assertThat(node.atFastest().idleAtFastest()).isCloseTo(10 - 4 / 2.2, within(1e-8));
  }

  @Test
  void theSavingIsThatOfConcertosArithmetic() {
    EnergyLedger ledger =
        ledger(ManagedNode.of("m", CpuSet.of(0)), ManagedNode.of("r", CpuSet.of(1)));
    stat.used(8, 0);
    ledger.enter("m", 7, FAST, 1);
    ledger.enter("r", 8, SLOW, 1);
    stat.used(7, 3 + 3);
    stat.used(8, 2.2);
    ledger.enter("m", 7, FAST, 10 * SECOND + 1);
    ledger.enter("r", 8, SLOW, 10 * SECOND + 1);
    // The table of docs/papers/concerto.md: 36 % with idle cores charged. A third of the master's
    // work at 2.2 times the
    // time, busy time only: (3 + 1 - 3 - 2.2 * 0.278) / 4.
    EnergyReport report = ledger.report();
    double slow = STATES.relativePower(1.0);
    assertThat(report.saving(new CorePower(0, 1))).isCloseTo((1 - slow) / 2, within(1e-6));
    assertThat(report.saving(new CorePower(0, 0))).isCloseTo((1 - 2.2 * slow) / 4, within(1e-6));
  }

  @Test
  void aProcessThatIsNotKnownCountsAsIdleAndAsUnknown() {
    EnergyLedger ledger = ledger(ManagedNode.of("n", CpuSet.of(0)));
    ledger.enter("n", 7, FAST, SECOND);
    assertThat(node(ledger).unknownSeconds()).isCloseTo(1, EXACT);
    stat.used(7, 3.5);
    ledger.enter("n", 7, FAST, 2 * SECOND);
    assertThat(node(ledger).unknownSeconds()).isCloseTo(1, EXACT);
    assertThat(node(ledger).time().busyAtFastest()).isCloseTo(0.5, EXACT);
    // Another process, then one of the same number with less time, then none.
    stat.used(8, 50);
    ledger.enter("n", 8, FAST, 3 * SECOND);
    stat.used(8, 1);
    ledger.enter("n", 8, FAST, 4 * SECOND);
    stat.end(8);
    ledger.enter("n", 8, FAST, 5 * SECOND);
    ledger.enter("n", 0, FAST, 6 * SECOND);
    assertThat(node(ledger).unknownSeconds()).isCloseTo(5, EXACT);
    assertThat(node(ledger).time().busyAtFastest()).isCloseTo(0.5, EXACT);
    assertThat(node(ledger).time().seconds()).isCloseTo(6, EXACT);
  }

  @Test
  void moreThanTheProcessorsTimeIsCutOff() {
    EnergyLedger ledger = ledger(ManagedNode.of("n", CpuSet.of(0)));
    ledger.enter("n", 7, FAST, 1);
    stat.used(7, 8);
    ledger.enter("n", 7, FAST, SECOND + 1);
    assertThat(node(ledger).time().busyAtFastest()).isCloseTo(1, within(1e-8));
    assertThat(node(ledger).time().idleAtFastest()).isCloseTo(0, within(1e-8));
  }

  @Test
  void clocksThatAreNotKnownOrAboveTheFastestCountAsTheFastest() {
    EnergyLedger ledger = ledger(ManagedNode.of("n", CpuSet.of(0)));
    ledger.enter("n", 7, 0, SECOND);
    ledger.enter("n", 7, 3_000_000, 2 * SECOND);
    assertThat(node(ledger).time().idleAtFastest()).isCloseTo(2, EXACT);
    assertThat(node(ledger).atFastest()).isEqualTo(node(ledger).time());
  }

  @Test
  void aProcessorOfTwoNodesIsChargedToEachByHalf() {
    EnergyLedger ledger =
        ledger(ManagedNode.of("a", CpuSet.of(0, 1)), ManagedNode.of("b", CpuSet.of(1)));
    ledger.enter("a", 0, FAST, 4 * SECOND);
    ledger.enter("b", 0, FAST, 4 * SECOND);
    assertThat(ledger.report().nodes().get("a").time().seconds()).isCloseTo(6, EXACT);
    assertThat(ledger.report().nodes().get("b").time().seconds()).isCloseTo(2, EXACT);
    assertThat(ledger.report().time().seconds()).isCloseTo(8, EXACT);
    assertThat(ledger.report().seconds()).isCloseTo(4, EXACT);
  }

  @Test
  void timeThatHasNotPassedAndNodesThatAreNotThereAreNotEntered() {
    EnergyLedger ledger = ledger(ManagedNode.of("n", CpuSet.of(0)));
    assertThat(ledger.report().saving(new CorePower(0, 1))).isNaN();
    ledger.enter("n", 7, FAST, 2 * SECOND);
    ledger.enter("n", 7, FAST, 2 * SECOND);
    ledger.enter("n", 7, FAST, SECOND);
    ledger.enter("other", 7, FAST, 9 * SECOND);
    assertThat(ledger.report().time()).isEqualTo(new CoreSeconds(2, 0, 2));
    assertThat(ledger.report().seconds()).isCloseTo(2, EXACT);
  }

  private EnergyLedger ledger(ManagedNode... nodes) {
    return new EnergyLedger(List.of(nodes), STATES, stat.cpu(), 0);
  }

  private static EnergyReport.Node node(EnergyLedger ledger) {
    return ledger.report().nodes().get("n");
  }
}
