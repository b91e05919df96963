package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.Profiles;
import org.calando.core.store.Outcome;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

class HostsTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MICRO = 1_000;
  private static final long SECOND = 1_000_000_000L;
  private static final List<String> THREE = List.of("n1", "n2", "n3");

  private final Simulation simulation = new Simulation();

  @Test
  void nodesOfOneMachineWaitForItsCores() {
    assertThat(writeToAll(config(3, 3, times(0, 100)))).isEqualTo(100 * MICRO);
    assertThat(writeToAll(config(3, 3, times(0, 100)).hosts(shared(1)))).isEqualTo(300 * MICRO);
    assertThat(writeToAll(config(3, 3, times(0, 100)).hosts(shared(2)))).isEqualTo(200 * MICRO);
  }

  @Test
  void nodesOfOneMachineAreOneQueueForItsCores() {
    // M/M/2 at a load of 0.7, whoever the work is for: the mean time is s / (1 - load^2).
    double service = 100 * MICRO;
    SimCluster cluster =
        cluster(
            config(3, 1, ofReads(Distribution.exponential(service)))
                .hosts(shared(2))
                .coordinators(CoordinatorChoice.TOKEN_AWARE));
    Batches times = new Batches(5_000);
    PoissonReads.start(
        cluster,
        Distribution.exponential(service / 1.4),
        new RandomStreams(SEED).of("arrivals"),
        times::add);
    simulation.runWhile(() -> !times.isFull());
    times.assertMeanIs(service / (1 - 0.49), 0.06, "M/M/2 of three nodes");
  }

  @Test
  void coreTimeAndEnergyAreCountedForEachNode() {
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow().withCpuScale(1.5);
    SimCluster cluster =
        cluster(
            ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 2))
                .profile(profile)
                .hosts(shared(2))
                .clientWork(
                    new ClientWork(
                        "m", Distribution.constant(30_000), Distribution.constant(20_000))));
    Clients clients = Clients.closed(cluster, workload(), ONE, ALL, 5, Distribution.NONE, SEED);
    simulation.runUntil(2 * SECOND);
    clients.stop();
    simulation.runWhile(() -> !cluster.isSettled());
    long now = simulation.nowNanos();
    long sum = cluster.energy().clientBusyNanos(now);
    assertThat(sum).isEqualTo(50_000 * (clients.reads() + clients.writes()));
    for (int node = 0; node < 3; node++) {
      long busy = cluster.energy().busyNanos(node, now);
      double expected = 75 * (now / 1e9) + 75 / 4.0 * 1.5 * (busy / 1e9);
      assertThat(cluster.energy().joules(node, now)).isCloseTo(expected, within(1e-9 * expected));
      assertThat(busy).isPositive();
      sum += busy;
    }
    assertThat(sum).isEqualTo(cluster.startedNanos());
    // Five clients keep the two cores busy nearly all the time.
    assertThat(sum).isBetween(19 * now / 10, 2 * now);
  }

  @Test
  void nodesOfOneMachineHaveClocksOfTheirOwn() {
    // One core: at half the clock a node's work takes twice as long, and others' as before.
    Clocks clocks = halves();
    SimCluster first = cluster(config(3, 3, times(0, 100)).hosts(shared(1)).clocks(clocks));
    first.clock(1, 1);
    assertThat(new Answers(first).write(1, 1, ALL).tookNanos()).isEqualTo(400 * MICRO);
  }

  @Test
  void energyFollowsTheClockOfEachNodeOfAMachine() {
    // Node 0 runs at the full clock, node 1 at half of it, node 2 at half of it after a second.
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow().withCpuScale(1.5);
    SimCluster cluster =
        cluster(
            ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 2))
                .profile(profile)
                .hosts(shared(2))
                .clocks(halves()));
    cluster.clock(1, 1);
    Clients clients = Clients.closed(cluster, workload(), ONE, ALL, 5, Distribution.NONE, SEED);
    simulation.runUntil(SECOND);
    long before = cluster.energy().busyNanos(2, SECOND);
    cluster.clock(2, 1);
    simulation.runUntil(2 * SECOND);
    clients.stop();
    simulation.runWhile(() -> !cluster.isSettled());
    long now = simulation.nowNanos();
    // A core's second at full clock, of four at 75 W in all; at half of it and 0.8 of the voltage.
    double fast = 75 / 4.0 * 1.5;
    double slow = 0.32 * fast;
    for (int node = 0; node < 3; node++) {
      double busy = cluster.energy().busyNanos(node, now) / 1e9;
      double early = node == 0 ? busy : node == 1 ? 0 : before / 1e9;
      assertThat(busy - early).as("node %d", node).isGreaterThanOrEqualTo(0);
      double expected = 75 * (now / 1e9) + fast * early + slow * (busy - early);
      assertThat(cluster.energy().joules(node, now))
          .as("node %d", node)
          .isCloseTo(expected, within(1e-9 * expected));
    }
    assertThat(before).isBetween(SECOND / 10, SECOND);
    assertThat(cluster.energy().busyNanos(1, now)).isGreaterThan(SECOND / 2);
  }

  private static Clocks halves() {
    return new Clocks(
        new PStates(List.of(new PStates.State(2, 1), new PStates.State(1, 0.8))), 0, 0);
  }

  @Test
  void theClientsOwnWorkIsPartOfAnOperationsTime() {
    SimCluster cluster =
        cluster(
            config(3, 3, times(0, 100))
                .hosts(List.of(new Host("load", 1, List.of())))
                .clientWork(
                    new ClientWork(
                        "load", Distribution.constant(7_000), Distribution.constant(5_000))));
    Answers client = new Answers(cluster);
    assertThat(client.write(1, 1, ALL).tookNanos()).isEqualTo(112 * MICRO);
    assertThat(cluster.energy().clientBusyNanos(simulation.nowNanos())).isEqualTo(12_000);
  }

  @Test
  void aNodeThatFailsLosesItsWorkAndLeavesThatOfOthersOnItsMachine() {
    SimCluster cluster =
        cluster(
            config(3, 2, times(0, 200))
                .hosts(shared(2))
                .timeoutNanos(SECOND / 10, SECOND / 10)
                .detectionNanos(SECOND / 100));
    Clients clients = Clients.open(cluster, workload(), ONE, ONE, 6_000, 200, SEED);
    for (int round = 0; round < 4; round++) {
      simulation.runUntil((2 * round + 1) * SECOND / 4);
      int node = round % 3;
      long others = othersBusy(cluster, node);
      long own = cluster.energy().busyNanos(node, simulation.nowNanos());
      cluster.fail(node);
      simulation.runUntil((2 * round + 2) * SECOND / 4);
      assertThat(cluster.energy().busyNanos(node, simulation.nowNanos())).isEqualTo(own);
      assertThat(othersBusy(cluster, node)).isGreaterThan(others);
      cluster.recover(node);
    }
    clients.stop();
    simulation.runWhile(() -> !cluster.isSettled());
    ClusterCounts counts = cluster.counts();
    assertThat(counts.messagesLost()).isPositive();
    assertThat(counts.underWay()).isZero();
    assertThat(counts.messagesUnderWay()).isZero();
    assertThat(counts.ok() + counts.notFound() + counts.refused() + counts.indeterminate())
        .isEqualTo(counts.reads() + counts.writes());
    assertThat(cluster.jobsAt(0)).isZero();
  }

  @Test
  void aNodesOwnWorkTakesItsShareOfACoreWhileTheNodeServes() {
    SimCluster cluster =
        cluster(
            config(2, 1, times(0, 100))
                .background(new Background(0.08, Distribution.exponential(1e6))));
    simulation.runUntil(500 * SECOND);
    long before = cluster.energy().busyNanos(1, simulation.nowNanos());
    // 40000 exponential bursts: the standard deviation of their sum is 0.7 %.
    assertThat(before / 1e9).isCloseTo(40, within(40 * 0.025));
    cluster.fail(1);
    simulation.runUntil(600 * SECOND);
    assertThat(cluster.energy().busyNanos(1, simulation.nowNanos())).isEqualTo(before);
    assertThat(cluster.counts().messages()).isZero();
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void hostsThatCannotBeAreRefused() {
    Host one = new Host("m", 0, List.of("n1", "n9"));
    Host other = new Host("m", 1, List.of("n1"));
    assertThatThrownBy(
            () ->
                config(3, 3, times(0, 100))
                    .hosts(List.of(one, other))
                    .clientWork(new ClientWork("moon", Distribution.NONE, Distribution.NONE))
                    .background(new Background(-1, Distribution.NONE))
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("m has 0 cores")
        .hasMessageContaining("n9")
        .hasMessageContaining("two are called m")
        .hasMessageContaining("node n1 has two")
        .hasMessageContaining("moon")
        .hasMessageContaining("-1.0 cores")
        .hasMessageContaining("without a length");
  }

  private static long othersBusy(SimCluster cluster, int but) {
    long sum = 0;
    for (int node = 0; node < 3; node++) {
      sum += node == but ? 0 : cluster.energy().busyNanos(node, cluster.simulation().nowNanos());
    }
    return sum;
  }

  private static long writeToAll(ClusterConfig.Builder config) {
    Answers client = new Answers(new SimCluster(new Simulation(), config.build()));
    Answers.Answer answer = client.write(1, 1, ALL);
    assertThat(answer.outcome()).isEqualTo(Outcome.OK);
    return answer.tookNanos();
  }

  private SimCluster cluster(ClusterConfig.Builder config) {
    return new SimCluster(simulation, config.seed(SEED).build());
  }

  private static List<Host> shared(int cores) {
    return List.of(new Host("m", cores, THREE));
  }

  private static ClusterConfig.Builder config(int nodes, int replicas, ServiceTimes services) {
    return ClusterConfig.builder(Topology.racks(nodes, 1), TokenRing.even(nodes, replicas))
        .links(Links.builder().build())
        .services(services);
  }

  private static ServiceTimes ofReads(Distribution read) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, none, read, none, none, none, none, 0, 1);
  }

  /** Reads and writes of constant microseconds, and nothing else. */
  private static ServiceTimes times(long read, long write) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(
        none,
        none,
        none,
        none,
        Distribution.constant(1e3 * read),
        none,
        Distribution.constant(1e3 * write),
        none,
        none,
        0,
        1);
  }

  private static Workload workload() {
    return Workload.builder()
        .records(1000)
        .mix(Mix.readUpdate(0.5, 0.5))
        .requests(new RequestDistribution.Uniform())
        .build();
  }
}
