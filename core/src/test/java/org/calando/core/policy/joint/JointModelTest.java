package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
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

  /** Of a coordinator and then a replica, each with four cores that are busy for 85 %. */
  @Test
  void waitsInARowAreThoseOfASimulatedTandem() {
    Random random = new Random(11);
    double[] first = new double[4];
    double[] second = new double[4];
    int jobs = 2_000_000;
    double[] waits = new double[jobs];
    double arrival = 0;
    double[][] leaves = new double[jobs][];
    for (int job = 0; job < jobs; job++) {
      arrival += exponential(random) / (4 * 0.85);
      double begins = begin(first, arrival, exponential(random));
      waits[job] = begins - arrival;
      leaves[job] = new double[] {ends, job};
    }
    Arrays.sort(leaves, Comparator.comparingDouble(leave -> leave[0]));
    for (double[] leave : leaves) {
      waits[(int) leave[1]] += begin(second, leave[0], exponential(random)) - leave[0];
    }
    Arrays.sort(waits);
    double seen = waits[(int) (0.99 * jobs)];
    assertThat(NodeQueue.of(4, 0.85, 1).p99Seconds(1)).isBetween(0.95 * seen, 1.1 * seen);
  }

  private double ends;

  /** When the core that is free first begins with a job. */
  private double begin(double[] cores, double arrival, double work) {
    int free = 0;
    for (int core = 1; core < cores.length; core++) {
      free = cores[core] < cores[free] ? core : free;
    }
    double begins = Math.max(arrival, cores[free]);
    ends = begins + work;
    cores[free] = ends;
    return begins;
  }

  private static double exponential(Random random) {
    return -Math.log(1 - random.nextDouble());
  }

  @Test
  void aRandomLoadThatDoesNotGrowIsTakenForOne() {
    for (double rate : new double[] {200, 1000}) {
      Random random = new Random(5);
      LoadTrend trend = LoadTrend.NONE;
      double highest = 0;
      for (int second = 0; second < 7200; second++) {
        trend = trend.with(rate + Math.sqrt(rate) * random.nextGaussian(), 1, 120);
        highest = second < 60 ? 0 : Math.max(highest, trend.expected(120) / trend.level());
      }
      assertThat(highest).isLessThan(1.03);
    }
  }

  @Test
  void aLoadThatGrowsIsSeenAheadAndAStepIsNot() {
    Random random = new Random(5);
    LoadTrend trend = LoadTrend.NONE;
    for (int second = 0; second < 300; second++) {
      double rate = 1000 + 5 * second;
      trend = trend.with(rate + Math.sqrt(rate) * random.nextGaussian(), 1, 120);
    }
    assertThat(trend.expected(120)).isBetween(2900.0, 3200.0);
    trend = trend.with(6000, 1, 120);
    assertThat(trend.level()).isEqualTo(6000);
    assertThat(trend.expected(120)).isEqualTo(6000);
  }

  @Test
  void signalsMayBeAsOldAsTheMonitorMakesThem() {
    JointLimits limits = JointLimits.defaults().withMonitor(30_000_000_000L, 60_000_000_000L);
    assertThat(limits.maxAgeNanos()).isEqualTo(120_000_000_000L);
    assertThat(limits.easeNanos()).isEqualTo(120_000_000_000L);
    assertThat(JointLimits.defaults().withMonitor(1_000_000_000L, 5_000_000_000L))
        .isEqualTo(JointLimits.defaults());
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
    JointModel model = new JointModel(JointCases.cluster(1), 700, 300, 1, 1, 1, 1);
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
    JointModel model = new JointModel(JointCases.cluster(1), 70, 30, 1, 1, 1, 1);
    double slow = model.breakEvenSeconds(3, 2, 100);
    assertThat(model.breakEvenSeconds(3, 2, 200)).isLessThan(slow);
    assertThat(model.breakEvenSeconds(3, 2, 0)).isInfinite();
    // Three nodes: 5 s at 67 W more, and 60 s of booting at 92 W more, over about 100 W.
    assertThat(slow).isCloseTo((3 * 67 * 5 + 3 * 92 * 60) / 100.0, within(10.0));
  }
}
