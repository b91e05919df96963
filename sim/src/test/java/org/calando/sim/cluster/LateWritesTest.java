package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.EACH_QUORUM;
import static org.calando.core.store.ConsistencyLevel.LOCAL_QUORUM;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.sim.away.Absences;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that lag, and hints of those that never come. */
class LateWritesTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long LAG = 5 * SECOND;

  private final Simulation simulation = new Simulation();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteThatLagsLongerThanTheTimeoutComesThen(boolean hints) {
    Absences absences = hints ? Absences.DEFAULT : NoWork.HINTS;
    SimCluster cluster = cluster(one().lag(Distribution.constant(LAG)).absences(absences));
    Answers client = new Answers(cluster);
    assertThat(client.write(1, 1, ONE).outcome()).isEqualTo(Outcome.OK);
    client.pass(LAG - 100 * MILLI);
    assertThat(holders(cluster, 1)).hasSize(1);
    client.pass(200 * MILLI);
    assertThat(holders(cluster, 1)).hasSize(3);
    assertThat(cluster.counts().hintsKept()).isZero();
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void aLateWriteThatIsLostIsKeptForItsReplica() {
    SimCluster cluster = cluster(one().lag(Distribution.constant(LAG)).detectionNanos(100 * MILLI));
    Answers client = new Answers(cluster);
    client.write(1, 1, ONE);
    int late = (holders(cluster, 1).get(0) + 1) % 3;
    client.pass(LAG / 2);
    cluster.fail(late);
    client.pass(LAG);
    assertThat(holders(cluster, 1)).hasSize(2).doesNotContain(late);
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(1);
    cluster.recover(late);
    simulation.runWhile(() -> !cluster.isSettled());
    assertThat(holders(cluster, 1)).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCAL_QUORUM", "EACH_QUORUM"})
  void noWriteWaitsForReplicasThatLag(ConsistencyLevel level) {
    SimCluster cluster = cluster(twoCentres().lag(Distribution.constant(LAG)));
    Answers client = new Answers(cluster);
    for (int key = 0; key < 50; key++) {
      assertThat(client.write(key, 1, level).tookNanos())
          .as("seed %d, key %d", SEED, key)
          .isLessThan(200 * MILLI);
    }
    assertThat(client.write(1, 2, LOCAL_QUORUM).tookNanos()).isLessThan(20 * MILLI);
    assertThat(client.write(1, 3, EACH_QUORUM).tookNanos()).isGreaterThan(100 * MILLI);
  }

  @Test
  void noWriteCountsOnAReplicaThatIsDown() {
    SimCluster cluster = cluster(one().lag(Distribution.constant(LAG)).detectionNanos(0));
    Answers client = new Answers(cluster);
    cluster.fail(1);
    client.pass(1);
    for (int key = 0; key < 30; key++) {
      assertThat(client.write(key, 1, ONE).tookNanos())
          .as("seed %d, key %d", SEED, key)
          .isLessThan(100 * MILLI);
    }
  }

  @Test
  void aCoordinatorThatFailsForgetsTheWritesItWaitedFor() {
    // Node 1 coordinates; what it sends is on its way for 50 ms.
    SimCluster cluster = cluster(slowLinks());
    begin(cluster);
    simulation.runUntil(60 * MILLI);
    cluster.fail(1);
    simulation.runUntil(10 * SECOND);
    assertThat(holders(cluster, 1)).isNotEmpty();
    assertThat(cluster.counts().hintsKept()).isZero();
    assertThat(cluster.isSettled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCoordinatorThatFailedKnowsNothingOfRepliesThatComeAfterItsReturn(boolean reads) {
    // Node 1 coordinates; replies come 200 ms after it asked.
    SimCluster cluster = cluster(slowLinks());
    cluster.load(1, 1, 1);
    List<Outcome> told = new ArrayList<>();
    int requester = cluster.register((tag, outcome, version) -> told.add(outcome));
    if (reads) {
      cluster.read(requester, 0, 1, ALL);
    } else {
      cluster.write(requester, 0, 1, 2, ALL);
    }
    simulation.runUntil(60 * MILLI);
    cluster.fail(1);
    cluster.recover(1);
    simulation.runUntil(SECOND);
    assertThat(told).isEmpty();
    simulation.runUntil(10 * SECOND);
    assertThat(told).containsExactly(Outcome.INDETERMINATE);
    assertThat(cluster.isSettled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCoordinatorThatFailedSendsNoWritesThatLagged(boolean returns) {
    SimCluster cluster = cluster(one().lag(Distribution.constant(LAG)));
    begin(cluster);
    simulation.runUntil(LAG / 2);
    List<Integer> before = holders(cluster, 1);
    assertThat(before).hasSize(1);
    cluster.fail(1);
    if (returns) {
      cluster.recover(1);
    }
    simulation.runUntil(3 * LAG);
    assertThat(holders(cluster, 1)).isEqualTo(before);
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void whatACoordinatorHadSentWhenItFailedComes() {
    // What lags leaves at 5 s, and is on its way for 100 ms.
    SimCluster cluster = cluster(slowLinks().lag(Distribution.constant(LAG)));
    begin(cluster);
    simulation.runUntil(LAG + 60 * MILLI);
    assertThat(holders(cluster, 1)).hasSizeLessThan(3);
    cluster.fail(1);
    simulation.runUntil(2 * LAG);
    assertThat(holders(cluster, 1)).hasSize(3);
    assertThat(cluster.isSettled()).isTrue();
  }

  @Test
  void aCoordinatorThatServesKeepsTheWritesThatWereLost() {
    SimCluster cluster = cluster(slowLinks());
    begin(cluster);
    simulation.runUntil(60 * MILLI);
    cluster.delayLinks((from, to) -> 20 * SECOND);
    cluster.fail(2);
    simulation.runUntil(10 * SECOND);
    assertThat(cluster.counts().hintsKept()).isPositive();
  }

  @Test
  void hintsOfCoordinatorsThatStayDeadKeepNobodyWaiting() {
    SimCluster cluster = cluster(one().detectionNanos(0));
    Answers client = new Answers(cluster);
    cluster.fail(2);
    client.pass(1);
    for (int key = 0; key < 4; key++) {
      client.write(key, 1, ONE);
    }
    client.pass(SECOND);
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(4);
    cluster.fail(0);
    cluster.fail(1);
    client.pass(SECOND);
    cluster.recover(2);
    client.pass(5 * SECOND);
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(4);
    assertThat(cluster.isSettled()).isTrue();
    cluster.recover(0);
    cluster.recover(1);
    assertThat(cluster.isSettled()).isFalse();
    simulation.runWhile(() -> !cluster.isSettled());
    assertThat(cluster.counts().hintsWaiting()).isZero();
    assertThat(holders(cluster, 0)).contains(2);
  }

  @Test
  void aHintThatFoundNoRoomIsSentAgain() {
    // One core and room for one job that waits: hints of 10 ms each come every 1 ms.
    SimCluster cluster =
        cluster(one().services(writes(10 * MILLI)).most(1 << 22, 1).detectionNanos(0));
    Answers client = new Answers(cluster);
    cluster.fail(2);
    client.pass(1);
    for (int key = 0; key < 20; key++) {
      client.write(key, 1, ONE);
      client.pass(SECOND);
    }
    assertThat(cluster.counts().hintsWaiting()).isEqualTo(20);
    cluster.recover(2);
    simulation.runUntil(simulation.nowNanos() + 10 * SECOND);
    assertThat(cluster.counts().messagesLost()).isPositive();
    assertThat(cluster.counts().hintsWaiting()).isZero();
    assertThat(cluster.isSettled()).isTrue();
    for (int key = 0; key < 20; key++) {
      assertThat(holders(cluster, key)).contains(2);
    }
  }

  private void begin(SimCluster cluster) {
    int requester = cluster.register((tag, outcome, version) -> {});
    cluster.write(requester, 0, 1, 1, ONE);
  }

  private SimCluster cluster(ClusterConfig.Builder config) {
    return new SimCluster(simulation, config.seed(SEED).build());
  }

  private static ClusterConfig.Builder one() {
    return ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 3));
  }

  private static ClusterConfig.Builder slowLinks() {
    Links links =
        Links.builder()
            .client(Distribution.constant(MILLI))
            .withinRack(Distribution.constant(100 * MILLI))
            .build();
    return one().links(links);
  }

  private static ServiceTimes writes(double nanos) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(
        none, none, none, none, none, none, Distribution.constant(nanos), none, none, 0, 1);
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

  private static List<Integer> holders(SimCluster cluster, long key) {
    List<Integer> holders = new ArrayList<>();
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      if (cluster.versionAt(key, node) > 0) {
        holders.add(node);
      }
    }
    return holders;
  }
}
