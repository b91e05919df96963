package org.calando.sim.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.control.joint.RecentReads;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.Promised;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Signals;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.core.policy.joint.HourlySettings.Hour;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.ArrivalProcess;
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
import org.calando.sim.control.SimGears;
import org.calando.sim.control.SimJoint;
import org.calando.sim.control.SimLevels;
import org.calando.sim.joint.Rival.By;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;

/**
 * Runs a world from its begin to its end on the calling thread, in simulated time: the load
 * generator, the oracle, and whoever sets levels, gear and clocks. Used once.
 */
public final class JointRun implements IntervalListener {
  private static final long SECOND = 1_000_000_000L;
  private static final double CANARIES_PER_SECOND = 5;
  private static final Duration CANARY_DEADLINE = Duration.ofMillis(500);
  private static final int CLIENTS = 16;

  /** So many seconds without an answer have a place each, at the greatest rate. */
  private static final double SECONDS_UNDER_WAY = 6;

  /** As studies have it: a level is decided on before nodes leave. */
  private static final long NOTICE_NANOS = 2 * SECOND;

  private static final long LOOK_NANOS = SECOND / 2;
  private static final double WRITE_BYTES = 1000;
  private static final double HEAD_ROOM = 0.1;

  private final JointWorld world;
  private final Rival rival;
  private final UnaryOperator<Signals> told;
  private final List<LoopListener> listeners;
  private final JointCluster space;
  private final LevelledReads.Settings settings;
  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster;
  private final RecentReads recent = new RecentReads();
  private final SafetyWatch safety;
  private final HourlyGears plan;
  private final LevelPicker picker;
  private final TimedReads timed;
  private final List<JointOutcome.Second> seconds = new ArrayList<>();
  private int clock;
  private double joules;

  private JointRun(
      JointWorld world, Rival rival, UnaryOperator<Signals> told, List<LoopListener> listeners) {
    this.world = world;
    this.rival = rival;
    this.told = told;
    this.listeners = listeners;
    this.space = world.cluster();
    this.cluster = new SimCluster(simulation, world.config());
    this.settings =
        LevelledReads.Settings.of(
            new TableTelemetry.Settings(
                "world", world.placement(), write(), CANARIES_PER_SECOND, CANARY_DEADLINE),
            world.seed());
    this.safety = new SafetyWatch(space, world.promise());
    this.picker = LevelPicker.ofOneThread(settings.levels(), settings.safe());
    this.plan =
        new HourlyGears(
            rival.hours(),
            world.warmUpNanos(),
            Math.max(1, world.measuredNanos() / rival.hours().size()),
            (long) (space.profile().bootSeconds() * 1e9) + 2 * SECOND);
    double limit = world.promise().limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    this.timed =
        new TimedReads(
            new SimStore(cluster).open(slots()), simulation, (long) Math.min(1e18, limit * 1e9));
  }

  /**
   * Runs.
   *
   * @param listeners told of the joint controller's decisions
   * @throws IllegalStateException if the load, or what decides, did not run to its end
   */
  public static JointOutcome of(JointWorld world, Rival rival, LoopListener... listeners) {
    return misled(world, rival, UnaryOperator.identity(), listeners);
  }

  /**
   * The same where the joint controller is not told the truth.
   *
   * @param told what it is told in place of what is the case
   */
  public static JointOutcome misled(
      JointWorld world, Rival rival, UnaryOperator<Signals> told, LoopListener... listeners) {
    return new JointRun(world, rival, told, List.of(listeners)).run();
  }

  private ConsistencyLevel write() {
    int replicas = space.writeReplicas();
    return replicas == 1 ? ConsistencyLevel.ONE : ConsistencyLevel.QUORUM;
  }

  private int slots() {
    return 64 + (int) (SECONDS_UNDER_WAY * world.peakPerSecond());
  }

  private long now() {
    return simulation.nowNanos();
  }

  private JointOutcome run() {
    int shifts;
    if (rival.levels() == By.JOINT) {
      try (SimJoint joint = joint()) {
        Map<ConsistencyLevel, Levels> levels = levels();
        load(
            () -> Objects.requireNonNull(levels.get(joint.next())),
            new ObservedSession(timed, joint.sketch()));
        joint
            .failure()
            .ifPresent(
                why -> {
                  throw new IllegalStateException(why);
                });
        shifts = joint.totals().map(ShiftedNodes.Totals::shifts).orElse(0);
      }
    } else {
      try (SimGears gears = gears()) {
        look();
        if (rival.levels() == By.POLICY) {
          pbs();
        } else {
          Map<ConsistencyLevel, Levels> levels = levels();
          load(() -> Objects.requireNonNull(levels.get(picker.next())), timed);
        }
        shifts = gears.totals().shifts();
      }
    }
    return new JointOutcome(world.promise(), seconds, joules, shifts, safety.unsafe());
  }

