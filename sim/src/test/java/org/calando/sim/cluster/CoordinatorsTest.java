package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.calando.sim.kernel.Distribution;
import org.junit.jupiter.api.Test;

/** Who coordinates. */
class CoordinatorsTest {
  /** As a driver does, whose turns are those of the nodes that are up. */
  @Test
  void nodesThatAreDownLeaveTheirTurnsToAllOthersAlike() {
    ClusterConfig config =
        ClusterConfig.builder(Topology.racks(9, 3), TokenRing.even(9, 3))
            .coordinators(CoordinatorChoice.ROUND_ROBIN)
            .build();
    boolean[] up = new boolean[9];
    Arrays.fill(up, 0, 3, true);
    Coordinators coordinators = new Coordinators(config, up);
    int[] turns = new int[9];
    for (int i = 0; i < 900; i++) {
      turns[coordinators.of(true, new int[] {6, 7, 8})]++;
    }
    assertThat(turns).containsExactly(300, 300, 300, 0, 0, 0, 0, 0, 0);
  }

  /** A node that starts gets its hints, and nothing from clients. */
  @Test
  void nodesThatAreKeptFromClientsAreNoMastersAndNotRead() {
    ClusterConfig config =
        ClusterConfig.builder(Topology.racks(3, 3), TokenRing.even(3, 3))
            .masterReplica(new MasterReplica(Distribution.NONE, MasterReplica.From.ANY))
            .build();
    boolean[] up = {true, true, true};
    Coordinators coordinators = new Coordinators(config, up);
    int[] replicas = {0, 1, 2};
    coordinators.hold(0, true);
    assertThat(coordinators.master(replicas)).isEqualTo(1);
    for (int i = 0; i < 50; i++) {
      assertThat(coordinators.of(true, replicas)).isPositive();
    }
    coordinators.setBehind(1, true);
    coordinators.setBehind(2, true);
    assertThat(coordinators.master(replicas)).isEqualTo(1);
    coordinators.hold(0, false);
    assertThat(coordinators.master(replicas)).isZero();
  }
}
