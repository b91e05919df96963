package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is lost or made up while nodes fail, return, are switched and change their clocks. */
class ConservationTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int NODES = 6;
  private static final int KEYS = 200;

  private static final NodeProfile PROFILE =
      new NodeProfile("soon-up", 2, 20, 50, 4, 1, PowerCurve.linear(), 1, 40, "made up");

  private static final ShiftCosts COSTS =
      new ShiftCosts(
          2,
          50,
          SECOND / 2,
          200 * MILLI,
          SECOND / 5,
          0,
          100 * MILLI,
          50 * MILLI,
          MILLI / 10,
          MILLI / 10);

  private final Simulation simulation = new Simulation();
  private final RandomStream random = new RandomStreams(SEED).of("what happens");
  private int draining = -1;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lag",
        "master",
        "buffer",
        "master buffer",
        "stages",
        "stages lag",
        "costs",
        "costs master",
        "stages costs"
      })
  void operationsMessagesAndDeferredWritesAreConservedUnderFailures(String kind) {
    SimCluster cluster = new SimCluster(simulation, config(kind));
    Clients clients = Clients.open(cluster, workload(), ONE, QUORUM, 1_000, 2_000, SEED);
    for (int step = 0; step < 300; step++) {
      simulation.runUntil(simulation.nowNanos() + 100 * MILLI);
      assertConserved(cluster, kind);
      happen(cluster, kind.contains("costs"));
    }
    clients.stop();
    endDrain(cluster);
    for (int node = 0; node < NODES; node++) {
      cluster.switchOn(node);
      cluster.recover(node);
    }
    simulation.runUntil(simulation.nowNanos() + 60 * SECOND);
    cluster.flush();
    simulation.runWhile(() -> !cluster.isSettled());
    assertConserved(cluster, kind);
    ClusterCounts counts = cluster.counts();
    assertThat(counts.underWay()).as("%s, seed %d", kind, SEED).isZero();
    assertThat(counts.messagesUnderWay()).as("%s, seed %d", kind, SEED).isZero();
    assertThat(counts.hintsWaiting()).as("%s, seed %d", kind, SEED).isZero();
    assertThat(counts.messagesLost()).as("%s, seed %d", kind, SEED).isPositive();
    assertThat(counts.ok()).as("%s, seed %d", kind, SEED).isGreaterThan(5_000);
    DeferredCounts deferred = cluster.deferred();
    assertThat(deferred.atRisk()).as("%s, seed %d", kind, SEED).isZero();
    assertThat(deferred.written() > 0 && deferred.failed() > 0)
        .as("%s, seed %d: %s", kind, SEED, deferred)
        .isEqualTo(kind.contains("buffer"));
    long busy = 0;
    for (int node = 0; node < NODES; node++) {
      busy += cluster.energy().busyNanos(node, simulation.nowNanos());
      assertThat(cluster.jobsAt(node)).isZero();
    }
    // What was on a core when its node failed was started and not ended.
    assertThat(busy).isPositive().isLessThan(cluster.startedNanos());
  }

  private void endDrain(SimCluster cluster) {
    if (draining >= 0) {
      cluster.switchOff(draining);
      draining = -1;
    }
  }

  /** Some node fails, returns, goes, comes or takes another clock. */
  private void happen(SimCluster cluster, boolean drains) {
    endDrain(cluster);
    int node = random.nextInt(NODES);
    switch (random.nextInt(6)) {
      case 0 -> cluster.fail(node);
      case 1 -> {
        if (drains) {
          cluster.drain(node);
          draining = node;
        } else {
          cluster.switchOff(node);
        }
      }
      case 2 -> cluster.clock(node, 1);
      case 3 -> cluster.clock(node, 2);
      default -> {
        cluster.switchOn(node);
        cluster.recover(node);
      }
    }
  }

  private static void assertConserved(SimCluster cluster, String kind) {
    ClusterCounts counts = cluster.counts();
    assertThat(
            counts.ok()
                + counts.notFound()
                + counts.refused()
                + counts.indeterminate()
                + counts.underWay())
        .as("%s, seed %d", kind, SEED)
        .isEqualTo(counts.reads() + counts.writes());
    assertThat(counts.messagesEnded() + counts.messagesUnderWay())
        .as("%s, seed %d", kind, SEED)
        .isEqualTo(counts.messages());
    DeferredCounts deferred = cluster.deferred();
    assertThat(deferred.atRisk()).as("%s, seed %d", kind, SEED).isNotNegative();
    assertThat(deferred.atRisk() + deferred.written() + deferred.failed())
        .as("%s, seed %d", kind, SEED)
        .isEqualTo(deferred.deferred());
  }

  private static ClusterConfig config(String kind) {
    ClusterConfig.Builder config =
        ClusterConfig.builder(Topology.racks(NODES, 2), TokenRing.even(NODES, 3))
            .links(Links.uniform(Distribution.exponential(2 * MILLI)))
            .clocks(
                new Clocks(
                    new PStates(List.of(new PStates.State(2, 1), new PStates.State(1, 0.8))), 0, 0))
            .profile(PROFILE)
            .timeoutNanos(SECOND / 2, SECOND / 2)
            .detectionNanos(200 * MILLI)
            .seed(SEED);
    Distribution lag = Distribution.exponential(300 * MILLI);
    if (kind.contains("stages")) {
      config.stages(new NodeStages(4, 2, 2, 2, 1, Distribution.lognormal(MILLI / 5.0, 2)));
    }
    if (kind.contains("costs")) {
      config.absences(Absences.DEFAULT.with(COSTS));
    }
    if (kind.endsWith("lag")) {
      config.lag(lag);
    }
    if (kind.contains("master")) {
      config.masterReplica(new MasterReplica(lag, MasterReplica.From.ANY));
    }
    if (kind.contains("buffer")) {
      config.writeBuffer(new WriteBuffer(20, SECOND, 0.5));
    }
    return config.build();
  }

  private static Workload workload() {
    return Workload.builder()
        .records(KEYS)
        .mix(Mix.readUpdate(0.5, 0.5))
        .requests(new RequestDistribution.Uniform())
        .build();
  }
}
