package org.calando.study.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.calando.core.energy.PStates;
import org.calando.core.layout.WarmShare;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.engine.LinkDelay;
import org.calando.engine.StoreLayout;
import org.calando.sim.away.Stalls;
import org.calando.sim.cluster.Background;
import org.calando.sim.cluster.ClientWork;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.Host;
import org.calando.sim.cluster.MasterReplica;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.WriteBuffer;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.sim.SimSpec;
import org.junit.jupiter.api.Test;

class SimulatedClustersTest {
  private static StudySpec study(String store, String... overrides) {
    String yaml =
        """
        study: test
        store: %s
        workload: {preset: moderate, operations: 10}
        matrix: {consistency: [ONE], threads: [1]}
        """
            .formatted(store);
    return StudyFile.parse(yaml, "study.yaml", Path.of(""), List.of(overrides));
  }

  private static SimulatedClusters clusters(StudySpec study) {
    return new SimulatedClusters(study.store(), study.power().profile(), Optional.empty());
  }

  private static ClusterConfig config(String store, String... overrides) {
    return clusters(study(store, overrides)).config(Optional.empty(), 7);
  }

  @Test
  void whatTheFileLeavesOpenIsAsTheFittedDefaultsHaveIt() {
    ClusterConfig bare = config("{engine: sim}");
    ClusterConfig empty = config("{engine: sim, sim: {}}");
    assertThat(empty.services()).isEqualTo(ServiceTimes.li2013()).isEqualTo(bare.services());
    ClusterConfig defaults =
        ClusterConfig.builder(bare.topology(), bare.placement()).seed(7).build();
    for (ClusterConfig config : List.of(bare, empty)) {
      assertThat(config)
          .usingRecursiveComparison()
          .ignoringFields("placement", "topology", "mostKeys")
          .isEqualTo(defaults);
      assertThat(config.topology().size()).isEqualTo(3);
      assertThat(config.placement().replicationFactor()).isEqualTo(3);
    }
  }

  @Test
  void aLocalClusterOfTheFileIsWhatIsSimulatedUnlessTheFileSaysOtherwise() {
    String local =
        "{engine: cassandra, local: {nodes: 4, racks: 2, rf: 2, layout: half, heap: 512MB}}";
    StudySpec as = study(local, "store.engine=sim");
    assertThat(as.store().local()).isEmpty();
    assertThat(as.store().nodes()).isEqualTo(4);
    assertThat(as.store().replicationFactor()).isEqualTo(2);
    assertThat(as.store().storeLayout().flatMap(StoreLayout::tokens)).contains(WarmShare.HALF);
    ClusterConfig config = clusters(as).config(Optional.empty(), 1);
    assertThat(config.topology().racks()).hasSize(2);
    // As Calando's own sessions and Cassandra without its dynamic snitch do.
    assertThat(config.coordinators()).isEqualTo(CoordinatorChoice.TOKEN_AWARE);
    assertThat(config.replicas()).isEqualTo(ReplicaChoice.NEAREST);
    assertThat(
            clusters(study(local, "store.engine=sim", "store.sim.replicas=first"))
                .config(Optional.empty(), 1))
        .satisfies(
            other -> {
              assertThat(other.coordinators()).isEqualTo(CoordinatorChoice.TOKEN_AWARE);
              assertThat(other.replicas()).isEqualTo(ReplicaChoice.FIRST);
            });
    assertThat(ownership((TokenRing) config.placement(), 0)).isCloseTo(2 / 6.0, within(1e-4));

    StudySpec larger = study(local, "store.engine=sim", "store.sim.nodes=39", "store.sim.rf=5");
    assertThat(larger.store().nodes()).isEqualTo(39);
    assertThat(larger.store().replicationFactor()).isEqualTo(5);
    assertThat(larger.store().storeLayout().flatMap(StoreLayout::tokens)).contains(WarmShare.HALF);
    // The canonical text means the same study.
    assertThat(StudyFile.parse(larger.canonicalText(), "again", Path.of(""), List.of()))
        .isEqualTo(larger);
  }

