package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.junit.jupiter.api.Test;

class ShiftEnergyTest {
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 50, 100, 2, 1, PowerCurve.linear(), 60, 70, "a test");

  @Test
  void aShiftUpBootsItsNodesAndADownShiftDoesNot() {
    double work = 3 * 25.0; // 3 CPU seconds at 50 W over two cores
    assertThat(ShiftEnergy.joules(NODE, false, 4, 6, 3)).isCloseTo(4 * 6 * 50 + work, within(1e-9));
    assertThat(ShiftEnergy.joules(NODE, true, 4, 6, 3))
        .isCloseTo(4 * 60 * 70 + 4 * 6 * 50 + work, within(1e-9));
  }
}
