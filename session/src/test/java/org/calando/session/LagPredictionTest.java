package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

class LagPredictionTest {
  private static final LagPrediction THREE =
      new LagPrediction(
          PropagationLags.of(
              3, new double[][] {{0, 0.010, 0.020}, {0, 0, Double.POSITIVE_INFINITY}}));

  @Test
  void aReadIsStaleIfAllOfItsReplicasLackTheWrite() {
    // At 5 ms two of three lack the first write and one the second.
    assertThat(THREE.chance(1, 0.005)).isCloseTo((2.0 / 3 + 1.0 / 3) / 2, within(1e-12));
    assertThat(THREE.chance(2, 0.005)).isCloseTo((1.0 / 3 + 0) / 2, within(1e-12));
    assertThat(THREE.chance(3, 0.005)).isZero();
  }

  @Test
  void aReplicaHasTheWriteFromItsLagOn() {
    assertThat(THREE.chance(1, 0.020)).isCloseTo((0 + 1.0 / 3) / 2, within(1e-12));
  }
}
