package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.CpuSet;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.energy.PStates;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnergyLedgerTest {
  private static final PStates STATES = PStates.xeonSilver4114();
  private static final CorePower POWER = new CorePower(0, 0);
  private static final double SLOW_POWER = STATES.relativePower(1.0);
  private static final long SLOW_KHZ = 1_000_000;
  private static final long SECOND = 1_000_000_000L;
  private static final Offset<Double> NEARLY = within(1e-9);
  private static final int PID = 17;
  private static final CpuSet OWN = CpuSet.of(1);
  private static final CpuSet FAST = CpuSet.of(4);

  @TempDir Path proc;

  @BeforeEach
  void aProcessThatDidNothing() throws IOException {
    cpuTime(PID, 0, 0);
  }

  /** CPU time of a process with a main thread and two I/O threads, in hundredths of a second. */
  private void cpuTime(int pid, long total, long io) throws IOException {
    Path process = proc.resolve(String.valueOf(pid));
    thread(process, pid, "redis-server", (total - io) * 10_000_000);
    thread(process, pid + 1, "io_thd_1", io * 4_000_000);
    thread(process, pid + 2, "io_thd_2", io * 6_000_000);
    Files.writeString(
        process.resolve("stat"),
        "%d (redis-server) S 1 1 1 0 -1 1 0 0 0 0 %d %d 0 0 0 0 0 0 0 0 0"
            .formatted(pid, total - 1, 1));
  }

  private static void thread(Path process, int tid, String name, long nanos) throws IOException {
    Path folder = Files.createDirectories(process.resolve("task/" + tid));
    Files.writeString(folder.resolve("comm"), name + "\n");
    Files.writeString(folder.resolve("schedstat"), nanos + " 5 7\n");
  }

  private EnergyLedger ledger(ManagedNode... nodes) {
    return new EnergyLedger(List.of(nodes), STATES, new ProcessCpu(proc), 0);
  }

  private static CoreSeconds offload(EnergyReport report) {
    return report.nodes().values().stream()
        .map(EnergyReport.Node::offload)
        .reduce(CoreSeconds.NONE, CoreSeconds::plus);
  }

  private static EnergyReport.Node only(EnergyLedger ledger) {
    return ledger.report().nodes().values().iterator().next();
  }

  @Test
  void withoutOffloadAllOfAProcessIsChargedAtItsClock() throws IOException {
    EnergyLedger ledger = ledger(ManagedNode.pinned("r1", OWN));
    ledger.enter("r1", PID, SLOW_KHZ, 1);
    cpuTime(PID, 600, 200);
    ledger.enter("r1", PID, SLOW_KHZ, 10 * SECOND + 1);
    EnergyReport report = ledger.report();
    assertThat(offload(ledger.report())).isEqualTo(CoreSeconds.NONE);
    assertThat(POWER.joules(report.time(), 1)).isCloseTo(6 * SLOW_POWER, within(1e-6));
    assertThat(POWER.joules(report.atFastest(), 1)).isCloseTo(6 / 2.2, within(1e-6));
  }

  @Test
  void ioThreadsAreChargedAtTheFastCoresPower() throws IOException {
    EnergyLedger ledger = ledger(ManagedNode.pinned("r1", OWN).offloading(FAST));
    ledger.enter("r1", PID, SLOW_KHZ, 1);
    cpuTime(PID, 600, 200);
    ledger.enter("r1", PID, SLOW_KHZ, 10 * SECOND + 1);
    EnergyReport.Node node = only(ledger);
    // Four seconds of the main thread on the slow core, two of the others on the fast one.
    assertThat(POWER.joules(node.time(), 1)).isCloseTo(4 * SLOW_POWER, within(1e-6));
    assertThat(POWER.joules(node.offload(), 1)).isCloseTo(2, within(1e-6));
    assertThat(POWER.joules(ledger.report().time(), 1)).isCloseTo(4 * SLOW_POWER + 2, within(1e-6));
    // All on one fast core instead: the main thread's work takes less time there, theirs as much.
    assertThat(POWER.joules(node.atFastest(), 1)).isCloseTo(4 / 2.2 + 2, within(1e-6));
  }

  @Test
  void whereIdleCoresAreChargedTheFastCoreIsChargedInFull() throws IOException {
    CorePower charged = POWER.idleCharged();
    EnergyLedger ledger = ledger(ManagedNode.pinned("r1", OWN).offloading(FAST));
    ledger.enter("r1", PID, SLOW_KHZ, 1);
    cpuTime(PID, 600, 200);
    ledger.enter("r1", PID, SLOW_KHZ, 10 * SECOND + 1);
    EnergyReport report = ledger.report();
    assertThat(charged.joules(offload(ledger.report()), 1)).isCloseTo(10, within(1e-6));
    assertThat(charged.joules(report.atFastest(), 1)).isCloseTo(10, within(1e-6));
    // A core more than without: off-load costs more than slow replicas save, with one of them.
    assertThat(report.saving(charged)).isCloseTo(-SLOW_POWER, within(1e-6));
    assertThat(report.saving(POWER))
        .isCloseTo(1 - (4 * SLOW_POWER + 2) / (4 / 2.2 + 2), within(1e-6));
  }

  @Test
  void aFastCoreOfSeveralNodesIsChargedOnce() throws IOException {
    cpuTime(PID + 10, 0, 0);
    EnergyLedger ledger =
        ledger(
            ManagedNode.pinned("r1", OWN).offloading(FAST),
            ManagedNode.pinned("r2", CpuSet.of(2)).offloading(FAST));
    ledger.enter("r1", PID, SLOW_KHZ, 10 * SECOND);
    ledger.enter("r2", PID + 10, SLOW_KHZ, 10 * SECOND);
    assertThat(offload(ledger.report()).seconds()).isCloseTo(10, NEARLY);
    assertThat(POWER.idleCharged().joules(offload(ledger.report()), 1)).isCloseTo(10, NEARLY);
    assertThat(POWER.joules(offload(ledger.report()), 1)).isZero();
  }

  @Test
  void ticksThatAreBehindTheThreadsCountNothingTwice() throws IOException {
    EnergyLedger ledger = ledger(ManagedNode.pinned("r1", OWN).offloading(FAST));
    long at = SECOND;
    ledger.enter("r1", PID, SLOW_KHZ, at);
    long io = 0;
    for (int tick = 1; tick <= 100; tick++) {
      // Nothing but I/O threads, whose ticks the process counts one late.
      io++;
      cpuTime(PID, io, io);
      Files.writeString(
          proc.resolve(PID + "/stat"),
          "%d (redis-server) S 1 1 1 0 -1 1 0 0 0 0 %d 0 0 0 0 0 0 0 0 0 0"
              .formatted(PID, tick % 2 == 0 ? io : io - 1));
      at += SECOND / 10;
      ledger.enter("r1", PID, SLOW_KHZ, at);
    }
    EnergyReport.Node node = only(ledger);
    assertThat(node.offload().busyAtFastest()).isCloseTo(1, within(1e-6));
    assertThat(node.time().busyAtFastest()).isZero();
    assertThat(node.unknownSeconds()).isCloseTo(1, NEARLY);
  }

  @Test
  void anotherProcessBeginsItsOwnAccount() throws IOException {
    EnergyLedger ledger = ledger(ManagedNode.pinned("r1", OWN).offloading(FAST));
    ledger.enter("r1", PID, SLOW_KHZ, SECOND);
    cpuTime(PID + 10, 900, 300);
    ledger.enter("r1", PID + 10, SLOW_KHZ, 2 * SECOND);
    assertThat(only(ledger).time().busyAtFastest()).isZero();
    assertThat(only(ledger).unknownSeconds()).isCloseTo(2, NEARLY);
    cpuTime(PID + 10, 950, 330);
    ledger.enter("r1", PID + 10, SLOW_KHZ, 3 * SECOND);
    assertThat(only(ledger).time().busyAtFastest()).isCloseTo(0.2 * SLOW_POWER, within(1e-6));
    assertThat(offload(ledger.report()).busyAtFastest()).isCloseTo(0.3, within(1e-6));
    ledger.enter("r1", PID + 99, SLOW_KHZ, 4 * SECOND);
    assertThat(only(ledger).unknownSeconds()).isCloseTo(3, NEARLY);
  }
}
