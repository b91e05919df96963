package org.calando.sim.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.ShiftedNodes;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** Two nodes that hold the same, one of them on in gear 1, under a write each 10 ms. */
class SimGearsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeProfile PROFILE =
      new NodeProfile("test", 5, 50, 100, 4, 1, PowerCurve.linear(), 3, 70, "a test");
  private static final GearModel MODEL =
      GearModel.ofEqualNodes(List.of(1, 2), PROFILE, 100, 1, CatchUpModel.none(2));

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster =
      new SimCluster(
          simulation,
          ClusterConfig.builder(Topology.racks(2, 1), TokenRing.even(2, 2))
              .profile(PROFILE)
              .seed(7)
              .build());
  private final List<GearObservation> seen = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final int requester = cluster.register((tag, outcome, version) -> outcomes.add(outcome));
  private long version = 1;

  /** Gear 1 from second 10 to 20, and from 21 on, which is during the shift that began at 20. */
  private final GearPolicy policy =
      new GearPolicy() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public Step<GearState> decide(GearState state, GearObservation observation) {
          seen.add(observation);
          long second = observation.atNanos() / SECOND;
          int gear = (second >= 10 && second < 20) || second >= 21 ? 1 : 2;
          return new Step<>(
              state, List.of(new Setting<>(KnobId.GEAR, "cluster", gear)), List.of("a test"));
        }
      };

  private void write() {
    cluster.write(requester, 0, version % 100, version++, ConsistencyLevel.ONE);
    scheduler.at(simulation.nowNanos() + SECOND / 100, this::write);
  }

  private void runTo(double seconds) {
    boolean[] reached = new boolean[1];
    scheduler.at((long) (seconds * SECOND), () -> reached[0] = true);
    simulation.runWhile(() -> !reached[0]);
  }

  @Test
  void aShiftDownDrainsAndOneUpBootsAndCatchesUp() {
    cluster.load(0, 100, 1);
    write();
    SimGears gears =
        new SimGears(
            cluster,
            scheduler,
            new ShiftedNodes.Settings(SECOND, 60, 1000, 0),
            MODEL,
            policy,
            (decision, inForce) -> {});
    runTo(9.5);
    assertThat(gears.gear()).isEqualTo(2);
    runTo(10.5);
    // The node is out of service, and ends what it has.
    assertThat(gears.gear()).isEqualTo(1);
    assertThat(cluster.isSeenUp(1)).isFalse();
    assertThat(cluster.energy().isOn(1)).isTrue();
    runTo(19.5);
    assertThat(cluster.energy().isOn(1)).isFalse();
    double before = cluster.energy().joules(1, simulation.nowNanos());
    runTo(20.0 + 1e-6);
    assertThat(gears.gear()).isEqualTo(2);
    runTo(22.5);
    // Ordered to gear 1 meanwhile, and still booting.
    assertThat(gears.gear()).isEqualTo(2);
    assertThat(cluster.isServing(1)).isFalse();
    assertThat(gears.totals().bootJoules()).isCloseTo(2.5 * 70, within(1e-3));
    assertThat(cluster.energy().joules(1, simulation.nowNanos()) - before)
        .isCloseTo(0.5 * 5 + 2.5 * 70, within(0.01));
    runTo(24.5);
    assertThat(gears.gear()).isEqualTo(1);
    ShiftedNodes.Totals totals = gears.totals();
    assertThat(totals.shifts()).isEqualTo(3);
    assertThat(totals.bootJoules()).isCloseTo(3 * 70, within(1e-6));
    // 13 seconds of a hundred writes; hints come at most each millisecond once it is back.
    assertThat(totals.movedBytes()).isBetween(500_000.0, 1_310_000.0);
    assertThat(outcomes).containsOnly(Outcome.OK);
    gears.close();
  }

  @Test
  void aFixedGearIsThereBeforeTheLoad() {
    SimGears gears = fixed(cluster, 1);
    assertThat(gears.gear()).isEqualTo(1);
    assertThat(cluster.isSeenUp(1)).isFalse();
    assertThat(cluster.energy().isOn(1)).isFalse();
    runTo(5);
    assertThat(gears.gear()).isEqualTo(1);
    assertThat(gears.totals().shifts()).isZero();
    assertThat(cluster.energy().joules(1, simulation.nowNanos())).isCloseTo(25, within(1e-6));
    gears.close();
  }

  private SimGears fixed(SimCluster of, int gear) {
    return shifted(of, new FixedGearPolicy(gear));
  }

  private SimGears shifted(SimCluster of, GearPolicy by) {
    return new SimGears(
        of,
        scheduler,
        new ShiftedNodes.Settings(SECOND, 60, 1000, 0),
        MODEL,
        by,
        (decision, inForce) -> {});
  }

  @Test
  void aNodeServesBetweenTheOrderAndItsDrain() {
    ShiftCosts costs = new ShiftCosts(0, 1, 0, 0, 0, 3 * SECOND, 2 * SECOND, 0, 0, 0);
    SimCluster slow =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(2, 1), TokenRing.even(2, 2))
                .profile(PROFILE)
                .absences(Absences.DEFAULT.with(costs))
                .build());
    SimGears gears = shifted(slow, policy);
    runTo(12.5);
    assertThat(gears.gear()).isEqualTo(1);
    assertThat(slow.isOffByOrder(1)).isTrue();
    assertThat(slow.isServing(1)).isTrue();
    assertThat(slow.isSeenUp(1)).isTrue();
    runTo(14.5);
    assertThat(slow.isSeenUp(1)).isFalse();
    assertThat(slow.energy().isOn(1)).isTrue();
    runTo(15.5);
    assertThat(slow.energy().isOn(1)).isFalse();
    gears.close();
  }

  @Test
  void aPolicyIsToldTheLoadOfTheLastPeriodAndTheTimeOfTheWeek() {
    cluster.load(0, 100, 1);
    write();
    SimGears gears =
        new SimGears(
            cluster,
            scheduler,
            new ShiftedNodes.Settings(SECOND, 60, 1000, 0),
            MODEL,
            policy,
            (decision, inForce) -> {});
    runTo(9.5);
    gears.close();
    assertThat(seen).hasSize(10);
    assertThat(seen.get(0).load()).isEmpty();
    GearObservation last = seen.get(9);
    assertThat(last.localSeconds()).isEqualTo(9 * 60);
    assertThat(last.failedNodes()).isZero();
    Optional<GearObservation.Load> load = last.load();
    assertThat(load.orElseThrow().perSecond()).isCloseTo(100, within(1.0));
    assertThat(load.orElseThrow().writtenBytesPerSecond()).isCloseTo(100_000, within(1000.0));
  }
}
