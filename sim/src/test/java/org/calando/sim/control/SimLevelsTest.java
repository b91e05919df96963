package org.calando.sim.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.LevelledReads;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.Clients;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.LinkKind;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.NoWork;
import org.calando.sim.cluster.ReadRepair;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.cluster.WriteBuffer;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.junit.jupiter.api.Test;

/** What is observed on a simulated cluster beside what was put into it. */
class SimLevelsTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long SECOND = 1_000_000_000L;
  private static final double WRITE_SECONDS = 0.04;
  private static final int RECORDS = 100;

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster = new SimCluster(simulation, config().build());
  private final TableTelemetry.Settings settings =
      new TableTelemetry.Settings(
          "t", ReplicaPlacement.single(3), ConsistencyLevel.ONE, 5, Duration.ofSeconds(1));

  private static ClusterConfig.Builder config() {
    return ClusterConfig.builder(Topology.racks(6, 1), TokenRing.even(6, 3))
        .links(
            Links.builder()
                .kind(LinkKind.WRITE, Distribution.constant(WRITE_SECONDS * 1e9))
                .build())
        .services(NoWork.services())
        .coordinators(CoordinatorChoice.TOKEN_AWARE)
        // As of the application's table: the canary's own must not be repaired.
        .readRepair(ReadRepair.BLOCKING)
        .backgroundRepair(0.5)
        .mostKeys(RECORDS + 2048)
        .seed(SEED);
  }

  private SimTelemetry telemetry(ReadChoice inUse) {
    return telemetry(cluster, inUse);
  }

  private SimTelemetry telemetry(SimCluster of, ReadChoice inUse) {
    return new SimTelemetry(of, scheduler, settings, SEED, LagModel.MEASURED, () -> inUse);
  }

  /** Looks once a second until a time. */
  private Observation observeUntil(SimTelemetry telemetry, long nanos) {
    Observation last = telemetry.observe(rates -> Optional.empty());
    while (simulation.nowNanos() < nanos) {
      simulation.runUntil(simulation.nowNanos() + SECOND);
      last = telemetry.observe(rates -> Optional.empty());
    }
    return last;
  }

  @Test
  void aReplicaBesideTheCoordinatorHasAWriteAfterTheWayThere() {
    Observation seen = observeUntil(telemetry(ReadChoice.of(1)), 20 * SECOND);
    PropagationLags lags = seen.lags().orElseThrow().sample();
    assertThat(lags.samples()).isBetween(60, 140);
    for (int sample = 0; sample < lags.samples(); sample++) {
      // The coordinator is a replica, and acknowledges at once.
      assertThat(lags.lagSeconds(sample, 1)).isZero();
      assertThat(lags.lagSeconds(sample, 3)).isCloseTo(WRITE_SECONDS, within(0.5 * WRITE_SECONDS));
    }
    assertThat(lags.meanSeconds()).isCloseTo(WRITE_SECONDS, within(0.1 * WRITE_SECONDS));
    assertThat(lags.ofReads(2)).hasSizeGreaterThan(50);
  }

  /** Nobody asks a node that starts for its counts, as no client may. */
  @Test
  void ratesAreOfNowWhileANodeComesBack() {
    ShiftCosts costs = new ShiftCosts(0, 1, SECOND, 0, 3600 * SECOND, 0, SECOND, 0, 0, 0);
    SimCluster returning =
        new SimCluster(simulation, config().absences(Absences.DEFAULT.with(costs)).build());
    SimTelemetry telemetry = telemetry(returning, ReadChoice.of(1));
    observeUntil(telemetry, 10 * SECOND);
    returning.switchOff(5);
    observeUntil(telemetry, 20 * SECOND);
    returning.switchOn(5);
    // Booted after no more than minutes, and kept from clients for an hour.
    Observation seen = observeUntil(telemetry, 400 * SECOND);
    assertThat(returning.isSeenUp(5)).isTrue();
    assertThat(returning.isServing(5)).isFalse();
    assertThat(seen.rates().orElseThrow().atNanos()).isGreaterThan(395 * SECOND);
    assertThat(seen.liveReplicas()).isEqualTo(2);
    telemetry.close();
  }

  @Test
  void policiesSeeWhatStagesMakeLate() {
    double loop = 5e6;
    SimCluster staged =
        new SimCluster(
            simulation,
            config().stages(new NodeStages(128, 1, 8, 8, 2, Distribution.constant(loop))).build());
    List<Observation> seen = new ArrayList<>();
    LevelledReads.Settings how = LevelledReads.Settings.of(settings, SEED);
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.1).withLevels(false, how.safe()));
    SimLevels levels =
        new SimLevels(
            staged,
            scheduler,
            how,
            policy,
            List.of((decision, inForce) -> seen.add(decision.observation())));
    simulation.runUntil(30 * SECOND);
    levels.close();
    // A loop at each end, beside the way, where the canary's own reads of two replicas wait too.
    assertThat(seen.get(seen.size() - 1).lags().orElseThrow().sample().meanSeconds())
        .isBetween(WRITE_SECONDS + 2 * loop / 1e9, 2 * WRITE_SECONDS);
  }

  @Test
  void theTruthIsWhatTheLagsPredict() {
    Observation.Truth truth =
        observeUntil(telemetry(ReadChoice.of(1)), 55 * SECOND).truth().orElseThrow();
    assertThat(truth.reads()).isGreaterThan(200);
    assertThat(truth.predicted()).isGreaterThan(50);
    assertThat((double) truth.stale())
        .as("seed %d, predicted %s", SEED, truth.predicted())
        .isCloseTo(truth.predicted(), within(4 * Math.sqrt(truth.predicted())));
  }

  @Test
  void canaryReadsAreToldOnceADecisionWasMadeOfThem() {
    SimTelemetry telemetry = telemetry(ReadChoice.of(1));
    long reads = observeUntil(telemetry, 10 * SECOND).truth().orElseThrow().reads();
    assertThat(telemetry.observe(rates -> Optional.empty()).truth().orElseThrow().reads())
        .isEqualTo(reads);
    telemetry.decided();
    assertThat(telemetry.observe(rates -> Optional.empty()).truth()).isEmpty();
  }

  @Test
  void ratesAreTheApplicationsAlone() {
    assertRatesAreThoseOfClients(cluster);
  }

  @Test
  void ratesAndLagsAreToldWhereWritesAreDeferred() {
    // The canary's writes would stay in a buffer of their own for long.
    WriteBuffer buffer = new WriteBuffer(50, Long.MAX_VALUE, 1);
    SimCluster deferring = new SimCluster(simulation, config().writeBuffer(buffer).build());
    Observation seen = assertRatesAreThoseOfClients(deferring);
    PropagationLags lags = seen.lags().orElseThrow().sample();
    assertThat(lags.meanSeconds()).isCloseTo(WRITE_SECONDS, within(0.1 * WRITE_SECONDS));
    assertThat(deferring.deferred().written()).isGreaterThan(1_000);
  }

  private Observation assertRatesAreThoseOfClients(SimCluster of) {
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .mix(Mix.readUpdate(0.75, 0.25))
            .requests(new RequestDistribution.Uniform())
            .build();
    ConsistencyLevel one = ConsistencyLevel.ONE;
    Clients clients = Clients.open(of, workload, one, one, 400, 1000, SEED);
    SimTelemetry telemetry = telemetry(of, ReadChoice.of(1));
    Observation last = observeUntil(telemetry, 10 * SECOND);
    double reads = 0;
    double writes = 0;
    for (int second = 11; second <= 30; second++) {
      last = observeUntil(telemetry, second * SECOND);
      Observation.Rates rates = last.rates().orElseThrow();
      reads += rates.readsPerSecond() / 20;
      writes += rates.writesPerSecond() / 20;
    }
    clients.stop();
    assertThat(reads).as("seed %d", SEED).isCloseTo(300, within(16.0));
    assertThat(writes).as("seed %d", SEED).isCloseTo(100, within(9.0));
    return last;
  }

  @Test
  void aSilentReplicaIsAwayAfterTwoSecondsAndBackWhenItAnswers() {
    SimTelemetry telemetry = telemetry(ReadChoice.of(1));
    assertThat(observeUntil(telemetry, 10 * SECOND).liveReplicas()).isEqualTo(3);
    cluster.fail(2);
    assertThat(observeUntil(telemetry, 11 * SECOND).liveReplicas()).isEqualTo(3);
    Observation away = observeUntil(telemetry, 15 * SECOND);
    assertThat(away.liveReplicas()).isEqualTo(2);
    // The node is not known to be down yet: its rate is as old as its last answer.
    assertThat(away.atNanos() - away.rates().orElseThrow().atNanos()).isGreaterThan(3 * SECOND);
    cluster.recover(2);
    assertThat(observeUntil(telemetry, 40 * SECOND).liveReplicas()).isEqualTo(3);
  }

  @Test
  void writesThatTheSessionDoesNotMakeAreUnseen() {
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .mix(Mix.readUpdate(0.75, 0.25))
            .requests(new RequestDistribution.Uniform())
            .build();
    ConsistencyLevel one = ConsistencyLevel.ONE;
    List<Observation> seen = new ArrayList<>();
    LevelledReads.Settings how = LevelledReads.Settings.of(settings, SEED);
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.1).withLevels(false, how.safe()));
    SimLevels levels =
        new SimLevels(
            cluster,
            scheduler,
            how,
            policy,
            List.of((decision, inForce) -> seen.add(decision.observation())));
    Clients others = Clients.open(cluster, workload, one, one, 400, 1000, SEED);
    ownOperations(levels.sketch());
    simulation.runUntil(30 * SECOND);
    others.stop();
    levels.close();
    Observation.Popularity last = seen.get(seen.size() - 1).popularity().orElseThrow();
    // 100 writes a second are told to the sketch too, of 200 that the nodes count.
    assertThat(last.unseenWrites()).as("seed %d", SEED).isCloseTo(0.5, within(0.1));
  }

  /** A hundred reads and writes a second that the sketch sees; only the writes load the cluster. */
  private void ownOperations(PopularitySketch sketch) {
    int requester = cluster.register((tag, outcome, version) -> {});
    long[] count = {0};
    Runnable next =
        new Runnable() {
          @Override
          public void run() {
            long key = count[0]++ % RECORDS;
            sketch.read(key);
            sketch.write(key);
            cluster.write(requester, 0, key, count[0], ConsistencyLevel.ONE);
            scheduler.at(simulation.nowNanos() + SECOND / 100, this);
          }
        };
    next.run();
  }

  @Test
  void theLoopDecidesFromWhatItObservesAndTakesTheFallbackAtItsEnd() {
    LevelledReads.Settings how = LevelledReads.Settings.of(settings, SEED);
    List<Decision<?>> decisions = new ArrayList<>();
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.1).withLevels(false, how.safe()));
    SimLevels levels =
        new SimLevels(
            cluster,
            scheduler,
            how,
            policy,
            List.of((decision, inForce) -> decisions.add(decision)));
    assertThat(levels.levels().get().read()).isEqualTo(ConsistencyLevel.QUORUM);
    simulation.runUntil(10 * SECOND);
    assertThat(decisions).hasSizeBetween(10, 11);
    assertThat(levels.state().reason()).contains("unknown how requests spread");
    levels.close();
    assertThat(levels.state().choice()).isEqualTo(ReadChoice.of(2));
    simulation.runUntil(20 * SECOND);
    assertThat(decisions).hasSizeBetween(10, 11);
  }
}
