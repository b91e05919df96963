package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.ArrayList;
import java.util.List;
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
          1,
          200,
          5 * SECOND,
          2 * SECOND,
          SECOND,
          SECOND,
          SECOND / 2,
          100 * MICRO,
          200 * MICRO,
          300 * MICRO);

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
    assertThat(all).isCloseTo(0.5 + 2 + counts.hintsKept() * 600e-6, within(1e-6));
    assertThat(busySeconds(cluster, LAST) - stopped)
        .isCloseTo(2 + counts.hintsDelivered() * 300e-6, within(1e-3));
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
    ShiftCosts cold = new ShiftCosts(1.5, 200, 0, 0, 0, SECOND, 0, 0, 0, 0);
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
