package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.LagStaleness;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

class JointModelTest {
  @Test
  void aQueueOfOneServerIsThatOfTheTextbook() {
    NodeQueue queue = NodeQueue.of(1, 0.5, 0.01);
    assertThat(queue.waits()).isCloseTo(0.5, within(1e-12));
    assertThat(queue.waitSeconds()).isCloseTo(0.01, within(1e-12));
    assertThat(NodeQueue.of(2, 0.5, 0.01).waits()).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(NodeQueue.of(4, 1.2, 0.01).p99Seconds(1)).isInfinite();
  }

  @Test
  void staleReadsAreThoseOfMeasuredLags() {
    Random random = new Random(7);
    double[][] rows = new double[400][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {0, -0.01 * Math.log(random.nextDouble()), 0.05 * random.nextDouble()};
    }
    PropagationLags lags = PropagationLags.of(3, rows);
    KeyPopularity keys = KeyPopularity.zipf(1000, 0.99);
    JointCases seen = new JointCases();
    Observation o = seen.signals(1, JointState.INITIAL).get(Observation.READS);
    Observation with =
        new Observation(
            1,
            "table",
            3,
            1,
            3,
            0,
            o.rates(),
            java.util.Optional.of(new Observation.Lags(1, lags)),
            java.util.Optional.of(new Observation.Popularity(1, keys)),
            java.util.Optional.empty(),
            java.util.Optional.empty(),
            java.util.Optional.empty(),
            java.util.Optional.empty(),
            false);
    StaleForecast forecast = new StaleForecast(JointCases.cluster(1), with, 3);
    LagStaleness exact = LagStaleness.of(lags.windows(), 300, keys);
    for (int read = 1; read <= 3; read++) {
      assertThat(forecast.rate(3, read, 300)).isCloseTo(exact.rate(read), within(5e-4));
    }
    assertThat(forecast.rate(3, 3, 300)).isZero();
    assertThat(forecast.rate(2, 2, 300)).isZero();
    assertThat(forecast.rate(2, 1, 300)).isGreaterThan(forecast.rate(1, 1, 300)).isPositive();
  }

  @Test
  void moreReplicasSlowerClocksAndFewerNodesAreBusier() {
    JointModel model = new JointModel(JointCases.cluster(1), 700, 300, 1, 1, 1);
    double busy = model.of(3, 0, ReadChoice.of(1)).busyShare();
    assertThat(model.of(3, 0, ReadChoice.of(2)).busyShare()).isGreaterThan(busy);
    assertThat(model.of(3, 3, ReadChoice.of(1)).busyShare()).isGreaterThan(busy);
    assertThat(model.of(2, 0, ReadChoice.of(1)).busyShare()).isGreaterThan(busy);
    assertThat(model.of(2, 0, ReadChoice.of(1)).watts())
        .isLessThan(model.of(3, 0, ReadChoice.of(1)).watts());
    assertThat(model.of(3, 3, ReadChoice.of(1)).p99Seconds())
        .isGreaterThan(model.of(3, 0, ReadChoice.of(1)).p99Seconds());
  }

  @Test
  void aShiftIsPaidForByWhatItSaves() {
    JointModel model = new JointModel(JointCases.cluster(1), 70, 30, 1, 1, 1);
    double slow = model.breakEvenSeconds(3, 2, 100);
    assertThat(model.breakEvenSeconds(3, 2, 200)).isLessThan(slow);
    assertThat(model.breakEvenSeconds(3, 2, 0)).isInfinite();
    // Three nodes: 5 s at 67 W more, and 60 s of booting at 92 W more, over about 100 W.
    assertThat(slow).isCloseTo((3 * 67 * 5 + 3 * 92 * 60) / 100.0, within(10.0));
  }
}
