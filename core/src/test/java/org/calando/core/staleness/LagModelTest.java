package org.calando.core.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LagModelTest {
  private static final PropagationLags THREE =
      PropagationLags.of(3, new double[][] {{0, 0.010, 0.020}, {0, 0, Double.POSITIVE_INFINITY}});

  private static double measured(int read, double age) {
    return LagModel.MEASURED.missed(THREE, 1, read, age);
  }

  private static double last(int write, int read, double age) {
    return LagModel.LAST.missed(THREE, write, read, age);
  }

  @Test
  void aReadIsStaleIfAllOfItsReplicasLackTheWrite() {
    // At 5 ms two of three lack the first write and one the second.
    assertThat(measured(1, 0.005)).isCloseTo((2.0 / 3 + 1.0 / 3) / 2, within(1e-12));
    assertThat(measured(2, 0.005)).isCloseTo((1.0 / 3 + 0) / 2, within(1e-12));
    assertThat(measured(3, 0.005)).isZero();
  }

  @Test
  void aReplicaHasTheWriteFromItsLagOn() {
    assertThat(measured(1, 0.020)).isCloseTo((0 + 1.0 / 3) / 2, within(1e-12));
  }

  @Test
  void withTheLastReplicaAllButThoseThatAcknowledgedAreLate() {
    assertThat(last(1, 1, 0.005)).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(last(1, 2, 0.005)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(last(2, 1, 0.005)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(last(1, 1, 0.020)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(last(1, 3, 0.005)).isZero();
  }

  @Test
  void readsOfSeveralReplicasMissWhatTheyWereSeenToMiss() {
    double[][] rows = new double[6][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {0, 0.1, 0.1, i < 2 ? 0.05 : 0, 0};
    }
    PropagationLags lags = PropagationLags.of(3, rows);
    for (LagModel model : LagModel.values()) {
      assertThat(model.missed(lags, 1, 2, 0.02)).isCloseTo(1.0 / 3, within(1e-12));
      assertThat(model.missed(lags, 1, 2, 0.06)).isZero();
      assertThat(model.missed(lags, 1, 1, 0.06)).isCloseTo(2.0 / 3, within(1e-12));
    }
  }
}
