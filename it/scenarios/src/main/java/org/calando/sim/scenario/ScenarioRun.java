package org.calando.sim.scenario;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Observation;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.Levels;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.load.Phase;
import org.calando.load.Recorder;
import org.calando.sim.SimStore;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimLevels;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;

/**
 * Runs a scenario from its begin to its end on the calling thread: the load generator, the oracle
 * and, for a policy, the control loop, all in simulated time. Used once.
 */
public final class ScenarioRun implements IntervalListener {
  private static final double CANARIES_PER_SECOND = 5;
  private static final int CLIENTS = 16;

  /** So many seconds without an answer have a place each, at the greatest rate. */
  private static final double SECONDS_UNDER_WAY = 6;

  private static final long SECOND = 1_000_000_000L;

  private static final int SECONDS = (int) (Scenario.MEASURED_NANOS / SECOND);

  private final Scenario scenario;
  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster;
  private final Map<ConsistencyLevel, long[]> readsByLevel = new EnumMap<>(ConsistencyLevel.class);
  private final long[] reads = new long[SECONDS];
  private final long[] stale = new long[SECONDS];
  private final boolean[] away = new boolean[SECONDS];
  private double meanReplicas;
  private long errors;
  private boolean measuring;

  /**
   * What a policy came to.
   *
   * @param all in the whole measured window
   * @param covered in the seconds in which it knew of no replica that was away: what its promise
   *     covers; replicas and errors are those of the window
   */
  public record Judged(ScenarioResult all, ScenarioResult covered) {}

  private ScenarioRun(Scenario scenario) {
    this.scenario = scenario;
    this.cluster = new SimCluster(simulation, scenario.cluster());
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      readsByLevel.put(level, new long[1]);
    }
  }

  /**
   * Runs with reads at a fixed level, unobserved.
   *
   * @throws IllegalStateException if the load did not run to its end
   */
  public static ScenarioResult fixed(Scenario scenario, ConsistencyLevel read) {
    ScenarioRun run = new ScenarioRun(scenario);
    Levels levels = new Levels(read, scenario.write());
    return run.load(() -> levels, new SimStore(run.cluster).open(run.slots()));
  }

  /**
   * Runs with reads at what a policy decides.
   *
   * @param listeners told of decisions
   * @throws IllegalStateException if the load did not run to its end
   */
  public static ScenarioResult adaptive(
      Scenario scenario, Contender contender, LoopListener... listeners) {
    return new ScenarioRun(scenario).adaptive(contender, List.of(listeners));
  }

  /**
   * The same, also without the time that a promise does not cover.
   *
   * @throws IllegalStateException if the load did not run to its end
   */
  public static Judged judged(Scenario scenario, Contender contender) {
    ScenarioRun run = new ScenarioRun(scenario);
    LoopListener watch = (decision, inForce) -> run.watch(decision.observation());
    ScenarioResult all = run.adaptive(contender, List.of(watch));
    for (int second = 0; second < SECONDS; second++) {
      if (run.away[second]) {
        run.reads[second] = 0;
        run.stale[second] = 0;
      }
    }
    return new Judged(all, ScenarioResult.of(run.reads, run.stale, run.meanReplicas, run.errors));
  }

  private void watch(Observation observation) {
    int second = (int) ((observation.atNanos() - Scenario.WARM_UP_NANOS) / SECOND);
    if (observation.liveReplicas() < observation.replicas() && second >= 0) {
      // The second in which it is known again is begun at the level of before.
      away[Math.min(second, SECONDS - 1)] = true;
      away[Math.min(second + 1, SECONDS - 1)] = true;
    }
  }

  private ScenarioResult adaptive(Contender contender, List<LoopListener> listeners) {
    LevelledReads.Settings settings =
        LevelledReads.Settings.of(
            new TableTelemetry.Settings(
                "scenario",
                scenario.placement(),
                scenario.write(),
                CANARIES_PER_SECOND,
                Duration.ofSeconds(1)),
            scenario.seed());
    SafeLevel safe = settings.safe();
    AdaptivePolicy policy = contender.policy(scenario.tolerated(), safe, scenario.isLocal());
    try (SimLevels levels = new SimLevels(cluster, scheduler, settings, policy, listeners)) {
      Session store = new SimStore(cluster).open(slots());
      Session own = levels.observing(store);
      return load(
          levels.levels(),
          scenario.foreign().isPresent()
              ? new ForeignWrites(own, store, scenario.foreign().get())
              : own);
    }
  }

  private int slots() {
    return 64 + (int) (SECONDS_UNDER_WAY * scenario.perSecond());
  }

  private ScenarioResult load(Supplier<Levels> levels, Session session) {
    long records = scenario.workload().records();
    cluster.load(0, records, 1);
    StalenessOracle oracle =
        new StalenessOracle(StalenessOracle.Config.of(records, slots(), CLIENTS));
    oracle.loaded(0, records);
    LoadSpec spec =
        LoadSpec.builder(
                scenario.workload(),
                new Loop.Open(scenario.arrivals(), slots(), CLIENTS),
                () -> counted(levels.get()))
            .warmupNanos(Scenario.WARM_UP_NANOS)
            .durationNanos(Scenario.MEASURED_NANOS)
            .seed(scenario.seed())
            .build();
    LoadRun load = new LoadRun(spec, session, oracle, new Recorder(this), scheduler);
    scenario.events().forEach(event -> scheduler.at(event.atNanos(), () -> event.on(cluster)));
    load.start();
    simulation.runWhile(() -> !load.isDone());
    LoadResult result = load.result();
    if (!result.reason().isComplete()) {
      throw new IllegalStateException(
          "scenario %d: %s".formatted(scenario.seed(), result.message()));
    }
    meanReplicas = meanReplicas();
    errors = result.errors();
    return ScenarioResult.of(reads, stale, meanReplicas, errors);
  }

  // Taken for each operation, be it a read or not: the mean over both is that over reads.
  private Levels counted(Levels levels) {
    long[] count = readsByLevel.get(levels.read());
    if (measuring && count != null) {
      count[0]++;
    }
    return levels;
  }

  private double meanReplicas() {
    double replicas = 0;
    double all = 0;
    for (Map.Entry<ConsistencyLevel, long[]> entry : readsByLevel.entrySet()) {
      long count = entry.getValue()[0];
      all += count;
      replicas += (double) count * scenario.placement().involved(entry.getKey());
    }
    return replicas / all;
  }

  @Override
  public void measurementBegan(long nanos) {
    measuring = true;
  }

  @Override
  public void measurementEnded(long nanos) {
    measuring = false;
  }

  @Override
  public void interval(Interval interval) {
    if (interval.phase() == Phase.MEASURED) {
      // What is answered after the window's end began in its last second or before.
      int second = (int) Math.min(interval.second(), SECONDS - 1);
      reads[second] += interval.reads();
      stale[second] += interval.staleReads();
    }
  }
}
