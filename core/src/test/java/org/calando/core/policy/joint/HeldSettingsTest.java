package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.junit.jupiter.api.Test;

class HeldSettingsTest {
  private static final double EXACT = 1e-9;
  private static final NodeProfile PROFILE =
      new NodeProfile("xeon", 8, 75, 150, 4, 1, PowerCurve.linear(), 5, 110, "test");
  private static final HeldSettings HELD =
      new HeldSettings(
          new JointCluster(
              3,
              2,
              List.of(3, 6, 9),
              List.of(1, 2, 3),
              PROFILE,
              new CoreClocks(List.of(2_000_000L, 1_000_000L), List.of(1.0, 0.3), 0.25),
              1,
              new WorkCosts(0.0006, 0.00001, 0.0024, 0.0005, 0.0005)));

  @Test
  void fewerNodesSlowerClocksAndFewerReplicasDrawLess() {
    double all = HELD.of(700, 300, 3, 0, 2).watts();
    assertThat(HELD.of(700, 300, 2, 0, 2).watts()).isLessThan(all);
    assertThat(HELD.of(700, 300, 3, 1, 2).watts()).isLessThan(all);
    assertThat(HELD.of(700, 300, 3, 0, 1).watts()).isLessThan(all);
    assertThat(HELD.of(700, 300, 3, 1, 2).p99Seconds())
        .isGreaterThan(HELD.of(700, 300, 3, 0, 2).p99Seconds());
    assertThat(HELD.of(70_000, 30_000, 1, 1, 1).busyShare()).isGreaterThan(1);
  }

  @Test
  void wattsAreThoseOfNodesThatAreOnAndOff() {
    assertThat(HELD.watts(2, 0, 0)).isCloseTo(6 * 75 + 3 * 8, within(EXACT));
    assertThat(HELD.watts(3, 0, 1)).isCloseTo(9 * 150, within(EXACT));
  }

  @Test
  void anotherIdleShareChangesIdlePowerAlone() {
    HeldSettings fifth = HELD.withIdleShare(0.2);
    assertThat(fifth.watts(3, 0, 0)).isCloseTo(9 * 30, within(EXACT));
    assertThat(fifth.watts(3, 0, 1)).isCloseTo(9 * 150, within(EXACT));
    // No node that is off draws more than one that is idle.
    assertThat(HELD.withIdleShare(0.02).watts(2, 0, 0)).isCloseTo(9 * 3, within(EXACT));
  }
}
