package org.calando.sim.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.AdaptivePolicy;
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
 * Runs an {@link Overload} from a cold start to its end on the calling thread, at a fixed level or
 * at what a policy decides. Used once.
 */
public final class OverloadRun implements IntervalListener {
  private static final double CANARIES_PER_SECOND = 5;
  private static final int CLIENTS = 16;
  private static final double SECONDS_UNDER_WAY = 6;
  private static final long SECOND = 1_000_000_000L;
  private static final long LOOK_NANOS = SECOND / 10;

  private final Overload overload;
  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster;
  private final Map<ConsistencyLevel, long[]> levels = new EnumMap<>(ConsistencyLevel.class);
  private final List<Long> jobs = new ArrayList<>();
  private final List<Second> seconds = new ArrayList<>();
  private double joulesAtBegin;
  private double joulesAtEnd;
  private boolean ended;

  /**
   * A second of it.
   *
   * @param stale reads
   * @param replicas that reads asked in the mean
   */
  public record Second(
      long second, long reads, long stale, long errors, double p99Millis, double replicas) {}

  /**
   * What it came to.
   *
   * @param p99Millis of reads, of the time that counts
   * @param joulesPerOperation that succeeded, of the same
   * @param staleShare of the same
   * @param startStaleShare of the time before
   * @param errors operations that failed, of the time that counts
   * @param replicas that reads asked in the mean
   * @param drainSeconds from the end of the burst until no more work waits than before it; 0
   *     without burst
   * @param seconds all of them
   */
  public record Result(
      double p99Millis,
      double joulesPerOperation,
      double staleShare,
      double startStaleShare,
      long errors,
      double replicas,
      double drainSeconds,
      List<Second> seconds) {}

  private OverloadRun(Overload overload) {
    this.overload = overload;
    this.cluster = new SimCluster(simulation, overload.cluster());
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      levels.put(level, new long[1]);
    }
  }

  /** Runs with reads at a fixed level, unobserved. */
  public static Result fixed(Overload overload, ConsistencyLevel read) {
    OverloadRun run = new OverloadRun(overload);
    Levels levels = new Levels(read, Overload.WRITE);
    return run.load(() -> levels, new SimStore(run.cluster).open(run.slots()));
  }

  /**
   * Runs with reads at what a policy decides.
   *
   * @param listeners told of decisions
   */
  public static Result adaptive(Overload overload, Contender contender, LoopListener... listeners) {
    return new OverloadRun(overload).adaptive(contender, List.of(listeners));
  }

  private Result adaptive(Contender contender, List<LoopListener> listeners) {
    LevelledReads.Settings settings =
        LevelledReads.Settings.of(
            new TableTelemetry.Settings(
                "overload",
                Overload.PLACEMENT,
                Overload.WRITE,
                CANARIES_PER_SECOND,
                Duration.ofSeconds(1)),
            overload.seed());
    AdaptivePolicy policy = contender.policy(overload.tolerated(), settings.safe(), false);
    try (SimLevels levels = new SimLevels(cluster, scheduler, settings, policy, listeners)) {
      return load(levels.levels(), levels.observing(new SimStore(cluster).open(slots())));
    }
  }

  private int slots() {
    return 64 + (int) (SECONDS_UNDER_WAY * 1.5 * Overload.capacity());
  }

  private Result load(Supplier<Levels> chosen, Session session) {
    long records = overload.workload().records();
    cluster.load(0, records, 1);
    StalenessOracle oracle =
        new StalenessOracle(StalenessOracle.Config.of(records, slots(), CLIENTS));
    oracle.loaded(0, records);
    LoadSpec spec =
        LoadSpec.builder(
                overload.workload(),
                new Loop.Open(overload.arrivals(), slots(), CLIENTS),
                () -> counted(chosen.get()))
            .warmupNanos(overload.settledNanos())
            .durationNanos(overload.measuredNanos())
            .seed(overload.seed())
            .build();
    LoadRun load = new LoadRun(spec, session, oracle, new Recorder(this), scheduler);
    look();
    load.start();
    simulation.runWhile(() -> !load.isDone());
    return result(load.result());
  }

  private void look() {
    long waiting = 0;
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      waiting += cluster.jobsAt(node);
    }
    jobs.add(waiting);
    scheduler.at(simulation.nowNanos() + LOOK_NANOS, this::look);
  }

  private Levels counted(Levels of) {
    long[] count = levels.get(of.read());
    if (count != null) {
      count[0]++;
    }
    return of;
  }

  private Result result(LoadResult found) {
    long reads = 0;
    long stale = 0;
    long earlyReads = 0;
    long earlyStale = 0;
    double replicas = 0;
    for (Second second : seconds) {
      boolean counts = second.second() >= overload.settledNanos() / SECOND;
      reads += counts ? second.reads() : 0;
      stale += counts ? second.stale() : 0;
      replicas += counts ? second.reads() * second.replicas() : 0;
      earlyReads += counts ? 0 : second.reads();
      earlyStale += counts ? 0 : second.stale();
    }
    return new Result(
        found.readNanos(99) / 1e6,
        (joulesAtEnd - joulesAtBegin) / (found.operations() - found.errors()),
        (double) stale / reads,
        (double) earlyStale / earlyReads,
        found.errors(),
        replicas / reads,
        drainSeconds(),
        seconds);
  }

  private double drainSeconds() {
    if (overload.burstNanos() == 0) {
      return 0;
    }
    int begin = (int) (Overload.BURST_NANOS / LOOK_NANOS);
    int end = begin + (int) (overload.burstNanos() / LOOK_NANOS);
    long usual =
        (long) jobs.subList(begin - 50, begin).stream().mapToLong(each -> each).average().orElse(0);
    int at = end;
    while (at < jobs.size() && jobs.get(at) > 2 * usual) {
      at++;
    }
    return (at - end) * (LOOK_NANOS / 1e9);
  }

  @Override
  public void measurementBegan(long nanos) {
    joulesAtBegin = cluster.energy().joules(simulation.nowNanos());
  }

  @Override
  public void measurementEnded(long nanos) {
    ended = true;
    joulesAtEnd = cluster.energy().joules(simulation.nowNanos());
  }

  @Override
  public void interval(Interval interval) {
    if (ended) {
      return;
    }
    double asked = 0;
    long all = 0;
    for (Map.Entry<ConsistencyLevel, long[]> entry : levels.entrySet()) {
      all += entry.getValue()[0];
      asked += (double) entry.getValue()[0] * Overload.PLACEMENT.involved(entry.getKey());
    }
    boolean measured = interval.phase() == Phase.MEASURED;
    if (all == 0) {
      return;
    }
    levels.values().forEach(count -> count[0] = 0);
    seconds.add(
        new Second(
            interval.second() + (measured ? overload.settledNanos() / SECOND : 0),
            interval.reads(),
            interval.staleReads(),
            interval.errors(),
            interval.readP99Nanos() / 1e6,
            asked / all));
  }
}