  @Test
  void everyKeyReachesTheCluster() {
    ClusterConfig config =
        config(
            """
            {engine: sim, request-timeout: 3s, sim: {nodes: 6, racks: 3, rf: 3, partitioner: random, latency: 1ms,
             rack-latency: 2ms, service: {read: {mean: 4ms, variation: 1}, write: {mean: 3ms, least: 1ms,
             variation: 0.5, form: lognormal}, disk: 5ms, disk-share: 10%, disks: 2}, coordinators: token-aware,
             replicas: fastest, read-all: true, digests: false, read-repair: blocking, background-repair: 0.1,
             write-lag: 100ms, hints: false, max-hints: 9, hint-gap: 2ms, write-timeout: 1s, detection: 4s}}
            """);
    assertThat(config.links().client()).isEqualTo(Distribution.constant(1e6));
    ServiceTimes services = config.services();
    assertThat(services.read()).isEqualTo(Distribution.exponential(4e6));
    assertThat(services.digest()).isEqualTo(services.read());
    assertThat(services.write()).isEqualTo(Distribution.lognormal(2e6, 0.5).plus(1e6));
    assertThat(services.disk()).isEqualTo(Distribution.constant(5e6));
    assertThat(services.diskShare()).isEqualTo(0.1);
    assertThat(services.disks()).isEqualTo(2);
    assertThat(config.coordinators()).isEqualTo(CoordinatorChoice.TOKEN_AWARE);
    assertThat(config.replicas()).isEqualTo(ReplicaChoice.FASTEST);
    assertThat(config.asksAll()).isTrue();
    assertThat(config.digests()).isFalse();
    assertThat(config.readRepair()).hasToString("BLOCKING");
    assertThat(config.backgroundRepair()).isEqualTo(0.1);
    assertThat(config.lag()).isEqualTo(Distribution.constant(1e8));
    assertThat(config.hints()).isFalse();
    assertThat(config.absences().mostHints()).isZero();
    assertThat(config.absences().hintGapNanos()).isEqualTo(2_000_000);
    // The file's request-timeout ends what is under way longer.
    assertThat(config.readTimeoutNanos()).isEqualTo(3_000_000_000L);
    assertThat(config.writeTimeoutNanos()).isEqualTo(1_000_000_000L);
    assertThat(config.detectionNanos()).isEqualTo(4_000_000_000L);
    assertThat(config.seed()).isEqualTo(7);
    TokenRing ring = (TokenRing) config.placement();
    for (int node = 0; node < 6; node++) {
      assertThat(ownership(ring, node)).isCloseTo(1 / 6.0, within(1e-4));
    }
  }

  @Test
  void whatNodesRunOnReachesTheCluster() {
    ClusterConfig config =
        config(
            """
            {engine: sim, sim: {nodes: 4, hosts: [{name: m1, cores: 3, nodes: [n1, n2], order: any}],
             client-work: {cores: 2, request: 1ms}, background: {cores: 0.5, linger: 8ms, depth: 4, stalls: {per-busy-second: 2, length: 20ms}},
             clocks: {idle-activity: 10%}, masters: {lag: 5ms, reads: any}, write-buffer: {writes: 7}}}
            """);
    assertThat(config.hosts())
        .containsExactly(
            new Host("m1", 3, List.of("n1", "n2"), true), new Host("clients", 2, List.of()));
    assertThat(config.clientWork())
        .isEqualTo(new ClientWork("clients", Distribution.constant(1e6), Distribution.constant(0)));
    assertThat(config.background())
        .isEqualTo(
            new Background(0.5, Distribution.exponential(1e6), 8_000_000, 4)
                .with(new Stalls(2, Distribution.constant(2e7))));
    assertThat(config.clocks()).isEqualTo(new Clocks(PStates.xeonSilver4114(), 0.1, 0));
    assertThat(config.masterReplica())
        .isEqualTo(new MasterReplica(Distribution.constant(5e6), MasterReplica.From.ANY));
    assertThat(config.writeBuffer()).isEqualTo(new WriteBuffer(7, Long.MAX_VALUE, 1));
  }

