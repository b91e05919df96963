package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** What nodes do beside operations, and what replies that nobody waits for cost. */
class BackgroundTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final double TENTH = 0.1e6;
  private static final long SECOND = 1000 * MILLI;

  private static final NodeProfile ONE_CORE =
      new NodeProfile("one core", 0, 1, 2, 1, 1, PowerCurve.linear(), 0, 0, "test");

  private final Simulation simulation = new Simulation();

  @Test
  void aNodeGoesOnForAsLongAsItLingers() {
    Background spinning =
        new Background(0.5, Distribution.constant(TENTH), 20 * MILLI, Double.POSITIVE_INFINITY);
    SimCluster cluster = cluster(1, reads(1e6), spinning);
    Answers client = new Answers(cluster);
    client.pass(SECOND);
    long idle = busy(cluster);
    for (int i = 0; i < 50; i++) {
      client.read(1, ONE);
      client.pass(100 * MILLI);
    }
    // Of each 100 ms, 20 at half a core, and the read itself. At time 0 it is as if work had ended.
    assertThat(idle).as("seed %d", SEED).isLessThan(25 * MILLI);
    assertThat((busy(cluster) - idle) / 50.0)
        .as("seed %d", SEED)
        .isBetween(0.9 * 11 * MILLI, 1.1 * 11 * MILLI);
  }

  @Test
  void whatWaitsMakesItRarer() {
    double always = spun(Double.POSITIVE_INFINITY);
    assertThat(always).as("seed %d", SEED).isBetween(0.18, 0.22);
    // Nine reads wait, and some five bursts: exp(-1.4) of the rate.
    assertThat(spun(10)).as("seed %d", SEED).isBetween(0.2 * always, 0.3 * always);
    assertThat(spun(1)).as("seed %d", SEED).isLessThan(0.1 * always);
  }

  /** Cores of bursts where ten clients wait for one core. */
  private double spun(double depth) {
    Background spinning = new Background(0.2, Distribution.constant(TENTH), SECOND, depth);
    Simulation own = new Simulation();
    SimCluster cluster =
        new SimCluster(
            own,
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .links(Links.builder().build())
                .services(reads(1e6))
                .profile(ONE_CORE)
                .background(spinning)
                .seed(SEED)
                .build());
    Workload workload = Workload.builder().records(10).mix(Mix.readUpdate(1, 0)).build();
    Clients clients = Clients.closed(cluster, workload, ONE, ONE, 10, Distribution.NONE, SEED);
    own.runUntil(20 * SECOND);
    return (cluster.energy().busyNanos(0, own.nowNanos()) - clients.reads() * MILLI)
        / (double) own.nowNanos();
  }

  @Test
  void repliesThatNobodyWaitsForCostNothing() {
    SimCluster cluster = cluster(3, replies(1e6), Background.NONE);
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    client.pass(SECOND);
    assertThat(busy(cluster)).isEqualTo(MILLI);
    client.write(1, 2, ALL);
    client.pass(SECOND);
    assertThat(busy(cluster)).isEqualTo(4 * MILLI);
  }

  @Test
  void theNearestReplicasAreAskedFirst() {
    SimCluster cluster = cluster(3, reads(0), Background.NONE);
    Answers client = new Answers(cluster);
    for (int key = 0; key < 30; key++) {
      assertThat(client.read(key, ONE).tookNanos()).isZero();
      assertThat(client.read(key, QUORUM).tookNanos()).isEqualTo(10 * MILLI);
    }
  }

  private SimCluster cluster(int nodes, ServiceTimes services, Background background) {
    return new SimCluster(
        simulation,
        ClusterConfig.builder(Topology.racks(nodes, nodes), TokenRing.even(nodes, nodes))
            .links(Links.builder().betweenRacks(Distribution.constant(5e6)).build())
            .services(services)
            .background(background)
            .coordinators(CoordinatorChoice.TOKEN_AWARE)
            .replicas(ReplicaChoice.NEAREST)
            .seed(SEED)
            .build());
  }

  private long busy(SimCluster cluster) {
    long sum = 0;
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      sum += cluster.energy().busyNanos(node, simulation.nowNanos());
    }
    return sum;
  }

  private static ServiceTimes reads(double nanos) {
    return services(Distribution.NONE, Distribution.constant(nanos));
  }

  private static ServiceTimes replies(double nanos) {
    return services(Distribution.constant(nanos), Distribution.NONE);
  }

  private static ServiceTimes services(Distribution reply, Distribution read) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, reply, read, read, none, none, none, 0, 1);
  }
}
