package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.EACH_QUORUM;
import static org.calando.core.store.ConsistencyLevel.LOCAL_ONE;
import static org.calando.core.store.ConsistencyLevel.LOCAL_QUORUM;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimClusterTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final Simulation simulation = new Simulation();

  @Test
  void aWriteReachesEveryReplicaAndNobodyElse() {
    SimCluster cluster = cluster(config(6, 3));
    Answers client = new Answers(cluster);
    assertThat(client.read(7, ONE).outcome()).isEqualTo(Outcome.NOT_FOUND);
    assertThat(client.write(7, 5, ONE).outcome()).isEqualTo(Outcome.OK);
    assertThat(client.write(7, 4, ALL).version()).isEqualTo(Session.NO_VERSION);
    client.pass(SECOND);
    assertThat(client.read(7, ALL).version()).isEqualTo(5);
    assertThat(versions(cluster, 7).stream().filter(v -> v == 5)).hasSize(3);
    assertThat(versions(cluster, 7).stream().filter(v -> v == 0)).hasSize(3);
  }

  @Test
  void anOperationTakesWhatItsPartsTake() {
    Distribution client = Distribution.constant(1_000);
    Distribution link = Distribution.constant(50_000);
    ServiceTimes services =
        new ServiceTimes(
            Distribution.constant(10),
            Distribution.constant(200),
            Distribution.constant(3),
            Distribution.constant(7),
            Distribution.constant(4_000),
            Distribution.constant(2_000),
            Distribution.constant(600),
            Distribution.constant(1),
            Distribution.NONE,
            0,
            1);
    Links links = Links.builder().client(client).betweenRacks(link).build();
    SimCluster cluster =
        cluster(
            ClusterConfig.builder(Topology.racks(2, 2), only(1))
                .clients("dc1")
                .links(links)
                .services(services));
    Answers asks = new Answers(cluster);
    // Node 1 comes first by turns, then node 0.
    asks.read(1, ONE);
    assertThat(asks.read(1, ONE).tookNanos())
        .isEqualTo(2 * 1_000 + 10 + 200 + 3 + 2 * 50_000 + 4_000 + 7);
    asks.write(1, 1, ONE);
    assertThat(asks.write(1, 1, ONE).tookNanos())
        .isEqualTo(2 * 1_000 + 10 + 200 + 3 + 2 * 50_000 + 600 + 7);
  }

  @ParameterizedTest
  @EnumSource(names = {"ONE", "QUORUM", "ALL"})
  void noOperationIsLostOrMadeUpUnderLoadAndFailures(ConsistencyLevel level) {
    SimCluster cluster = cluster(config(9, 3).timeoutNanos(100 * MILLI, 100 * MILLI));
    Clients clients = Clients.open(cluster, workload(1000), level, level, 3_000, 500, SEED);
    for (int round = 0; round < 6; round++) {
      int node = round * 5 % 9;
      simulation.runUntil((2 * round + 1) * SECOND);
      cluster.fail(node);
      assertConserved(cluster.counts());
      assertThat(cluster.counts().underWay()).isPositive();
      simulation.runUntil((2 * round + 2) * SECOND);
      cluster.recover(node);
      assertConserved(cluster.counts());
    }
    clients.stop();
    simulation.runWhile(() -> !cluster.isSettled());
    ClusterCounts counts = cluster.counts();
    assertConserved(counts);
    assertThat(counts.underWay()).isZero();
    assertThat(counts.messagesUnderWay()).isZero();
    assertThat(counts.messagesLost()).isPositive();
    assertThat(counts.reads() + counts.writes()).isGreaterThan(10_000);
    assertThat(clients.reads() + clients.writes() + clients.errors())
        .isEqualTo(counts.reads() + counts.writes());
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void energyIsIdlePowerForTheTimeAndDynamicPowerForTheWork() {
    SimCluster cluster = cluster(config(9, 3));
    Clients clients =
        Clients.closed(cluster, workload(1000), ONE, ONE, 30, Distribution.NONE, SEED);
    double inSteps = 0;
    for (int step = 1; step <= 7; step++) {
      simulation.runUntil(step * 777L * MILLI);
      inSteps = cluster.energy().joules(simulation.nowNanos());
    }
    clients.stop();
    simulation.runWhile(() -> !cluster.isSettled());
    long now = simulation.nowNanos();
    double busySeconds = 0;
    for (int node = 0; node < 9; node++) {
      busySeconds += cluster.energy().busyNanos(node, now) / 1e9;
    }
    // The default profile: 75 W idle, 150 W with 4 cores busy, a straight line.
    double expected = 9 * 75 * now / 1e9 + (150 - 75) / 4.0 * busySeconds;
    assertThat(inSteps).isPositive();
    assertThat(cluster.energy().joules(now)).isCloseTo(expected, within(1e-9 * expected));
    assertThat(cluster.startedNanos() / 1e9).isCloseTo(busySeconds, within(1e-9));
  }

  @Test
  void nodesThatAreOffOrBootDrawWhatTheirProfileSays() {
    SimCluster cluster = cluster(config(3, 3));
    Answers client = new Answers(cluster);
    cluster.switchOff(0);
    client.pass(10 * SECOND);
    assertThat(cluster.energy().joules(0, simulation.nowNanos())).isCloseTo(80, within(1e-9));
    assertThat(client.write(1, 1, ALL).outcome()).isEqualTo(Outcome.REFUSED);
    cluster.switchOn(0);
    long begin = simulation.nowNanos();
    double before = cluster.energy().joules(0, begin);
    simulation.runUntil(begin + 120 * SECOND - 1);
    assertThat(cluster.isServing(0)).isFalse();
    simulation.runUntil(begin + 120 * SECOND);
    assertThat(cluster.isServing(0)).isTrue();
    assertThat(cluster.energy().joules(0, simulation.nowNanos()) - before)
        .isCloseTo(110 * 120, within(1e-6));
    assertThat(client.write(1, 2, ALL).outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void writesForANodeThatIsDownAreKeptAndSentWhenItReturns() {
    SimCluster cluster = cluster(config(3, 3).detectionNanos(100 * MILLI));
    Answers client = new Answers(cluster);
    cluster.fail(1);
    client.pass(200 * MILLI);
    assertThat(client.write(1, 1, ALL).outcome()).isEqualTo(Outcome.REFUSED);
    for (int key = 1; key <= 20; key++) {
      assertThat(client.write(key, 2, QUORUM).outcome()).isEqualTo(Outcome.OK);
    }
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(20);
    assertThat(cluster.versionAt(5, 1)).isZero();
    cluster.recover(1);
    simulation.runWhile(() -> !cluster.isSettled());
    assertThat(cluster.counts().hintsWaiting()).isZero();
    for (int key = 1; key <= 20; key++) {
      assertThat(versions(cluster, key)).containsOnly(2L);
    }
  }

  @Test
  void aFailureThatNobodyHasNoticedTimesOutAndItsWriteIsKept() {
    SimCluster cluster =
        cluster(
            config(3, 3)
                .coordinators(CoordinatorChoice.ROUND_ROBIN)
                .timeoutNanos(50 * MILLI, 40 * MILLI));
    Answers client = new Answers(cluster);
    cluster.fail(2);
    // By turns node 1 coordinates, then the dead one, then node 0.
    Answers.Answer written = client.write(1, 1, ALL);
    assertThat(written.outcome()).isEqualTo(Outcome.INDETERMINATE);
    assertThat(written.tookNanos()).isEqualTo(40 * MILLI);
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(1);
    Answers.Answer read = client.read(1, ONE);
    assertThat(read.outcome()).isEqualTo(Outcome.INDETERMINATE);
    assertThat(read.tookNanos()).isEqualTo(50 * MILLI);
    assertThat(client.read(1, QUORUM).outcome()).isIn(Outcome.OK, Outcome.INDETERMINATE);
  }

  @Test
  void aWriteThatWasAcknowledgedIsKeptForAReplicaThatLostIt() {
    SimCluster cluster = cluster(config(3, 3).timeoutNanos(50 * MILLI, 40 * MILLI));
    Answers client = new Answers(cluster);
    // Node 1 coordinates; nobody has noticed the other's failure.
    cluster.fail(2);
    assertThat(client.write(1, 1, ONE).outcome()).isEqualTo(Outcome.OK);
    assertThat(cluster.counts().hintsKept()).isZero();
    client.pass(40 * MILLI);
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(1);
    cluster.recover(2);
    simulation.runWhile(() -> !cluster.isSettled());
    assertThat(versions(cluster, 1)).containsOnly(1L);
  }

  @Test
  void withoutAnyNodeRequestsAreRefused() {
    SimCluster cluster = cluster(config(1, 1).detectionNanos(0));
    cluster.fail(0);
    Answers client = new Answers(cluster);
    client.pass(1);
    assertThat(client.read(1, ONE).outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void aReadThatFindsDifferentVersionsRepairsThemBeforeItAnswers() {
    SimCluster cluster =
        behind(config(3, 3).absences(NoWork.HINTS).readRepair(ReadRepair.BLOCKING));
    Answers client = new Answers(cluster);
    assertThat(client.read(1, ALL).version()).isEqualTo(2);
    assertThat(versions(cluster, 1)).containsOnly(2L);
    assertThat(cluster.counts().mismatches()).isEqualTo(1);
    assertThat(cluster.counts().repairs()).isEqualTo(1);
  }

  @Test
  void withoutRepairAReadReturnsTheNewestVersionAndLeavesTheOthers() {
    SimCluster cluster = behind(config(3, 3).absences(NoWork.HINTS));
    Answers client = new Answers(cluster);
    assertThat(client.read(1, ALL).version()).isEqualTo(2);
    client.pass(SECOND);
    assertThat(versions(cluster, 1)).containsExactlyInAnyOrder(0L, 2L, 2L);
  }

  @Test
  void repairInTheBackgroundFollowsTheAnswer() {
    SimCluster cluster = behind(config(3, 3).absences(NoWork.HINTS).backgroundRepair(1));
    Answers client = new Answers(cluster);
    client.read(1, ONE);
    client.pass(SECOND);
    assertThat(versions(cluster, 1)).containsOnly(2L);
  }

  @Test
  void levelsOfADataCentreWaitForItsReplicasOnly() {
    SimCluster cluster = cluster(twoCentres());
    Answers client = new Answers(cluster);
    assertThat(client.write(1, 1, LOCAL_QUORUM).tookNanos()).isLessThan(20 * MILLI);
    assertThat(client.write(1, 2, EACH_QUORUM).tookNanos()).isGreaterThan(100 * MILLI);
    assertThat(client.write(1, 3, ALL).tookNanos()).isGreaterThan(100 * MILLI);
    assertThat(client.read(1, LOCAL_ONE).tookNanos()).isLessThan(20 * MILLI);
    assertThat(client.read(1, LOCAL_QUORUM).version()).isEqualTo(3);
    assertThat(client.read(1, EACH_QUORUM).tookNanos()).isGreaterThan(100 * MILLI);
  }

  @Test
  void coordinatorsThatKnowTheFastestReplicasAskThem() {
    SimCluster cluster = cluster(twoCentres().replicas(ReplicaChoice.FASTEST));
    Answers client = new Answers(cluster);
    client.write(1, 1, ALL);
    for (int i = 0; i < 50; i++) {
      client.read(1, ONE);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(client.read(1, ONE).tookNanos()).isLessThan(20 * MILLI);
    }
  }

  @Test
  void clientsThatKnowTheRingSpareAMessage() {
    Links links =
        Links.builder()
            .client(Distribution.constant(1_000))
            .withinRack(Distribution.constant(50_000))
            .build();
    SimCluster cluster =
        cluster(
            config(9, 3)
                .links(links)
                .services(NoWork.services())
                .coordinators(CoordinatorChoice.TOKEN_AWARE)
                .replicas(ReplicaChoice.FASTEST));
    Answers client = new Answers(cluster);
    client.write(1, 1, ALL);
    for (int i = 0; i < 10; i++) {
      assertThat(client.read(1, ONE).tookNanos()).isEqualTo(2_000);
    }
    assertThat(client.read(1, QUORUM).tookNanos()).isEqualTo(102_000);
  }

  @Test
  void aDiskSharedByReadsMakesThemWait() {
    ServiceTimes plain = NoWork.services();
    ServiceTimes services =
        new ServiceTimes(
            plain.client(),
            plain.coordinator(),
            plain.message(),
            plain.reply(),
            plain.read(),
            plain.digest(),
            plain.write(),
            plain.scannedRecord(),
            Distribution.constant(8 * MILLI),
            1,
            1);
    SimCluster cluster = cluster(config(3, 3).services(services).links(Links.builder().build()));
    Answers client = new Answers(cluster);
    client.write(1, 1, ALL);
    assertThat(client.read(1, ONE).tookNanos()).isEqualTo(8 * MILLI);
  }

  @Test
  void aSlowNodeTakesAMultipleOfItsTime() {
    SimCluster cluster =
        cluster(
            config(1, 1)
                .services(
                    new ServiceTimes(
                        Distribution.NONE,
                        Distribution.NONE,
                        Distribution.NONE,
                        Distribution.NONE,
                        Distribution.constant(100),
                        Distribution.NONE,
                        Distribution.constant(100),
                        Distribution.NONE,
                        Distribution.NONE,
                        0,
                        1))
                .links(Links.builder().build()));
    Answers client = new Answers(cluster);
    assertThat(client.write(1, 1, ONE).tookNanos()).isEqualTo(100);
    cluster.slow(0, 2.5);
    assertThat(client.write(1, 2, ONE).tookNanos()).isEqualTo(250);
  }

  @Test
  void theSameSeedGivesTheSameRunAndAnotherOneAnother() {
    assertThat(fingerprint(SEED)).isEqualTo(fingerprint(SEED)).isNotEqualTo(fingerprint(SEED + 1));
  }

  @Test
  void staleReadsEndWhereLevelsOverlap() {
    Links links =
        Links.builder().kind(LinkKind.WRITE, Distribution.exponential(20 * MILLI)).build();
    SimCluster weak = cluster(config(5, 3).links(links));
    Clients one = Clients.open(weak, workload(10), ONE, ONE, 1_000, 1000, SEED);
    simulation.runUntil(5 * SECOND);
    assertThat(one.staleReads()).isPositive().isLessThan(one.reads());
    Simulation other = new Simulation();
    SimCluster strong = new SimCluster(other, config(5, 3).links(links).seed(SEED).build());
    Clients quorum = Clients.open(strong, workload(10), QUORUM, QUORUM, 1_000, 1000, SEED);
    other.runUntil(5 * SECOND);
    assertThat(quorum.reads()).isGreaterThan(1000);
    assertThat(quorum.staleReads()).isZero();
  }

  @Test
  void clustersThatCannotBeAreRefused() {
    assertThatThrownBy(() -> config(3, 3).backgroundRepair(1.5).timeoutNanos(0, 1).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("1.5")
        .hasMessageContaining("read timeout");
    assertThatThrownBy(() -> config(3, 3).clients("moon").build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("moon");
    Links links = Links.builder().pair("dc1:r9", "dc1:r1", Distribution.NONE).build();
    assertThatThrownBy(() -> config(3, 3).links(links).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("dc1:r9");
    assertThatThrownBy(() -> config(3, 3).timeoutNanos(SECOND, Long.MAX_VALUE).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("9223372036854775807 ns");
    Workload large = workload((1 << 29) + 1);
    SimCluster cluster = cluster(config(3, 3));
    assertThatThrownBy(() -> Clients.open(cluster, large, ONE, ONE, 1, 1, SEED))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("536870913 records");
  }

  private static String fingerprint(long seed) {
    Simulation simulation = new Simulation();
    SimCluster cluster = new SimCluster(simulation, config(7, 3).seed(seed).build());
    Clients clients =
        Clients.closed(
            cluster, workload(100), ONE, QUORUM, 20, Distribution.exponential(MILLI), seed);
    simulation.runUntil(3 * SECOND);
    return simulation.events()
        + " "
        + cluster.counts()
        + " "
        + cluster.energy().joules(simulation.nowNanos())
        + " "
        + clients.meanReadNanos()
        + " "
        + clients.staleReads();
  }

  private SimCluster cluster(ClusterConfig.Builder config) {
    return new SimCluster(simulation, config.seed(SEED).build());
  }

  /** A cluster one of whose three replicas missed version 2 of key 1. */
  private SimCluster behind(ClusterConfig.Builder config) {
    SimCluster cluster = cluster(config.detectionNanos(0));
    Answers client = new Answers(cluster);
    cluster.fail(0);
    client.pass(1);
    client.write(1, 2, QUORUM);
    cluster.recover(0);
    client.pass(SECOND);
    assertThat(versions(cluster, 1)).containsExactlyInAnyOrder(0L, 2L, 2L);
    return cluster;
  }

  private static ClusterConfig.Builder config(int nodes, int replicas) {
    return ClusterConfig.builder(Topology.racks(nodes, 1), TokenRing.even(nodes, replicas));
  }

  private static ClusterConfig.Builder twoCentres() {
    List<Topology.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(new Topology.Node("n" + i, "r1", i % 2 == 0 ? "east" : "west"));
    }
    Topology topology = Topology.of(nodes);
    Links links =
        Links.builder()
            .withinRack(Distribution.constant(100_000))
            .betweenDataCentres(Distribution.constant(60 * MILLI))
            .build();
    return ClusterConfig.builder(
            topology,
            TokenRing.networkTopology(
                TokenRing.evenTokens(6), topology, Map.of("east", 3, "west", 3)))
        .links(links)
        .clients("east");
  }

  private static Placement only(int node) {
    int[] placed = {node};
    return new Placement() {
      @Override
      public int[] replicas(long token) {
        return placed;
      }

      @Override
      public int replicationFactor() {
        return 1;
      }
    };
  }

  private static Workload workload(int records) {
    return Workload.builder()
        .records(records)
        .mix(Mix.readUpdate(0.5, 0.5))
        .requests(new RequestDistribution.Uniform())
        .build();
  }

  private static List<Long> versions(SimCluster cluster, long key) {
    List<Long> versions = new ArrayList<>();
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      versions.add(cluster.versionAt(key, node));
    }
    return versions;
  }

  private static void assertConserved(ClusterCounts counts) {
    assertThat(
            counts.ok()
                + counts.notFound()
                + counts.refused()
                + counts.indeterminate()
                + counts.underWay())
        .isEqualTo(counts.reads() + counts.writes());
    assertThat(counts.messagesEnded() + counts.messagesUnderWay()).isEqualTo(counts.messages());
  }
}
