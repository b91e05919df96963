package org.calando.knob.joint;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.core.observe.ObservedSession;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Signal;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.ReadLatency;
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
import org.calando.report.column.RunColumns;
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

  /** Over how many intervals of the load latencies are looked at, if enough ended in these. */
  private static final int INTERVALS = 3;

  /** What is enough to tell of the slowest hundredth. */
  private static final int ENOUGH = 100;

  /** Over how many at most. */
  private static final int MOST_INTERVALS = 120;

  private final LevelledReads.JointlyDeciding nodes;
  private final Optional<JointClocks> clocks;
  private final boolean defers;
  private final Map<ConsistencyLevel, Levels> levels = new EnumMap<>(ConsistencyLevel.class);
  private final ReadCounts counts = new ReadCounts();
  private final int replicas;

  // Guarded by intervals.
  private final Deque<Interval> intervals = new ArrayDeque<>();
  private long endedReads;

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
            JointKnob.gears(configuration),
            new ShiftedNodes.Settings(
                monitor.periodNanos(),
                configuration.speed(),
                run.workload().meanWriteBytes(),
                PERIODS_OF_NOTICE * monitor.periodNanos()));
    LoopListener listener = run.decisions().get();
    this.defers = controller.sets().contains(KnobId.WRITE_BUFFER);
    Optional<LevelledReads.Joint> own = run.cluster().find(LevelledReads.Joint.class);
    // Simulated nodes have clocks of their own.
    this.clocks =
        own.isPresent() || cluster.clocksKHz().size() == 1
            ? Optional.empty()
            : JointClocks.begin(run);
    this.nodes =
        own.<LevelledReads.JointlyDeciding>map(
                each ->
                    each.decide(
                        run.schedulers().apply(THREAD), all, controller, this::latency, listener))
            .orElseGet(
                () ->
                    TableJoint.start(
                        run,
                        all,
                        cluster,
                        controller,
                        choice.dryRun(),
                        clocks,
                        this::latency,
                        listener));
  }

  /** Of the last few intervals: no more than 99 % of all of theirs took longer than in any. */
  private Optional<Signal<ReadLatency>> latency() {
    synchronized (intervals) {
      if (intervals.isEmpty()) {
        return Optional.empty();
      }
      long reads = intervals.stream().mapToLong(Interval::reads).sum();
      long errors = intervals.stream().mapToLong(Interval::errors).sum();
      long longest = intervals.stream().mapToLong(Interval::readP99Nanos).max().orElse(0);
      return Optional.of(
          new Signal<>(
              new ReadLatency(reads, errors, Math.max(0, longest) / 1e9),
              intervals.getLast().endNanos()));
    }
  }

  @Override
  public void interval(Interval interval) {
    synchronized (intervals) {
      intervals.addLast(interval);
      endedReads += ended(interval);
      while (intervals.size() > MOST_INTERVALS
          || (intervals.size() > INTERVALS && endedReads - ended(intervals.getFirst()) >= ENOUGH)) {
        endedReads -= ended(intervals.removeFirst());
      }
    }
  }

  private static long ended(Interval interval) {
    return interval.reads() + interval.errors();
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
    if (defers) {
      found.give(RunColumns.WRITE_BUFFER, "joint");
    }
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
