package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.TWO;

import java.util.stream.LongStream;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.cluster.MasterReplica.From;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MasterReplicaTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final double WRITES_PER_SECOND = 20;
  private static final double LAG = 30e6;

  private final Simulation simulation = new Simulation();

  @ParameterizedTest
  @CsvSource({"MASTER, 0", "ANY, 0.6666666666666666", "REPLICA, 1"})
  void readsAreAsStaleAsTheLagSays(From from, double shareOfReplicas) {
    // A replica's read is stale if a write came within the lag: 1 - E[exp(-rate lag)].
    double rate = WRITES_PER_SECOND / 1e9;
    double constant = 1 - StrictMath.exp(-rate * LAG);
    double exponential = rate * LAG / (1 + rate * LAG);
    assertThat(staleShare(Distribution.constant(LAG), from, ONE))
        .isCloseTo(shareOfReplicas * constant, within(0.012));
    assertThat(staleShare(Distribution.exponential(LAG), from, ONE))
        .isCloseTo(shareOfReplicas * exponential, within(0.012));
  }

  @Test
  void theNewestOfSeveralReplicasIsStaleOnlyIfAllAre() {
    // Two of three at random: in a third of the cases both are replicas. The newer of them is stale
    // until the shorter lag is over, the mean of which is half that of exponential lags.
    double rate = WRITES_PER_SECOND / 1e9;
    double constant = 1 - StrictMath.exp(-rate * LAG);
    assertThat(staleShare(Distribution.constant(LAG), From.ANY, TWO))
        .isCloseTo(constant / 3, within(0.012));
    double shorter = rate * LAG / 2 / (1 + rate * LAG / 2);
    assertThat(staleShare(Distribution.exponential(LAG), From.ANY, TWO))
        .isCloseTo(shorter / 3, within(0.012));
    assertThat(staleShare(Distribution.constant(LAG), From.ANY, ALL)).isZero();
  }

  @Test
  void theMasterAcknowledgesByItselfAndLaterForReplicas() {
    Answers client = new Answers(cluster(Distribution.constant(5e6), From.MASTER));
    assertThat(client.write(1, 1, ONE).tookNanos()).isEqualTo(2 * MILLI);
    assertThat(client.write(1, 2, TWO).tookNanos()).isEqualTo(2 * MILLI + 5 * MILLI + 2 * MILLI);
    client.pass(SECOND);
    assertThat(client.read(1, ONE).version()).isEqualTo(2);
    assertThat(client.read(1, ONE).tookNanos()).isEqualTo(2 * MILLI);
  }

  @Test
  void whatAMasterHadNotSentWhenItFailedIsNotOnItsReplicasUntilItReturns() {
    SimCluster cluster = cluster(Distribution.constant(5e6), From.MASTER);
    Answers client = new Answers(cluster);
    client.write(1, 1, ALL);
    client.write(1, 2, ONE);
    int master = masterOf(cluster, 2);
    cluster.fail(master);
    client.pass(SECOND);
    assertThat(client.read(1, ONE).version()).isEqualTo(1);
    cluster.recover(master);
    client.pass(20 * SECOND);
    for (int node = 0; node < 3; node++) {
      assertThat(cluster.versionAt(1, node)).isEqualTo(2);
    }
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void whatAMasterHadSentWhenItFailedReachesItsReplicas() {
    // Written at 50 ms, sent at 55 ms, and there at 105 ms.
    for (long failsNanos : new long[] {52 * MILLI, 80 * MILLI}) {
      Simulation own = new Simulation();
      SimCluster cluster =
          new SimCluster(
              own,
              config(Distribution.constant(5e6), From.MASTER)
                  .links(Links.uniform(Distribution.constant(50e6)))
                  .build());
      int[] replicas = cluster.replicas(1);
      int requester = cluster.register((tag, outcome, version) -> {});
      cluster.write(requester, 0, 1, 7, ONE);
      own.runUntil(failsNanos);
      cluster.fail(replicas[0]);
      own.runUntil(SECOND);
      int expected = failsNanos > 55 * MILLI ? 7 : 0;
      assertThat(cluster.versionAt(1, replicas[1])).isEqualTo(expected);
      assertThat(cluster.versionAt(1, replicas[2])).isEqualTo(expected);
    }
  }

  @Test
  void whatAMasterHadNotWrittenWhenItFailedIsLost() {
    Distribution none = Distribution.NONE;
    Distribution write = Distribution.constant(100 * MILLI);
    SimCluster cluster =
        cluster(new ServiceTimes(none, none, none, none, none, none, write, none, none, 0, 1));
    int[] replicas = cluster.replicas(1);
    cluster.fail(replicas[2]);
    simulation.runUntil(SECOND);
    writeAndFailAfter(cluster, 50 * MILLI);
    cluster.recover(replicas[2]);
    for (int replica : replicas) {
      assertThat(cluster.versionAt(1, replica)).as("node %d", replica).isZero();
    }
    assertThat(cluster.counts().hintsKept()).isZero();
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void whatAMasterHadWrittenAndNotSentReachesAllReplicasAfterItsReturn() {
    // It fails while it is about to acknowledge the write to itself.
    Distribution none = Distribution.NONE;
    Distribution reply = Distribution.constant(100 * MILLI);
    SimCluster cluster =
        cluster(new ServiceTimes(none, none, none, reply, none, none, none, none, none, 0, 1));
    int[] replicas = cluster.replicas(1);
    cluster.fail(replicas[2]);
    simulation.runUntil(SECOND);
    writeAndFailAfter(cluster, 50 * MILLI);
    cluster.recover(replicas[2]);
    simulation.runUntil(simulation.nowNanos() + 20 * SECOND);
    for (int replica : replicas) {
      assertThat(cluster.versionAt(1, replica)).as("node %d", replica).isEqualTo(7);
    }
    assertThat(cluster.counts().hintsKept()).isEqualTo(2);
    assertThat(cluster.isSettled()).isTrue();
  }

  /** The master of key 1 fails a time after it is sent version 7, and returns much later. */
  private void writeAndFailAfter(SimCluster cluster, long nanos) {
    int[] told = new int[1];
    int requester =
        cluster.register(
            (tag, outcome, version) -> told[0] += outcome == Outcome.INDETERMINATE ? 1 : 0);
    cluster.write(requester, 0, 1, 7, ONE);
    simulation.runUntil(simulation.nowNanos() + nanos);
    cluster.fail(cluster.replicas(1)[0]);
    simulation.runUntil(simulation.nowNanos() + 10 * SECOND);
    assertThat(told).containsExactly(1);
    cluster.recover(cluster.replicas(1)[0]);
    simulation.runUntil(simulation.nowNanos() + 10 * SECOND);
  }

  @Test
  void anotherReplicaStandsInForAMasterThatIsDown() {
    SimCluster cluster = cluster(Distribution.constant(5e6), From.MASTER);
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    cluster.fail(masterOf(cluster, 1));
    client.pass(SECOND);
    assertThat(client.write(1, 2, TWO).outcome().isError()).isFalse();
    assertThat(client.read(1, ONE).version()).isEqualTo(2);
  }

  @Test
  void aMasterThatReturnsIsMasterAgainWhenItHasWhatWasWrittenMeanwhile() {
    // The first replica of about 170 of the keys fails; hints for it are sent one a millisecond.
    SimCluster cluster = cluster(Distribution.constant(5e6), From.MASTER);
    Answers client = new Answers(cluster);
    long[] keys = LongStream.range(0, 500).filter(key -> cluster.replicas(key)[0] == 0).toArray();
    assertThat(keys).hasSizeGreaterThan(50);
    cluster.load(0, 500, 1);
    cluster.fail(0);
    client.pass(SECOND);
    for (long key : keys) {
      assertThat(client.write(key, 2, ONE).outcome()).isEqualTo(Outcome.OK);
    }
    client.pass(5 * SECOND);
    cluster.recover(0);
    client.pass(100 * MILLI + 1);
    int[] stale = new int[1];
    int reader = cluster.register((tag, outcome, version) -> stale[0] += version == 2 ? 0 : 1);
    for (int step = 0; step < 500; step++) {
      for (long key : keys) {
        cluster.read(reader, 0, key, ONE);
      }
      client.pass(MILLI);
    }
    client.pass(SECOND);
    assertThat(stale[0]).isZero();
    assertThat(cluster.counts().hintsWaiting()).isZero();
    assertThat(cluster.coordinated(reader, 0, true)).isPositive();
    long before = cluster.coordinated(reader, 0, true);
    cluster.read(reader, 0, keys[0], ONE);
    assertThat(cluster.coordinated(reader, 0, true)).isEqualTo(before + 1);
  }

  @Test
  void aNodeIsMasterWhereNobodyElseIsUpWhateverItLacks() {
    SimCluster cluster = cluster(Distribution.constant(5e6), From.MASTER);
    Answers client = new Answers(cluster);
    cluster.fail(cluster.replicas(1)[0]);
    client.pass(SECOND);
    client.write(1, 1, ONE);
    client.pass(SECOND);
    for (int node = 0; node < 3; node++) {
      cluster.fail(node);
    }
    client.pass(SECOND);
    cluster.recover(cluster.replicas(1)[0]);
    client.pass(SECOND);
    assertThat(client.read(1, ONE).outcome()).isEqualTo(Outcome.NOT_FOUND);
  }

  @Test
  void twoKindsOfLagAreRefused() {
    assertThatThrownBy(
            () -> config(Distribution.NONE, From.ANY).lag(Distribution.constant(1)).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("lag");
  }

  private static int masterOf(SimCluster cluster, long version) {
    for (int node = 0; node < 3; node++) {
      if (cluster.versionAt(1, node) == version) {
        return node;
      }
    }
    throw new AssertionError("nobody has version " + version);
  }

  /** Of reads of one key that a Poisson process writes, without any other delays. */
  private static double staleShare(Distribution lag, From from, ConsistencyLevel reads) {
    Simulation simulation = new Simulation();
    SimCluster cluster =
        new SimCluster(
            simulation, config(lag, from).links(Links.builder().build()).seed(SEED).build());
    Workload workload =
        Workload.builder()
            .records(1)
            .mix(Mix.readUpdate(0.8, 0.2))
            .requests(new RequestDistribution.Uniform())
            .build();
    Clients clients =
        Clients.open(cluster, workload, reads, ONE, 5 * WRITES_PER_SECOND, 1000, SEED);
    // 80,000 reads: standard deviation below 0.3 % with the correlation of neighbours.
    simulation.runUntil(1000 * SECOND);
    assertThat(clients.errors()).isZero();
    assertThat(clients.reads()).isGreaterThan(75_000);
    return (double) clients.staleReads() / clients.reads();
  }

  private SimCluster cluster(ServiceTimes services) {
    return new SimCluster(
        simulation,
        config(Distribution.constant(5e6), From.MASTER).services(services).seed(SEED).build());
  }

  private SimCluster cluster(Distribution lag, From from) {
    return new SimCluster(simulation, config(lag, from).seed(SEED).build());
  }

  private static ClusterConfig.Builder config(Distribution lag, From from) {
    return ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 3))
        .links(Links.uniform(Distribution.constant(1e6)))
        .services(NoWork.services())
        .detectionNanos(100 * MILLI)
        .masterReplica(new MasterReplica(lag, from));
  }
}
