package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.Outcome;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

class WriteBufferTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final Simulation simulation = new Simulation();

  @Test
  void aWriteIsAcknowledgedAtOnceAndOneThatFillsTheBufferWhenAllIsWritten() {
    SimCluster cluster = cluster(new WriteBuffer(3, Long.MAX_VALUE, 1));
    Answers client = new Answers(cluster);
    assertThat(client.write(1, 1, ONE).tookNanos()).isZero();
    assertThat(client.write(2, 1, ONE).tookNanos()).isZero();
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(2, 2, 0, 0));
    assertThat(client.read(1, ALL).outcome()).isEqualTo(Outcome.NOT_FOUND);
    assertThat(client.write(3, 1, ONE).tookNanos()).isGreaterThanOrEqualTo(2 * MILLI);
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(3, 0, 3, 0));
    assertThat(client.read(1, ALL).version()).isEqualTo(1);
  }

  @Test
  void aBufferThatIsTooOldIsSent() {
    SimCluster cluster = cluster(new WriteBuffer(100, 50 * MILLI, 1));
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    client.pass(50 * MILLI - 1);
    assertThat(cluster.counts().writes()).isZero();
    client.pass(1);
    assertThat(cluster.counts().writes()).isEqualTo(1);
    client.pass(20 * MILLI);
    assertThat(cluster.deferred().atRisk()).isZero();
    client.write(1, 2, ONE);
    client.pass(30 * MILLI);
    client.write(1, 3, ONE);
    client.pass(20 * MILLI);
    assertThat(cluster.counts().writes()).isEqualTo(3);
  }

  @Test
  void writesAtRiskAreAsManyAsTheoryOfTheBufferSays() {
    // Poisson writes at a rate of 1/ms, sent at no cost. Full at B: (B - 1) / 2 on average; too old
    // at T: a cycle of 1/rate + T holds T (1 + rate T / 2) of them.
    assertThat(meanAtRisk(new WriteBuffer(20, Long.MAX_VALUE, 1), 0)).isCloseTo(9.5, within(0.15));
    assertThat(meanAtRisk(new WriteBuffer(1 << 20, 30 * MILLI, 1), 0))
        .isCloseTo(30 * (1 + 15.0) / 31, within(0.25));
  }

  @Test
  void writesAreAtRiskUntilTheClusterHasThemButForThoseThatWait() {
    // Sent at a cost of D: each write of a full buffer but the one that waits is at risk for D
    // more, (B - 1) D / (B / rate) of them on average.
    assertThat(meanAtRisk(new WriteBuffer(20, Long.MAX_VALUE, 1), 5 * MILLI))
        .isCloseTo(9.5 + 19 * 10 / 20.0, within(0.3));
    assertThat(meanAtRisk(new WriteBuffer(1, Long.MAX_VALUE, 1), 5 * MILLI)).isZero();
  }

  @Test
  void writesThatTheClusterDoesNotTakeAreCounted() {
    SimCluster cluster = cluster(new WriteBuffer(10, Long.MAX_VALUE, 1));
    Answers client = new Answers(cluster);
    cluster.fail(0);
    client.pass(SECOND);
    for (int i = 1; i < 10; i++) {
      assertThat(client.write(i, 1, ALL).outcome()).isEqualTo(Outcome.OK);
    }
    assertThat(client.write(10, 1, ALL).outcome()).isEqualTo(Outcome.REFUSED);
    client.pass(10 * SECOND);
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(10, 0, 0, 10));
    assertThat(cluster.counts().refused()).isEqualTo(10);
  }

  @Test
  void aWriteThatFillsItsBufferIsToldItsOwnOutcome() {
    // Writes to keys of nodes that are down are refused, others are not.
    SimCluster cluster = cluster(1, new WriteBuffer(2, Long.MAX_VALUE, 1));
    Answers client = new Answers(cluster);
    cluster.fail(0);
    client.pass(SECOND);
    long lost = keyOf(cluster, 0);
    long kept = keyOf(cluster, 1);
    assertThat(client.write(lost, 1, ONE).outcome()).isEqualTo(Outcome.OK);
    assertThat(client.write(kept, 1, ONE).outcome()).isEqualTo(Outcome.OK);
    assertThat(client.write(kept, 2, ONE).outcome()).isEqualTo(Outcome.OK);
    assertThat(client.write(lost, 2, ONE).outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(4, 0, 2, 2));
    assertThat(client.read(kept, ONE).version()).isEqualTo(2);
  }

  @Test
  void writesOfABufferCostTheirCoordinatorsAShare() {
    assertThat(coordinatorNanos(1)).isEqualTo(4 * 100_000L);
    assertThat(coordinatorNanos(0.25)).isEqualTo(4 * 25_000L);
  }

  @Test
  void whatIsBufferedIsSentOnDemand() {
    SimCluster cluster = cluster(new WriteBuffer(12_000, Long.MAX_VALUE, 1));
    assertThat(cluster.config().writeBuffer()).isNotNull();
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    assertThat(cluster.isSettled()).isFalse();
    cluster.flush();
    simulation.runWhile(() -> !cluster.isSettled());
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(1, 0, 1, 0));
  }

  @Test
  void anotherAgeHoldsForWhatWasCollectedAndStrongSendsIt() {
    SimCluster cluster = cluster(new WriteBuffer(100, 50 * MILLI, 1));
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    client.pass(20 * MILLI);
    cluster.writeBuffers().set(new WriteBuffer(100, 30 * MILLI, 1));
    client.pass(10 * MILLI - 1);
    assertThat(cluster.counts().writes()).isZero();
    client.pass(1);
    assertThat(cluster.counts().writes()).isEqualTo(1);
    client.write(2, 2, ONE);
    cluster.writeBuffers().set(null);
    assertThat(cluster.counts().writes()).isEqualTo(2);
    assertThat(client.write(3, 3, ONE).tookNanos()).isGreaterThanOrEqualTo(2 * MILLI);
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(2, 0, 2, 0));
  }

  @Test
  void abufferThatIsNotSharedIsOfOneOperationUnderWay() {
    SimCluster cluster = cluster(new WriteBuffer(2, Long.MAX_VALUE, 1, false));
    int requester = cluster.register((tag, outcome, version) -> {});
    cluster.write(requester, 0, 1, 1, ONE);
    cluster.write(requester, 1, 2, 1, ONE);
    assertThat(cluster.counts().writes()).isZero();
    cluster.write(requester, 1, 3, 1, ONE);
    assertThat(cluster.counts().writes()).isEqualTo(2);
    cluster.writeBuffers().set(new WriteBuffer(2, Long.MAX_VALUE, 1, true));
    assertThat(cluster.counts().writes()).isEqualTo(3);
  }

  @Test
  void writesAboveTheBoundWaitInTheirOrderAndAreTakenThen() {
    SimCluster cluster = cluster(new WriteBuffer(100, Long.MAX_VALUE, 1));
    cluster.writeBuffers().mostAtRisk(3);
    List<Integer> answered = new ArrayList<>();
    int requester = cluster.register((tag, outcome, version) -> answered.add(tag));
    for (int tag = 0; tag < 8; tag++) {
      cluster.write(requester, tag, tag, 1, ONE);
    }
    simulation.runUntil(MILLI);
    assertThat(answered).containsExactly(0, 1, 2);
    assertThat(cluster.deferred().atRisk()).isEqualTo(3);
    simulation.runUntil(SECOND);
    assertThat(answered).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    // Nobody waits for the room of the last ones.
    assertThat(cluster.deferred().deferred()).isEqualTo(8);
    assertThat(cluster.deferred().atRisk()).isBetween(1L, 3L);
    cluster.flush();
    simulation.runUntil(2 * SECOND);
    assertThat(cluster.writeBuffers().flush(() -> {})).isFalse();
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(8, 0, 8, 0));
    assertThat(cluster.writeBuffers().account().figures(2 * SECOND).mostAtRisk()).isEqualTo(3);
  }

  @Test
  void afterAflushIsToldNothingIsAtRisk() {
    SimCluster cluster = cluster(new WriteBuffer(100, Long.MAX_VALUE, 1));
    Answers client = new Answers(cluster);
    List<Long> told = new ArrayList<>();
    client.write(1, 1, ONE);
    assertThat(cluster.writeBuffers().flush(() -> told.add(cluster.deferred().atRisk()))).isTrue();
    // Nothing is collected while that is awaited.
    client.write(2, 1, ONE);
    client.pass(SECOND);
    assertThat(told).containsExactly(0L);
    assertThat(cluster.deferred()).isEqualTo(new DeferredCounts(2, 0, 2, 0));
  }

  @Test
  void freshnessIsFromTheCallUntilTheClusterHasIt() {
    SimCluster cluster = cluster(new WriteBuffer(100, 50 * MILLI, 1));
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    client.pass(10 * MILLI);
    client.write(2, 1, ONE);
    client.pass(SECOND);
    DeferralFigures figures = cluster.writeBuffers().account().figures(simulation.nowNanos());
    assertThat(figures.visible()).isEqualTo(2);
    assertThat(figures.flushes()).isEqualTo(1);
    assertThat(figures.mostAtRisk()).isEqualTo(2);
    // The way to the cluster and back is 2 ms, or 4 where the coordinator is no replica.
    assertThat(figures.freshnessMaxNanos()).isBetween(52 * MILLI, 54 * MILLI);
    assertThat(figures.freshness50Nanos()).isBetween(41 * MILLI, 45 * MILLI);
    assertThat(figures.riskNanos())
        .isEqualTo(Math.round(cluster.atRiskNanos()))
        .isBetween(92 * MILLI, 100 * MILLI);
  }

  @Test
  void buffersThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new WriteBuffer(0, 1, 1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new WriteBuffer(1, -5, 1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("-5 ns");
    assertThatThrownBy(() -> new WriteBuffer(1, 1, 1.5))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("1.5");
    assertThatThrownBy(() -> new WriteBuffer(1, Long.MAX_VALUE - 1, 1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("9223372036854775806 ns");
    assertThatThrownBy(
            () ->
                ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                    .most(1000, 1000)
                    .writeBuffer(new WriteBuffer(1001, Long.MAX_VALUE, 1))
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("1001 writes")
        .hasMessageContaining("1000 operations");
  }

  private static double meanAtRisk(WriteBuffer buffer, double wayNanos) {
    Simulation simulation = new Simulation();
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .links(Links.uniform(Distribution.constant(wayNanos)))
                .services(NoWork.services())
                .writeBuffer(buffer)
                .seed(SEED)
                .build());
    RandomStream random = new RandomStreams(SEED).of("writes");
    Distribution gap = Distribution.exponential(MILLI);
    int requester = cluster.register((tag, outcome, version) -> {});
    long integral = 0;
    long version = 0;
    while (version < 100_000) {
      long before = simulation.nowNanos();
      long until = before + gap.sample(random);
      while (simulation.nowNanos() < until) {
        long step = Math.min(until - simulation.nowNanos(), MILLI / 10);
        integral += cluster.deferred().atRisk() * step;
        simulation.runUntil(simulation.nowNanos() + step);
      }
      cluster.write(requester, 0, 1, ++version, ONE);
    }
    return (double) integral / simulation.nowNanos();
  }

  private static long coordinatorNanos(double share) {
    Simulation simulation = new Simulation();
    Distribution none = Distribution.NONE;
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .services(
                    new ServiceTimes(
                        none,
                        Distribution.constant(100_000),
                        none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        0,
                        1))
                .writeBuffer(new WriteBuffer(4, Long.MAX_VALUE, share))
                .build());
    Answers client = new Answers(cluster);
    for (int i = 1; i <= 4; i++) {
      client.write(i, 1, ONE);
    }
    return cluster.energy().busyNanos(0, simulation.nowNanos());
  }

  private static long keyOf(SimCluster cluster, int node) {
    long key = 1;
    while (cluster.replicas(key)[0] != node) {
      key++;
    }
    return key;
  }

  private SimCluster cluster(WriteBuffer buffer) {
    return cluster(3, buffer);
  }

  private SimCluster cluster(int replicas, WriteBuffer buffer) {
    return new SimCluster(
        simulation,
        ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, replicas))
            .links(Links.uniform(Distribution.constant(1e6)))
            .services(NoWork.services())
            .detectionNanos(100 * MILLI)
            .writeBuffer(buffer)
            .seed(SEED)
            .build());
  }
}
