package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.EACH_QUORUM;
import static org.calando.core.store.ConsistencyLevel.LOCAL_ONE;
import static org.calando.core.store.ConsistencyLevel.TWO;

import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

class LinksAndDisksTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;

  private final Simulation simulation = new Simulation();

  @Test
  void everyPairOfDataCentresHasItsOwnLatency() {
    Topology topology =
        Topology.of(
            List.of(
                new Topology.Node("a1", "r1", "a"),
                new Topology.Node("b1", "r1", "b"),
                new Topology.Node("c1", "r1", "c")));
    Links links =
        Links.builder()
            .pair("a", "b", Distribution.constant(10e6))
            .pair("a", "c", Distribution.constant(40e6))
            .pair("b", "c", Distribution.constant(25e6))
            .build();
    TokenRing ring =
        TokenRing.networkTopology(
            TokenRing.evenTokens(3), topology, Map.of("a", 1, "b", 1, "c", 1));
    assertThat(times(topology, ring, links, "a")).containsExactly(0L, 20L, 80L, 80L);
    assertThat(times(topology, ring, links, "b")).containsExactly(0L, 20L, 50L, 50L);
    assertThat(times(topology, ring, links, "c")).containsExactly(0L, 50L, 80L, 80L);
  }

  /** Milliseconds of writes at LOCAL_ONE, TWO, EACH_QUORUM and ALL from a data centre. */
  private static List<Long> times(Topology topology, TokenRing ring, Links links, String from) {
    Answers client =
        new Answers(
            new SimCluster(
                new Simulation(),
                ClusterConfig.builder(topology, ring)
                    .links(links)
                    .services(NoWork.services())
                    .clients(from)
                    .build()));
    return List.of(
        client.write(1, 1, LOCAL_ONE).tookNanos() / MILLI,
        client.write(1, 2, TWO).tookNanos() / MILLI,
        client.write(1, 3, EACH_QUORUM).tookNanos() / MILLI,
        client.write(1, 4, ALL).tookNanos() / MILLI);
  }

  @Test
  void readsThatMissTheCachesWaitForTheDiskAsTheorySays() {
    // Of Poisson reads a random half goes to a disk that serves one at a time: M/M/1 at 0.6.
    double service = 8e6;
    Distribution none = Distribution.NONE;
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .links(Links.builder().build())
                .services(
                    new ServiceTimes(
                        none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        none,
                        Distribution.exponential(service),
                        0.5,
                        1))
                .seed(SEED)
                .build());
    Batches times = new Batches(5_000);
    PoissonReads.start(
        cluster,
        Distribution.exponential(service / 1.2),
        new RandomStreams(SEED).of("arrivals"),
        times::add);
    simulation.runWhile(() -> !times.isFull());
    times.assertMeanIs(0.5 * service / (1 - 0.6), 0.1, "half of the reads at an M/M/1 disk");
    assertThat(cluster.energy().busyNanos(0, simulation.nowNanos())).isZero();
  }

  @Test
  void timesAndSharesThatCannotBeAreRefusedByName() {
    refused(() -> Distribution.constant(-1), "time -1.0");
    refused(() -> Distribution.exponential(Double.NaN), "mean NaN");
    refused(() -> Distribution.lognormal(1, -2), "coefficient of variation -2.0");
    refused(() -> Distribution.gamma(1, 0), "shape 0");
    Distribution none = Distribution.NONE;
    refused(
        () -> new ServiceTimes(none, none, none, none, none, none, none, none, none, 1.2, 1),
        "disk share of 1.2");
    refused(
        () -> new ServiceTimes(none, none, none, none, none, none, none, none, none, 0, 0),
        "0 disks");
    SimCluster cluster =
        new SimCluster(
            simulation, ClusterConfig.builder(Topology.racks(2, 1), TokenRing.even(2, 1)).build());
    refused(() -> cluster.fail(2), "no node 2");
    refused(() -> cluster.switchOn(-1), "no node -1");
    refused(() -> cluster.slow(0, 0), "0.0 times as slow");
    refused(
        () ->
            TokenRing.networkTopology(
                TokenRing.evenTokens(2), Topology.racks(2, 1), Map.of("moon", 1)),
        "moon");
  }

  private static void refused(Runnable call, String named) {
    assertThatThrownBy(call::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(named);
  }
}
