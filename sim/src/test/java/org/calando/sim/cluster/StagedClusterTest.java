package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stages of nodes do to writes, beside queueing theory. */
class StagedClusterTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final double MILLI = 1e6;
  private static final double WAY = 3 * MILLI;

  private final Simulation simulation = new Simulation();

  /**
   * Two nodes hold every key. A write is there at once on its coordinator, and on the other node
   * once it has passed a loop of each, as its acknowledgement does on its way back: exponential
   * times, in order of arrival, so each of the four is as a queue by itself.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.5, 0.8})
  void theLastReplicaLagsByTheQueuesOfTheLoops(double load) {
    double loop = MILLI / 2;
    SimCluster cluster = cluster(loop, 16, NoWork.services());
    // Writes, and acknowledgements, of both nodes pass the loop of each.
    double perSecond = load / (2 * loop / 1e9);
    Batches spread = new Batches(12_000);
    cluster.watchSpread(nanos -> spread.add((double) nanos));
    var unused =
        Clients.open(
            cluster, updates(), ConsistencyLevel.ONE, ConsistencyLevel.ONE, perSecond, 9999, 1);
    simulation.runWhile(() -> !spread.isFull());
    double theory = WAY + 2 * loop / (1 - load);
    System.out.printf(
        Locale.ROOT,
        "lag at %s, seed %d: %.4f ms of theory's %.4f%n",
        load,
        SEED,
        spread.mean() / MILLI,
        theory / MILLI);
    spread.assertMeanIs(theory, 0.05, "lag at " + load + ", seed " + SEED);
  }

  @Test
  void lagsGrowWithAnyWorkOnTheCoresThatThreadsShare() {
    List<Double> lags = new ArrayList<>();
    for (double perSecond : new double[] {100, 300, 450}) {
      SimCluster cluster = cluster(MILLI / 2, 1, services());
      Batches spread = new Batches(500);
      cluster.watchSpread(nanos -> spread.add((double) nanos));
      var unused =
          Clients.open(
              cluster, updates(), ConsistencyLevel.ONE, ConsistencyLevel.ONE, perSecond, 9999, 1);
      simulation.runWhile(() -> !spread.isFull());
      lags.add(spread.mean() - WAY);
    }
    assertThat(lags.get(1)).as("seed %d: %s", SEED, lags).isGreaterThan(1.2 * lags.get(0));
    assertThat(lags.get(2)).as("seed %d: %s", SEED, lags).isGreaterThan(1.5 * lags.get(1));
  }

  @Test
  void readsAndWritesWithinTheCoordinatorPassNoLoop() {
    SimCluster cluster = cluster(50 * MILLI, 16, NoWork.services());
    List<Long> answers = new ArrayList<>();
    int requester =
        cluster.register((tag, outcome, version) -> answers.add(simulation.nowNanos() / 1000));
    cluster.write(requester, 0, 5, 1, ConsistencyLevel.ONE);
    cluster.read(requester, 0, 5, ConsistencyLevel.ONE);
    cluster.write(requester, 0, 6, 1, ConsistencyLevel.ALL);
    simulation.runWhile(() -> answers.size() < 3);
    assertThat(answers.get(1)).isLessThan(1000);
    assertThat(answers.get(2)).isGreaterThan(6000);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    List<Long> other = new ArrayList<>();
    run(SEED, first);
    run(SEED, second);
    run(SEED + 1, other);
    assertThat(first).hasSizeGreaterThan(500).isEqualTo(second).isNotEqualTo(other);
  }

  private static void run(long seed, List<Long> spread) {
    Simulation simulation = new Simulation();
    SimCluster cluster =
        new SimCluster(simulation, config(MILLI / 2, services()).seed(seed).build());
    cluster.watchSpread(spread::add);
    var unused =
        Clients.closed(
            cluster,
            updates(),
            ConsistencyLevel.ONE,
            ConsistencyLevel.QUORUM,
            16,
            Distribution.NONE,
            7);
    simulation.runUntil(3_000_000_000L);
    spread.add(cluster.energy().busyNanos(0, simulation.nowNanos()));
    spread.add(simulation.events());
  }

  @Test
  void nodesWithStagesHaveNoMasters() {
    assertThatThrownBy(
            () ->
                config(MILLI, NoWork.services())
                    .masterReplica(
                        new MasterReplica(Distribution.constant(1), MasterReplica.From.ANY))
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("stages");
  }

  private SimCluster cluster(double loop, int cores, ServiceTimes services) {
    return new SimCluster(
        simulation,
        config(loop, services)
            .hosts(
                List.of(new Host("a", cores, List.of("n1")), new Host("b", cores, List.of("n2"))))
            .build());
  }

  private static ClusterConfig.Builder config(double loop, ServiceTimes services) {
    return ClusterConfig.builder(Topology.racks(2, 1), TokenRing.even(2, 2))
        .links(
            Links.builder()
                .client(Distribution.constant(1000))
                .withinRack(Distribution.constant(WAY))
                .build())
        .services(services)
        .coordinators(CoordinatorChoice.TOKEN_AWARE)
        .replicas(ReplicaChoice.NEAREST)
        .stages(new NodeStages(128, 1, 8, 8, 2, Distribution.exponential(loop)))
        .mostKeys(1 << 12)
        .seed(SEED);
  }

  private static ServiceTimes services() {
    Distribution some = Distribution.lognormal(MILLI / 4, 1.5);
    return new ServiceTimes(
        Distribution.NONE,
        some,
        Distribution.NONE,
        some,
        some,
        some,
        some,
        Distribution.NONE,
        Distribution.NONE,
        0,
        1);
  }

  private static Workload updates() {
    return Workload.builder()
        .records(1000)
        .mix(Mix.readUpdate(0, 1))
        .requests(new RequestDistribution.Uniform())
        .build();
  }
}
