package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.LOCAL_ONE;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.Outcome;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which replies make the answer to a read, and which replicas it repairs. */
class ReadRepliesTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final Simulation simulation = new Simulation();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void digestsAloneAreNoAnswer(boolean digests) {
    // The data is asked of the first replica, which is the slowest.
    SimCluster cluster =
        cluster(
            three()
                .services(reads(MILLI))
                .replicas(ReplicaChoice.FIRST)
                .asksAll(true)
                .digests(digests));
    Answers client = new Answers(cluster);
    cluster.load(0, 10, 1);
    int first = cluster.replicas(1)[0];
    cluster.slow(first, 100);
    for (int i = 0; i < 6; i++) {
      // Without digests any reply has the data.
      long tookNanos = client.read(1, ONE).tookNanos();
      assertThat(tookNanos).isEqualTo(digests ? 100 * MILLI : MILLI);
      client.pass(SECOND);
    }
  }

  @Test
  void theReadOfACopyIsOfThatCopyWhateverOthersHave() {
    SimCluster cluster = behind(three().services(reads(MILLI)).asksAll(true));
    // The copy's own reply is the last to come.
    cluster.slow(0, 100);
    List<Long> versions = new ArrayList<>();
    int reader = cluster.register((tag, outcome, version) -> versions.add(version));
    int canary = cluster.registerWithoutRepair((tag, outcome, version) -> versions.add(version));
    long readsBefore = cluster.counts().replicaReads();
    cluster.readCopy(canary, 0, 1, 0);
    simulation.runUntil(simulation.nowNanos() + SECOND);
    assertThat(cluster.counts().replicaReads() - readsBefore).isEqualTo(1);
    cluster.readCopy(reader, 0, 1, 0);
    simulation.runUntil(simulation.nowNanos() + SECOND);
    assertThat(versions).containsExactly(1L, 1L);
    assertThat(cluster.counts().mismatches()).isZero();
  }

  @Test
  void repliesOfOtherDataCentresSayNothingToALocalRead() {
    Topology topology =
        Topology.of(
            List.of(
                new Topology.Node("n0", "r", "here"),
                new Topology.Node("n1", "r", "there"),
                new Topology.Node("n2", "r", "there")));
    SimCluster cluster =
        behind(
            ClusterConfig.builder(topology, TokenRing.even(3, 3))
                .services(reads(MILLI))
                .links(Links.builder().build())
                .absences(NoWork.HINTS)
                .asksAll(true));
    int[] here = new int[1];
    cluster.slow(0, 100);
    int reader = cluster.register((tag, outcome, version) -> here[0] = (int) version);
    cluster.readThrough(reader, 0, 1, LOCAL_ONE, 0);
    simulation.runUntil(simulation.nowNanos() + SECOND);
    assertThat(here[0]).isEqualTo(1);
  }

  @Test
  void aReadReturnsWhatItsReplicaHasWhenItsServiceBegins() {
    SimCluster cluster =
        cluster(
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .links(Links.builder().build())
                .services(
                    services(Distribution.constant(10 * MILLI), Distribution.constant(MILLI))));
    cluster.load(0, 10, 1);
    List<Long> versions = new ArrayList<>();
    int requester =
        cluster.register(
            (tag, outcome, version) -> {
              assertThat(outcome).isEqualTo(Outcome.OK);
              versions.add(version);
            });
    cluster.read(requester, 0, 1, ONE);
    simulation.runUntil(2 * MILLI);
    // On another core, and done long before the read is.
    cluster.write(requester, 0, 1, 2, ONE);
    simulation.runUntil(4 * MILLI);
    assertThat(cluster.versionAt(1, 0)).isEqualTo(2);
    simulation.runUntil(SECOND);
    cluster.read(requester, 0, 1, ONE);
    simulation.runUntil(2 * SECOND);
    assertThat(versions).hasSize(3).endsWith(1L, 2L);
  }

  @Test
  void whereDigestsDifferAllSendTheirData() {
    SimCluster cluster = behind(three());
    long before = cluster.counts().replicaReads();
    assertThat(new Answers(cluster).read(1, ALL).version()).isEqualTo(2);
    assertThat(cluster.counts().replicaReads() - before).isEqualTo(3 + 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReplicaIsRepairedOnce(boolean all) {
    SimCluster cluster = behind(three().readRepair(ReadRepair.BLOCKING).backgroundRepair(1));
    Answers client = new Answers(cluster);
    client.read(1, all ? ALL : QUORUM);
    client.pass(SECOND);
    assertThat(cluster.counts().repairs()).isEqualTo(1);
    assertThat(cluster.versionAt(1, 0)).isEqualTo(2);
  }

  /** A cluster whose node 0 has version 1 of key 1, and the others version 2. */
  private SimCluster behind(ClusterConfig.Builder config) {
    SimCluster cluster = cluster(config.detectionNanos(0).absences(NoWork.HINTS));
    Answers client = new Answers(cluster);
    cluster.load(0, 10, 1);
    cluster.fail(0);
    client.pass(1);
    client.write(1, 2, QUORUM);
    cluster.recover(0);
    client.pass(SECOND);
    assertThat(List.of(0, 1, 2).stream().map(node -> cluster.versionAt(1, node)))
        .containsExactly(1L, 2L, 2L);
    return cluster;
  }

  private SimCluster cluster(ClusterConfig.Builder config) {
    return new SimCluster(simulation, config.seed(SEED).build());
  }

  private static ClusterConfig.Builder three() {
    return ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 3))
        .links(Links.builder().build());
  }

  private static ServiceTimes reads(double nanos) {
    return services(Distribution.constant(nanos), Distribution.NONE);
  }

  private static ServiceTimes services(Distribution read, Distribution write) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, none, read, read, write, none, none, 0, 1);
  }
}
