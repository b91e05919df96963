package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.store.Outcome;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes pay for being switched off and on. */
class ShiftCostsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MICRO = 1_000;
  private static final int LAST = 2;
  private static final NodeProfile PROFILE =
      new NodeProfile("test", 5, 50, 100, 4, 1, PowerCurve.linear(), 2, 70, "a test");

  /** No work of operations, so that all core time is that of shifts. */
  private static final ShiftCosts COSTS =
      new ShiftCosts(
          1, 200, 5 * SECOND, 2 * SECOND, SECOND, 0, SECOND, SECOND / 2, 100 * MICRO, 200 * MICRO);

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final List<Outcome> outcomes = new ArrayList<>();
  private long version = 1;

  private static ClusterConfig.Builder config(int nodes, ServiceTimes services, ShiftCosts costs) {
    return ClusterConfig.builder(Topology.racks(nodes, nodes), TokenRing.even(nodes, nodes))
        .profile(PROFILE)
        .services(services)
        .absences(Absences.DEFAULT.with(costs))
        .seed(7);
  }

  private void write(SimCluster cluster, int requester) {
    cluster.write(requester, 0, version % 100, version++, ONE);
    scheduler.at(simulation.nowNanos() + SECOND / 100, () -> write(cluster, requester));
  }

  private void runTo(double seconds) {
    simulation.runUntil(Math.round(seconds * SECOND));
  }

  private double busySeconds(SimCluster cluster, int node) {
    return cluster.energy().busyNanos(node, simulation.nowNanos()) / 1e9;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeGoesStartsIsKeptFromClientsGetsItsHintsAndThenServes(boolean staged) {
    ClusterConfig.Builder config = config(3, NoWork.services(), COSTS);
    if (staged) {
      config.stages(new NodeStages(128, 1, 8, 8, 2, Distribution.NONE));
    }
    SimCluster cluster = new SimCluster(simulation, config.build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    write(cluster, requester);
    runTo(1);
    cluster.drain(LAST);
    runTo(1.95);
    assertThat(busySeconds(cluster, LAST)).isCloseTo(0.49, within(0.02));
    runTo(2);
    cluster.switchOff(LAST);
    double stopped = busySeconds(cluster, LAST);
    runTo(12);
    cluster.switchOn(LAST);
    long before = cluster.coordinated(requester, LAST, false);
    runTo(13.9);
    assertThat(busySeconds(cluster, LAST)).isEqualTo(stopped);
    runTo(18.9);
    // Machine on at 14, process up at 19.
    assertThat(busySeconds(cluster, LAST) - stopped).isCloseTo(0.98 * 2, within(0.05));
    assertThat(cluster.isSeenUp(LAST)).isFalse();
    assertThat(cluster.isServing(LAST)).isFalse();
    runTo(19.5);
    assertThat(cluster.isSeenUp(LAST)).isTrue();
    assertThat(cluster.isServing(LAST)).isFalse();
    assertThat(cluster.counts().hintsWaiting()).isPositive();
    assertThat(cluster.coordinated(requester, LAST, false)).isEqualTo(before);
    runTo(25);
    assertThat(cluster.isServing(LAST)).isTrue();
    assertThat(cluster.coordinated(requester, LAST, false)).isGreaterThan(before + 100);
    // 18 s of a hundred writes, of each of which somebody kept a hint and sent it.
    ClusterCounts counts = cluster.counts();
    assertThat(counts.hintsKept()).isBetween(1790L, 1810L).isEqualTo(counts.hintsDelivered());
    double all = busySeconds(cluster, 0) + busySeconds(cluster, 1) + busySeconds(cluster, LAST);
    assertThat(all).isCloseTo(0.5 + 2 + counts.hintsKept() * 300e-6, within(1e-6));
    assertThat(busySeconds(cluster, LAST) - stopped).isCloseTo(2, within(1e-3));
    assertThat(outcomes).containsOnly(Outcome.OK);
    for (int key = 0; key < 100; key++) {
      assertThat(cluster.versionAt(key, LAST)).isPositive();
    }
  }

  @Test
  void aNodeThatGoesAgainWhileItStartsIsNotOpenedByWhatItLeftBehind() {
    SimCluster cluster = new SimCluster(simulation, config(3, NoWork.services(), COSTS).build());
    cluster.switchOff(LAST);
    cluster.switchOn(LAST);
    runTo(4);
    cluster.switchOff(LAST);
    cluster.switchOn(LAST);
    runTo(8.5);
    assertThat(cluster.isSeenUp(LAST)).isFalse();
    // On at 4, booted at 6, started at 11, proved at 12.
    runTo(11.5);
    assertThat(cluster.isSeenUp(LAST)).isTrue();
    assertThat(cluster.isServing(LAST)).isFalse();
    runTo(12.5);
    assertThat(cluster.isServing(LAST)).isTrue();
  }

  @Test
  void workTakesLongerUntilANodeHasDoneMuchOfIt() {
    Distribution none = Distribution.NONE;
    Distribution milli = Distribution.constant(1_000_000);
    ServiceTimes writes =
        new ServiceTimes(none, none, none, none, none, none, milli, none, none, 0, 1);
    ShiftCosts cold = new ShiftCosts(1.5, 200, 0, 0, 0, 0, SECOND, 0, 0, 0);
    SimCluster cluster = new SimCluster(simulation, config(1, writes, cold).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    write(cluster, requester);
    runTo(1);
    assertThat(busySeconds(cluster, 0)).isCloseTo(0.1, within(2e-3));
    cluster.switchOff(0);
    cluster.switchOn(0);
    runTo(3.005);
    double before = busySeconds(cluster, 0);
    long written = cluster.counts().replicaWrites();
    runTo(13.005);
    double expected = 0;
    long count = cluster.counts().replicaWrites() - written;
    for (int i = 0; i < count; i++) {
      expected += 1e-3 * (1 + 1.5 * Math.exp(-i / 200.0));
    }
    assertThat(count).isBetween(990L, 1001L);
    assertThat(busySeconds(cluster, 0) - before).isCloseTo(expected, within(5e-3));
  }

  @Test
  void hintsWarmANodeAsWritesDo() {
    Distribution none = Distribution.NONE;
    Distribution milli = Distribution.constant(1_000_000);
    ServiceTimes writes =
        new ServiceTimes(none, none, none, none, none, none, milli, none, none, 0, 1);
    ShiftCosts cold = new ShiftCosts(1.5, 200, 0, 0, 0, 0, SECOND, 0, 0, 0);
    SimCluster cluster = new SimCluster(simulation, config(2, writes, cold).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.switchOff(1);
    writeSome(cluster, requester, 400);
    runTo(10);
    cluster.switchOn(1);
    runTo(20);
    double expected = 0;
    for (int i = 0; i < 400; i++) {
      expected += 1e-3 * (1 + 1.5 * Math.exp(-i / 200.0));
    }
    assertThat(cluster.counts().hintsDelivered()).isEqualTo(400);
    assertThat(busySeconds(cluster, 1)).isCloseTo(expected, within(5e-3));
  }

  private void writeSome(SimCluster cluster, int requester, int count) {
    for (int i = 0; i < count; i++) {
      cluster.write(requester, 0, version % 100, version++, ONE);
    }
  }

  /** As of a shift from gear 3 to 1, to 2 and to 3. */
  @Test
  void aReturnDoesNotWaitForHintsThatNodesKeepWhichAreOff() {
    SimCluster cluster = new SimCluster(simulation, config(3, NoWork.services(), COSTS).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    write(cluster, requester);
    cluster.switchOff(1);
    runTo(5);
    // It has kept half of the hints for the other.
    cluster.switchOff(LAST);
    runTo(6);
    cluster.switchOn(1);
    runTo(17);
    assertThat(cluster.isServing(1)).isTrue();
    assertThat(cluster.counts().hintsWaiting()).isPositive();
    runTo(20);
    cluster.switchOn(LAST);
    runTo(40);
    assertThat(cluster.isServing(LAST)).isTrue();
    assertThat(cluster.counts().hintsWaiting()).isZero();
    ClusterCounts counts = cluster.counts();
    assertThat(counts.hintsKept()).isEqualTo(counts.hintsDelivered());
  }

  @Test
  void aNodeIsProvedAnewIfHintsWaitForItThen() {
    ShiftCosts slow = new ShiftCosts(0, 1, 5 * SECOND, 0, 4 * SECOND, 0, SECOND, 0, 0, 0);
    SimCluster cluster =
        new SimCluster(
            simulation,
            config(3, NoWork.services(), slow)
                .absences(new Absences(1 << 20, SECOND / 20, Optional.of(slow)))
                .timeoutNanos(2 * SECOND, 2 * SECOND)
                .build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.switchOff(LAST);
    cluster.switchOn(LAST);
    // Booted at 2, started at 7, to be proved at 11.
    runTo(8);
    cluster.delayLinks((from, to) -> to == LAST ? 3 * SECOND : 0);
    writeSome(cluster, requester, 40);
    runTo(9);
    cluster.delayLinks((from, to) -> 0);
    runTo(11.5);
    assertThat(cluster.counts().hintsWaiting()).isPositive();
    assertThat(cluster.isServing(LAST)).isFalse();
    runTo(15);
    assertThat(cluster.counts().hintsWaiting()).isZero();
    assertThat(cluster.isServing(LAST)).isFalse();
    runTo(18);
    assertThat(cluster.isServing(LAST)).isTrue();
  }

  @Test
  void nothingIsLeftOfAReturnDuringWhichTheNodeFailed() {
    SimCluster cluster = new SimCluster(simulation, config(3, NoWork.services(), COSTS).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.switchOff(LAST);
    cluster.switchOn(LAST);
    runTo(3);
    cluster.fail(LAST);
    cluster.recover(LAST);
    double before = busySeconds(cluster, LAST);
    runTo(20);
    assertThat(cluster.isServing(LAST)).isTrue();
    assertThat(busySeconds(cluster, LAST)).isEqualTo(before);
    // Now it fails, which costs nobody anything.
    write(cluster, requester);
    cluster.fail(LAST);
    runTo(40);
    assertThat(cluster.counts().hintsKept()).isPositive();
    cluster.recover(LAST);
    runTo(60);
    assertThat(cluster.counts().hintsDelivered()).isPositive();
    assertThat(busySeconds(cluster, 0) + busySeconds(cluster, 1)).isZero();
  }

  /** Hints kept are paid for, also where a return takes no time; those without room are not. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 10})
  void hintsAreChargedWhereTheyAreKept(int room) {
    ShiftCosts hints = new ShiftCosts(0, 1, 0, 0, 0, 0, SECOND, 0, 100 * MICRO, 200 * MICRO);
    SimCluster cluster =
        new SimCluster(
            simulation,
            config(3, NoWork.services(), hints)
                .absences(new Absences(room, 1_000_000, Optional.of(hints)))
                .build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.switchOff(LAST);
    writeSome(cluster, requester, 100);
    runTo(5);
    cluster.switchOn(LAST);
    runTo(10);
    ClusterCounts counts = cluster.counts();
    assertThat(counts.hintsDelivered()).isEqualTo(Math.min(room, 100));
    assertThat(busySeconds(cluster, 0) + busySeconds(cluster, 1))
        .isCloseTo(counts.hintsDelivered() * 300e-6, within(1e-9));
    // What comes later is not of the shift.
    cluster.fail(LAST);
    writeSome(cluster, requester, 100);
    runTo(30);
    assertThat(busySeconds(cluster, 0) + busySeconds(cluster, 1))
        .isCloseTo(counts.hintsDelivered() * 300e-6, within(1e-9));
  }

  @Test
  void nodesThatWereOffFromTheStartOnCostOthersNothing() {
    SimCluster cluster = new SimCluster(simulation, config(3, NoWork.services(), COSTS).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.beginOff(LAST);
    writeSome(cluster, requester, 100);
    runTo(5);
    assertThat(cluster.counts().hintsKept()).isEqualTo(100);
    assertThat(busySeconds(cluster, 0) + busySeconds(cluster, 1)).isZero();
  }

  @Test
  void hintsThatWaitForOthersAreNotPolledFor() {
    SimCluster cluster = new SimCluster(simulation, config(3, NoWork.services(), COSTS).build());
    int requester = cluster.register((tag, outcome, read) -> outcomes.add(outcome));
    cluster.switchOff(LAST);
    writeSome(cluster, requester, 100);
    runTo(1);
    cluster.switchOn(LAST);
    // Booted at 3, started at 8.
    runTo(7.9);
    cluster.delayLinks((from, to) -> to == LAST ? 3 * SECOND : 0);
    runTo(8.5);
    int events = 0;
    while (simulation.nowNanos() < 10 * SECOND && simulation.step()) {
      events++;
    }
    assertThat(events).isLessThan(10);
    runTo(40);
    assertThat(cluster.counts().hintsDelivered()).isEqualTo(100);
    assertThat(cluster.isServing(LAST)).isTrue();
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> new ShiftCosts(-1, 1, 0, 0, 0, 0, 0, 0, 0, 0))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new ShiftCosts(1, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new ShiftCosts(1, 1, 0, 0, 0, 0, 0, -1, 0, 0))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("-1 ns");
  }
}