  @Test
  void aProfileSaysTheShapeWorkAndMachinesUnlessTheFileDoes() {
    StudySpec fitted = calibrated("{engine: sim, sim: {profile: profile.yaml}}");
    assertThat(fitted.store().nodes()).isEqualTo(3);
    assertThat(fitted.store().replicationFactor()).isEqualTo(3);
    assertThat(SimSpec.of(fitted.store()).orElseThrow().linkDelay())
        .isEqualTo(LinkDelay.uniform(2_000_000));
    ClusterConfig config = clusters(fitted).config(Optional.empty(), 1);
    assertThat(config.hosts())
        .containsExactly(new Host("machine", 2, List.of("n1", "n2", "n3"), true));
    assertThat(config.coordinators()).isEqualTo(CoordinatorChoice.TOKEN_AWARE);
    assertThat(config.replicas()).isEqualTo(ReplicaChoice.NEAREST);
    // 0.15 ms of CPU time take the cores 1/0.92 of that.
    assertThat(config.services().read().meanNanos()).isCloseTo(150_000 / 0.92, within(1.0));
    assertThat(config.background().cores()).isCloseTo(0.35 / 0.92, within(1e-9));
    assertThat(config.profiles().get(0).cpuScale()).isCloseTo(0.92, within(1e-9));
    assertThat(config.links().client().meanNanos()).isCloseTo(300_000, within(1.0));

    ClusterConfig larger =
        clusters(
                calibrated(
                    "{engine: sim, sim: {profile: profile.yaml, nodes: 5, racks: 1, link-delay:"
                        + " 0ms, latency: 1ms, hosts: own}}"))
            .config(Optional.empty(), 1);
    assertThat(larger.hosts()).hasSize(5).contains(new Host("n5", 2, List.of("n5"), true));
    assertThat(larger.links().client()).isEqualTo(Distribution.constant(1e6));
  }

  private static StudySpec calibrated(String store) {
    String yaml =
        """
        study: test
        store: %s
        workload: {preset: moderate, operations: 10}
        matrix: {consistency: [ONE], threads: [1]}
        """
            .formatted(store);
    return StudyFile.parse(
        yaml, "study.yaml", Path.of("../studyfile/src/test/resources/config"), List.of());
  }

  @Test
  void eachDataCentreHasItsNodesReplicasAndTokens() {
    StudySpec study =
        study(
            """
            {engine: sim, local-dc: west, sim: {datacenters: {east: 4, west: 5}, racks: 2,
             rf: {east: 1, west: 2}, datacenter-latency: 40ms}}
            """);
    assertThat(study.store().placement().local()).isEqualTo("west");
    assertThat(study.store().placement().total()).isEqualTo(3);
    ClusterConfig config = clusters(study).config(Optional.empty(), 1);
    assertThat(config.clients()).isEqualTo("west");
    assertThat(config.topology().dataCentres()).containsExactly("east", "west");
    assertThat(config.topology().racks()).hasSize(4);
    for (long key = 0; key < 100; key++) {
      int[] replicas = config.placement().replicas(SimCluster.token(key));
      Set<String> places = new HashSet<>();
      for (int replica : replicas) {
        places.add(
            config.topology().nodes().get(replica).dataCentre()
                + config.topology().nodes().get(replica).rack());
      }
      assertThat(replicas).hasSize(3);
      assertThat(places).hasSize(3).contains("westr1", "westr2");
    }
  }

  @Test
  void linksAreDelayedAsTheMatrixSays() {
    StudySpec study =
        study(
            """
            {engine: sim, sim: {nodes: 2, rf: 2, link-delay: [[0ms, 5ms], [30ms, 0ms]], latency: 0ms,
             service: {client: 0ms, coordinator: 0ms, message: 0ms, read: 0ms, write: 0ms}}}
            """);
    Simulation simulation = new Simulation();
    SimCluster cluster = clusters(study).start(simulation, Optional.empty(), 1);
    long[] endNanos = {-1};
    int requester =
        cluster.register(
            (tag, outcome, version) -> {
              assertThat(outcome).isEqualTo(Outcome.OK);
              endNanos[0] = simulation.nowNanos();
            });
    cluster.write(requester, 0, 1, 1, ConsistencyLevel.ALL);
    simulation.runWhile(() -> endNanos[0] < 0);
    // To the other node and back, whichever of them coordinates.
    assertThat(endNanos[0]).isEqualTo(35_000_000);
  }

  /** Of the whole ring, the share for which a node is the first replica, by 65,536 tokens. */
  private static double ownership(TokenRing ring, int node) {
    return LongStream.range(0, 1 << 16)
            .filter(i -> ring.replicas(Long.MIN_VALUE + (i << 48))[0] == node)
            .count()
        / 0x1p16;
  }
}
