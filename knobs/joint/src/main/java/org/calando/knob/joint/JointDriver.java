package org.calando.knob.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.control.joint.RecentReads;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Controller;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.store.Session;
import org.calando.knob.Configuration;
import org.calando.knob.KnobRun;
import org.calando.knob.MonitorSpec;
import org.calando.knob.ReadCounts;
import org.calando.knob.RunLevels;
import org.calando.load.Interval;
import org.calando.load.Levels;
import org.calando.report.column.GearFigures;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Has a joint controller decide while a run goes, and keeps account of it. Thread safe in what the
 * load generator and the controller's loop call; the rest belongs to the run's thread.
 */
final class JointDriver implements RunLevels {
  /** Which decides. */
  static final String THREAD = "calando-joint";

  private static final Duration MONITOR_DEADLINE = Duration.ofMillis(500);

  /** A level is decided on before nodes leave. */
  private static final int PERIODS_OF_NOTICE = 2;

  private final LevelledReads.JointlyDeciding nodes;
  private final Optional<JointClocks> clocks;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final ReadCounts counts = new ReadCounts();
  private final int replicas;

  private final RecentReads reads = new RecentReads();
  private @Nullable ObservedSession observed;
  private Optional<ShiftedNodes.Totals> began = Optional.empty();
  private Optional<ShiftedNodes.Totals> mayBe = Optional.empty();
  private Optional<ShiftedNodes.Totals> ended = Optional.empty();

  /** Begins to observe and to decide. */
  JointDriver(KnobRun run, JointChoice choice, JointCluster cluster, Controller<?> controller) {
    ConsistencyLevel write = choice.write();
    Configuration configuration = run.configuration();
    ReplicaPlacement placement = configuration.store().placement();
    MonitorSpec monitor = configuration.monitor();
    LevelledReads.Settings settings =
        new LevelledReads.Settings(
            new TableTelemetry.Settings(
                run.workload().table(),
                placement,
                write,
                monitor.canariesPerSecond(),
                MONITOR_DEADLINE),
            monitor.periodNanos(),
            monitor.windowNanos(),
            run.seed());
    this.replicas = settings.table().replicas();
    for (ConsistencyLevel each : ConsistencyLevel.values()) {
      levels.put(each, new Levels(each, write));
    }
    LevelledReads.JointSettings all =
        new LevelledReads.JointSettings(
            settings,
            cluster.fallback(configuration.promise()),
            JointKnob.gears(configuration),
            new ShiftedNodes.Settings(
                monitor.periodNanos(),
                configuration.speed(),
                run.workload().meanWriteBytes(),
                PERIODS_OF_NOTICE * monitor.periodNanos()));
    LoopListener listener = run.decisions().get();
    // Simulated nodes have clocks of their own.
    this.clocks =
        run.cluster().find(LevelledReads.Joint.class).isPresent() || cluster.clocksKHz().size() == 1
            ? Optional.empty()
            : JointClocks.begin(run);
    this.nodes = decide(run, all, choice, cluster, controller, listener);
  }

  private LevelledReads.JointlyDeciding decide(
      KnobRun run,
      LevelledReads.JointSettings all,
      JointChoice choice,
      JointCluster cluster,
      Controller<?> controller,
      LoopListener listener) {
    Optional<LevelledReads.Joint> own = run.cluster().find(LevelledReads.Joint.class);
    if (own.isPresent()) {
      return own.get()
          .decide(run.schedulers().apply(THREAD), all, controller, reads::seen, listener);
    }
    try {
      return TableJoint.start(
          run, all, cluster, controller, choice.dryRun(), clocks, reads::seen, listener);
    } catch (RuntimeException | Error e) {
      clocks.ifPresent(JointClocks::close);
      throw e;
    }
  }

  @Override
  public void interval(Interval interval) {
    reads.add(
        new RecentReads.Part(
            interval.endNanos(), interval.reads(), interval.errors(), interval.readP99Nanos()));
  }

  @Override
  public Session observing(Session session) {
    ObservedSession both = new ObservedSession(session, nodes.sketch());
    observed = both;
    return both;
  }

  @Override
  public Supplier<Levels> levels() {
    return () -> Objects.requireNonNull(levels.get(nodes.next()));
  }

  @Override
  public void measurementBegan(long nanos) {
    began = nodes.totals();
    clocks.ifPresent(JointClocks::measurementBegan);
    counts.began(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public void mayHaveEnded(long nanos) {
    mayBe = nodes.totals();
  }

  @Override
  public void measurementEnded(long nanos) {
    clocks.ifPresent(each -> each.measurementEnded(nanos));
    ended = mayBe.filter(told -> told.atNanos() == nanos).or(nodes::totals);
    counts.ended(Objects.requireNonNull(observed).readsByLevel());
  }

  @Override
  public void record(RunRecord found) {
    counts
        .meanReplicas(replicas, 0)
        .ifPresent(mean -> found.give(LevelColumns.MEAN_REPLICAS, mean));
    if (began.isPresent() && ended.isPresent()) {
      ShiftedNodes.Totals from = began.get();
      ShiftedNodes.Totals to = ended.get();
      found.add(
          GearFigures.simulated(
              to.shifts() - from.shifts(),
              to.bootJoules() - from.bootJoules(),
              to.movedBytes() - from.movedBytes()));
    }
    clocks.ifPresent(each -> each.record(found));
    List<String> notes = new ArrayList<>();
    nodes.failures().ifPresent(notes::add);
    found.note(notes);
    nodes.failure().ifPresent(why -> found.fail("the joint controller failed: " + why));
  }

  @Override
  public void close() {
    nodes.close();
    clocks.ifPresent(JointClocks::close);
  }
}