  private Map<ConsistencyLevel, Levels> levels() {
    Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, write()));
    }
    return levels;
  }

  private SimJoint joint() {
    JointController controller =
        new JointController(
            space, world.promise(), JointLimits.defaults().withResidency(rival.residencyNanos()));
    return new SimJoint(
        cluster,
        scheduler,
        new LevelledReads.JointSettings(
            settings,
            space.fallback(world.promise()),
            space.highest() == 1 ? Optional.empty() : Optional.of(world.gears(1, 1)),
            shifting()),
        new MisledController(controller, told),
        recent::seen,
        (decision, inForce) -> {
          safety.decided(decision, inForce);
          listeners.forEach(each -> each.decided(decision, inForce));
        });
  }

  private ShiftedNodes.Settings shifting() {
    return new ShiftedNodes.Settings(SECOND, world.speed(), WRITE_BYTES, NOTICE_NANOS);
  }

  private SimGears gears() {
    GearLimits limits =
        GearLimits.defaults().withHeadRoom(HEAD_ROOM).withResidency(rival.residencyNanos());
    boolean decides = rival.gears() == By.POLICY;
    GearModel model = world.gears(decides ? world.lowestGear() : 1, rival.nodeCapacity());
    return new SimGears(
        cluster,
        scheduler,
        shifting(),
        model,
        decides ? new LoadGearPolicy(model, limits) : plan,
        (decision, inForce) -> {});
  }

  private void pbs() {
    double tolerated = world.promise().limit(Promised.STALE).orElse(0);
    PbsPolicy policy =
        new PbsPolicy(AdaptiveConfig.of(tolerated).withLevels(false, settings.safe()));
    try (SimLevels levels = new SimLevels(cluster, scheduler, settings, policy, List.of())) {
      load(levels.levels(), levels.observing(timed));
    }
  }

  /** Sets what a plan says: reads are strong while nodes that serve lack writes. */
  private void look() {
    Hour hour = plan.at(now());
    boolean late = false;
    int nodes = space.nodes(space.highest());
    for (int node = 0; node < nodes; node++) {
      late |= cluster.isServing(node) && cluster.owed(node) > 0;
    }
    int strong = space.strong(space.highest());
    picker.set(late && hour.reads().replicas() < strong ? ReadChoice.of(strong) : hour.reads());
    if (hour.clock() != clock) {
      clock = hour.clock();
      for (int node = 0; node < nodes; node++) {
        cluster.clock(node, space.clocksKHz().get(clock) / 1e6);
      }
    }
    scheduler.at(now() + LOOK_NANOS, this::look);
  }

  private void load(Supplier<Levels> levels, Session session) {
    long records = world.workload().records();
    cluster.load(0, records, 1);
    StalenessOracle oracle =
        new StalenessOracle(StalenessOracle.Config.of(records, slots(), CLIENTS));
    oracle.loaded(0, records);
    LoadSpec spec =
        LoadSpec.builder(
                world.workload(),
                new Loop.Open(ArrivalProcess.poisson(world.load()), slots(), CLIENTS),
                levels)
            .warmupNanos(world.warmUpNanos())
            .durationNanos(world.measuredNanos())
            .giveUpNanos(world.warmUpNanos() + world.measuredNanos())
            .seed(world.seed())
            .build();
    LoadRun load = new LoadRun(spec, session, oracle, new Recorder(this), scheduler);
    world.events().forEach(event -> scheduler.at(event.atNanos(), () -> event.on(cluster)));
    load.start();
    simulation.runWhile(() -> !load.isDone());
    LoadResult result = load.result();
    if (!result.reason().isComplete()) {
      throw new IllegalStateException(
          "seed %d, %s: %s".formatted(world.seed(), rival.name(), result.message()));
    }
  }

  @Override
  public void measurementBegan(long nanos) {
    timed.takeSlow();
    joules -= cluster.energy().joules(now());
  }

  @Override
  public void measurementEnded(long nanos) {
    joules += cluster.energy().joules(now());
  }

  @Override
  public void interval(Interval interval) {
    recent.add(
        new RecentReads.Part(
            interval.endNanos(), interval.reads(), interval.errors(), interval.readP99Nanos()));
    // What ends after the window began before its end, or in a last part of a second.
    if (interval.phase() == Phase.MEASURED && interval.second() < world.measuredNanos() / SECOND) {
      seconds.add(
          new JointOutcome.Second(
              interval.reads(), interval.staleReads(), timed.takeSlow(), interval.errors()));
    }
  }
}
