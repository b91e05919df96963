package org.calando.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.load.EndReason;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.Levels;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Recorder;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.LinkKind;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** The load generator, unchanged, on a simulated cluster in simulated time. */
class SimStoreTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long SECOND = 1_000_000_000L;
  private static final int RECORDS = 500;

  private final Simulation simulation = new Simulation();
  private final SimCluster cluster =
      new SimCluster(
          simulation,
          ClusterConfig.builder(Topology.racks(6, 3), TokenRing.even(6, 3))
              .links(Links.builder().kind(LinkKind.WRITE, Distribution.exponential(20e6)).build())
              .seed(SEED)
              .build());
  private final SimStore store = new SimStore(cluster);
  private StalenessOracle oracle = new StalenessOracle(StalenessOracle.Config.of(1, 1, 1));
  private final List<Interval> intervals = new ArrayList<>();

  @Test
  void aClosedLoopLoadsAndRuns() {
    Workload workload = workload();
    LoadResult loaded =
        run(LoadSpec.loading(workload, 8, ConsistencyLevel.ALL).seed(SEED), new Loop.Closed(8), 0);
    assertThat(loaded.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    store.settle(Duration.ofSeconds(10));
    assertThat(cluster.counts().messagesUnderWay()).isZero();

    Loop loop = new Loop.Closed(12);
    LoadResult result =
        run(
            LoadSpec.builder(workload, loop, () -> Levels.both(ConsistencyLevel.QUORUM))
                .operations(5_000)
                .seed(SEED),
            loop,
            RECORDS);
    assertThat(result.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    assertThat(oracle.snapshot().reads()).isBetween(2_000L, 3_000L);
    assertThat(oracle.snapshot().staleReads()).isZero();
    assertThat(oracle.snapshot().foreignReads()).isZero();
  }

  @Test
  void anOpenLoopFindsStaleReadsAtWeakLevels() {
    LoadResult result = open();
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(intervals).hasSizeGreaterThanOrEqualTo(10);
    assertThat(oracle.snapshot().reads()).isBetween(1_500L, 2_500L);
    assertThat(oracle.snapshot().staleReads()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    String first = open().toString() + intervals;
    SimStoreTest again = new SimStoreTest();
    assertThat(again.open().toString() + again.intervals).isEqualTo(first);
  }

  @Test
  void workThatIsLeftAtTheDeadlineIsTold() {
    store.prepare(workload().tableSpec());
    Session session = store.open(1);
    session.write(0, 1, 0, 10, 1, ConsistencyLevel.ONE, (slot, outcome, version) -> {});
    assertThatThrownBy(() -> store.settle(Duration.ZERO))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("1 messages");
    store.settle(Duration.ofSeconds(1));
    store.requireHeld();
  }

  @Test
  void aScanHasNoVersionAndAKeyBeyondTheBoundFails() {
    Session session = store.open(2);
    List<String> told = new ArrayList<>();
    cluster.load(0, 10, 3);
    session.scan(
        0, 1, 5, 0, ConsistencyLevel.ONE, (slot, o, v) -> told.add(slot + " " + o + " " + v));
    session.read(1, 1L << 40, 0, ConsistencyLevel.ONE, (slot, o, v) -> told.add(slot + " " + o));
    assertThat(told).containsExactly("1 " + Outcome.FAILED);
    assertThat(session.errors()).hasSize(1);
    simulation.runWhile(() -> told.size() < 2);
    assertThat(told).last().isEqualTo("0 OK " + Session.NO_VERSION);
  }

  @Test
  void nothingIsHeldBeforeItWasPrepared() {
    assertThatThrownBy(store::requireHeld).isInstanceOf(IllegalStateException.class);
    assertThat(store.engine()).startsWith("simulator");
  }

  private LoadResult open() {
    cluster.load(0, RECORDS, 1);
    Loop loop = new Loop.Open(ArrivalProcess.poisson(400), 200, 10);
    return run(
        LoadSpec.builder(workload(), loop, () -> Levels.both(ConsistencyLevel.ONE))
            .durationNanos(10 * SECOND)
            .warmupNanos(SECOND)
            .seed(SEED),
        loop,
        RECORDS);
  }

  private LoadResult run(LoadSpec.Builder spec, Loop loop, long loaded) {
    oracle = new StalenessOracle(StalenessOracle.Config.of(RECORDS, loop.slots(), loop.clients()));
    oracle.loaded(0, loaded);
    IntervalListener listener = intervals::add;
    LoadRun run =
        new LoadRun(
            spec.build(),
            store.open(loop.slots()),
            oracle,
            new Recorder(listener),
            new SimScheduler(simulation));
    run.start();
    assertThat(simulation.runWhile(() -> !run.isDone())).as("the run ended").isTrue();
    return run.result();
  }

  private static Workload workload() {
    return Workload.builder()
        .records(RECORDS)
        .mix(Mix.readUpdate(0.5, 0.5))
        .requests(new RequestDistribution.Zipfian(0.99))
        .build();
  }
}
