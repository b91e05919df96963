package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.clock.Drift;
import org.calando.clock.FakeMachine;
import org.calando.clock.FakeTree;
import org.calando.clock.MachineLease;
import org.calando.clock.MemoryFolder;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions of the policy concerto, lowered without waiting, on clocks and processes of files. */
class ManagerCycleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int M = 100;
  private static final int R = 101;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final FakeRoles roles = new FakeRoles();
  private final Heard heard = new Heard();
  private FakeMachine machine;
  private FakeStat stat;
  private MachineLease lease;
  private EnergyLedger ledger;
  private PolicyLoop<ClockState> loop;
  private ManagerCycle cycle;

  @BeforeEach
  void aMasterAndAReplica() {
    machine = new FakeMachine(folder, FakeTree.Kind.ACPI_CPUFREQ, 3);
    process(M, 0);
    process(R, 0);
    stat = new FakeStat(folder.resolve("stat")).used(M, 0).used(R, 0);
    lease = machine.begin();
    List<ManagedNode> nodes = List.of(node("m", 0), node("r", 1));
    Map<String, CpuSet> cpus = new TreeMap<>();
    nodes.forEach(node -> cpus.put(node.name(), node.cpus()));
    NodeClocks clocks = lease.clocks(cpus);
    ledger = new EnergyLedger(nodes, PStates.xeonSilver4114(), stat.cpu(), 0);
    ClockPolicy policy = new ConcertoPolicy(ClockLimits.defaults().withWaits(0, 0));
    loop = new PolicyLoop<>(policy, ClockObservation.TARGET);
    cycle =
        new ManagerCycle(
            ManagerConfig.of(nodes, policy, PStates.xeonSilver4114()).withListener(heard),
            loop,
            clocks,
            Optional.of(lease.threads()),
            roles::watch,
            ledger,
            () -> 0);
    machine.kernel.writes.clear();
    usual(0);
  }

  @AfterEach
  void endTheLease() {
    lease.close();
  }

  @Test
  void theReplicaIsLoweredAndTheMasterStaysFast() {
    decide(0);
    assertThat(heard.set()).containsExactly("m 2200", "r 1000");
    assertThat(machine.kernel.writes).containsExactly("policy1/scaling_setspeed=1000000");
  }

  @Test
  void whatIsAsDecidedIsNotSetAgain() {
    decide(0);
    decide(SECOND);
    assertThat(heard.decisions()).isEqualTo(2);
    assertThat(heard.set()).hasSize(2);
    assertThat(machine.kernel.writes).hasSize(1);
  }

  @Test
  void whoBecomesTheMasterIsRaisedBeforeTheOtherIsLowered() {
    decide(0);
    machine.kernel.writes.clear();
    roles.replica("m", M, SECOND).master("r", R, SECOND);
    decide(SECOND);
    assertThat(machine.kernel.writes)
        .containsExactly("policy1/scaling_setspeed=2200000", "policy0/scaling_setspeed=1000000");
  }

  @Test
  void nodesThatAreNotManagedArePassedOver() {
    roles.replica("stranger", 7, 0);
    decide(0);
    cycle.account(SECOND);
    assertThat(heard.set()).containsExactly("m 2200", "r 1000");
    assertThat(ledger.report().nodes()).containsOnlyKeys("m", "r");
    assertThat(heard.troubles()).isEmpty();
  }

  @Test
  void aClockThatIsRefusedIsToldAndSetAtTheNextLook() {
    machine.kernel.refuse.add("policy1/scaling_setspeed");
    decide(0);
    assertThat(heard.troubles()).singleElement().asString().contains("clock of r", "Invalid");
    machine.kernel.refuse.clear();
    cycle.verify();
    assertThat(machine.tree.get(1, "scaling_setspeed")).isEqualTo("1000000");
    assertThat(heard.drifts())
        .extracting(Drift::words)
        .containsExactly("policy1: set, after it could not be set before");
    assertThat(heard.drifts().get(0).outcome().orElseThrow().readKHz()).isEqualTo(1_000_000);
  }

  @Test
  void aClockThatSomebodyElseChangedIsToldAndSetAgain() {
    decide(0);
    cycle.verify();
    assertThat(heard.drifts()).isEmpty();
    machine.tree.put(0, "scaling_setspeed", "1400000");
    cycle.verify();
    assertThat(heard.drifts())
        .extracting(Drift::words)
        .containsExactly(
            "policy0 was changed from setspeed=2200000 to setspeed=1400000, not by its owner: set again");
    assertThat(machine.tree.get(0, "scaling_setspeed")).isEqualTo("2200000");
    cycle.verify();
    assertThat(heard.drifts()).hasSize(1);
  }

  @Test
  void aThreadThatSomebodyElseMovedIsReportedAndMovedBack() {
    decide(0);
    machine.proc.thread(R, R + 1000, "io_thd_1", "0", 0);
    cycle.verify();
    cycle.verify();
    assertThat(heard.drifts())
        .extracting(Drift::words)
        .containsExactly(
            "thread 1101 of process 101 was changed from processors 2 to processors 0, not by"
                + " its owner: moved back");
    assertThat(machine.proc.cpus(R, R + 1000)).isEqualTo("2");
  }

  @Test
  void whenItCannotBeDecidedAllAreFastUntilItCan() {
    decide(0);
    cycle.raiseAll();
    assertThat(machine.tree.get(1, "scaling_setspeed")).isEqualTo("2200000");
    // What was decided last is forgotten, or the replica would stay fast.
    decide(SECOND);
    assertThat(machine.tree.get(1, "scaling_setspeed")).isEqualTo("1000000");
  }

  @Test
  void threadsArePlacedByTheirNodesRole() {
    decide(0);
    assertThat(machine.proc.cpus(M, M)).isEqualTo("0");
    assertThat(machine.proc.cpus(R, R)).isEqualTo("1");
    assertThat(machine.proc.cpus(R, R + 1000)).as("I/O thread of a replica").isEqualTo("2");
    roles.replica("m", M, SECOND).master("r", R, SECOND);
    decide(SECOND);
    assertThat(machine.proc.cpus(M, M + 1000)).isEqualTo("2");
    assertThat(machine.proc.cpus(R, R + 1000)).as("I/O thread of a master").isEqualTo("1");
  }

  @Test
  void aThreadThatCannotBeMovedIsToldOnceAndTriedAtTheNextLook() {
    machine.proc.stuck.add(R);
    decide(0);
    cycle.verify();
    decide(SECOND);
    assertThat(heard.troubles()).singleElement().asString().contains("threads of r");
    assertThat(machine.tree.get(1, "scaling_setspeed")).isEqualTo("1000000");
    machine.proc.stuck.clear();
    cycle.verify();
    decide(2 * SECOND);
    assertThat(machine.proc.cpus(R, R)).isEqualTo("1");
    assertThat(heard.drifts()).isEmpty();
    assertThat(heard.troubles()).hasSize(1);
  }

  @Test
  void aNodeThatStartsAnewIsPlacedAnew() {
    decide(0);
    process(R + 1, 1);
    roles.replica("r", R + 1, SECOND);
    decide(SECOND);
    assertThat(machine.proc.cpus(R + 1, R + 1)).isEqualTo("1");
  }

  @Test
  void threadsBornLaterArePlacedAtTheNextLook() {
    decide(0);
    machine.proc.thread(R, 2 * R, "io_thd_2", "1", 0);
    cycle.verify();
    assertThat(machine.proc.cpus(R, 2 * R)).isEqualTo("2");
  }

  @Test
  void timeUpToAChangeIsChargedAtTheClockBeforeIt() {
    cycle.account(1);
    stat.used(M, 2).used(R, 1);
    usual(10 * SECOND);
    decide(10 * SECOND + 1);
    assertThat(ledger.report().nodes().get("r").time().busyAtFastest()).isEqualTo(1);
    stat.used(M, 4).used(R, 2);
    cycle.account(20 * SECOND + 1);
    double slow = PStates.xeonSilver4114().relativePower(1.0);
    assertThat(ledger.report().nodes().get("r").time().busyAtFastest()).isEqualTo(1 + slow);
    assertThat(ledger.report().nodes().get("m").time().busyAtFastest()).isEqualTo(4);
  }

  /** As the control loop does. */
  private void decide(long nowNanos) {
    cycle.act(loop.decide(cycle.look(nowNanos).orElseThrow()), nowNanos);
  }

  private void usual(long atNanos) {
    roles.master("m", M, atNanos).replica("r", R, atNanos);
  }

  private void process(int pid, int start) {
    machine
        .proc
        .process(pid, start)
        .thread(pid, pid, "redis-server", "0-2", 0)
        .thread(pid, pid + 1000, "io_thd_1", "0-2", 0);
  }

  /** Its own processor for all threads; answers of a replica are sent by a fast one, 2. */
  private static ManagedNode node(String name, int cpu) {
    ThreadRule own = new ThreadRule(ThreadRule.ANY, CpuSet.of(cpu));
    ThreadRule io = new ThreadRule("io_thd_*", CpuSet.of(2));
    return new ManagedNode(name, CpuSet.of(cpu), List.of(own), List.of(io, own));
  }
}
