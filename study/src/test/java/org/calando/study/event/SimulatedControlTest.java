package org.calando.study.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** Events of nodes that are switched, where shifts cost something. */
class SimulatedControlTest {
  private static final long SECOND = 1_000_000_000L;

  private final Simulation simulation = new Simulation();
  private final SimCluster cluster =
      new SimCluster(
          simulation,
          ClusterConfig.builder(Topology.racks(3, 3), TokenRing.even(3, 3))
              .absences(
                  Absences.DEFAULT.with(new ShiftCosts(0, 1, 0, 0, 0, 0, 2 * SECOND, SECOND, 0, 0)))
              .build());
  private final SimulatedControl control =
      new SimulatedControl(cluster, new SimScheduler(simulation));

  @Test
  void aNodeThatIsSwitchedOffStopsFirst() {
    control.switchOff("n2");
    simulation.runUntil(SECOND);
    assertThat(cluster.isSeenUp(1)).isFalse();
    assertThat(cluster.energy().isOn(1)).isTrue();
    simulation.runUntil(3 * SECOND);
    assertThat(cluster.energy().isOn(1)).isFalse();
    assertThat(cluster.energy().busyNanos(1, simulation.nowNanos()))
        .isBetween(9 * SECOND / 10, SECOND);
  }

  @Test
  void aNodeThatIsSwitchedOnWhileItStopsComesBack() {
    control.switchOff("n2");
    simulation.runUntil(SECOND);
    control.switchOn("n2");
    simulation.runUntil(600 * SECOND);
    assertThat(control.takesRequests("n2")).isTrue();
    assertThat(cluster.isSeenUp(1)).isTrue();
  }
}
