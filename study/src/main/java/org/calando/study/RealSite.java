package org.calando.study;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.calando.clock.LeaseFolders;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.store.Capable;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.engine.ClusterControl;
import org.calando.engine.NodeGears;
import org.calando.engine.Target;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.NodeWork;
import org.calando.knob.RunPart;
import org.calando.knob.RunShifts;
import org.calando.load.Interval;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Recorder;
import org.calando.power.SampleListener;
import org.calando.power.SampleRow;
import org.calando.report.column.RunRecord;
import org.calando.study.load.FailedWriteLog;
import org.calando.study.load.LoadedRows;

/** A real cluster, and what goes on beside one run on it, in real time. Not thread safe. */
final class RealSite implements KeyValueWork.Site {
  private static final Duration SETTLE_DEADLINE = Duration.ofSeconds(90);

  private final Cluster cluster;
  private final RunTask task;
  private final Optional<RunGear> gear;

  /**
   * What all runs on a cluster have in common.
   *
   * @param offering the cluster, with its gears and with clocks on lease, if they are set
   * @param leases where it is noted how knobs were
   */
  record Cluster(
      KeyValueStore store,
      Target target,
      ClusterMetering metering,
      Capable offering,
      Optional<LeaseFolders> leases,
      Optional<NodeGears> gears) {
    /** A run's work. */
    RunProcedure.Work work(RunTask task, RunParts watching) {
      Optional<RunGear> gear = gears.map(box -> new RunGear(task, box));
      gear.ifPresent(each -> watching.closes(each::close));
      watch(target, task, watching);
      return new KeyValueWork(task, new RealSite(this, task, gear));
    }
  }

  private RealSite(Cluster cluster, RunTask task, Optional<RunGear> gear) {
    this.cluster = cluster;
    this.task = task;
    this.gear = gear;
  }

  /** Ends a run's load when a process of the cluster ends, or the user wishes so. */
  static void watch(Target target, RunTask task, RunParts watching) {
    target.onProcessEnd(task.cluster());
    watching.closes(() -> target.onProcessEnd(process -> {}));
    StopSignal.Registration registration = task.stop().onRequest(task.cluster()::stopLoad);
    watching.closes(registration::close);
  }

  /** Begins to sample, observes the nodes without load for a time, and then the load. */
  static RunMeter meter(ClusterMetering metering, RunTask task, RunParts parts, SampleListener rows)
      throws InterruptedException {
    RunMeter meter = metering.open(rows);
    parts.add(meter);
    task.status("measuring idle power");
    meter.baseline(task.study().power().baselineNanos(), task.stop());
    parts.add(new RunWatch(task));
    return meter;
  }

  /** What knobs may be found on: the cluster, the store on it, and a run's session. */
  static Capable knobs(Capable... offering) {
    return new Capable() {
      @Override
      public <C> Optional<C> find(Class<C> capability) {
        return Stream.of(offering).flatMap(each -> each.find(capability).stream()).findFirst();
      }
    };
  }

  @Override
  public KeyValueStore store() {
    return cluster.store();
  }

  @Override
  public StalenessOracle oracle(RunLoad load) {
    return load.newOracle();
  }

  @Override
  public long epochMillis() {
    return System.currentTimeMillis();
  }

  /** A table of our own that holds every record once, on a cluster at rest. */
  @Override
  public void fill(RunLoad load, StalenessOracle oracle) throws InterruptedException {
    task.status("loading " + load.workload().insertCount() + " records");
    // What an earlier run left to be delivered would come with newer versions than this run's.
    store().settle(SETTLE_DEADLINE);
    store().prepare(load.workload().tableSpec());
    write(load.workload(), oracle);
    task.status("settling");
    store().settle(SETTLE_DEADLINE);
    if (gear.isPresent()) {
      gear.get().begin();
    }
  }

  @Override
  public void restore(RunRecord found) throws InterruptedException {
    if (gear.isPresent()) {
      gear.get().restore(found);
    }
  }

  /** Writes every record at ALL, so that each replica holds all of them when the run begins. */
  private void write(Workload workload, StalenessOracle oracle) throws InterruptedException {
    int slots = RunLoad.LOADING_SLOTS;
    try (LoadedRows session = new LoadedRows(store().open(slots), task.stop()::pause)) {
      LoadSpec spec = LoadSpec.loading(workload, slots, ConsistencyLevel.ALL).build();
      Recorder recorder = new Recorder(interval -> {});
      LoadResult result =
          carryOut(
              (scheduler, housekeeping) ->
                  new LoadRun(spec, session, oracle, recorder, scheduler, housekeeping));
      boolean complete = result.reason().isComplete();
      if (complete && result.errors() > 0) {
        task.progress().status("loading " + result.errors() + " records again");
        complete = session.retry(result.errors(), oracle);
      }
      if (!complete) {
        throw new FailedWorkException(
            "%d of %d records were not written at ALL: %s"
                .formatted(
                    workload.insertCount() - (result.operations() - result.errors()),
                    workload.insertCount(),
                    String.join("; ", reasons(result, session))),
            "table " + workload.table(),
            "check that all nodes are up and see their logs, and that the machine is not overloaded"
                + " by other work, of which writes at ALL fail first; then repeat it with"
                + " --resume");
      }
    }
  }

  /** Why operations failed, in the store's own words where it gave any. */
  private static List<String> reasons(LoadResult result, Session session) {
    List<String> reasons = new ArrayList<>(session.errors());
    if (!result.reason().isComplete()) {
      reasons.add(0, result.message());
    } else if (reasons.isEmpty()) {
      reasons.add(result.errorsByOutcome().toString());
    }
    return reasons;
  }

  @Override
  public LoadResult carryOut(KeyValueWork.Generator generator) throws InterruptedException {
    try (RealTimeScheduler scheduler = new RealTimeScheduler("calando-load");
        RealTimeScheduler housekeeping = new RealTimeScheduler("calando-housekeeping")) {
      LoadRun load = generator.on(scheduler, housekeeping);
      load.start();
      task.cluster().watch(load::stop);
      LoadResult result = load.await();
      task.stop().check();
      return result;
    }
  }

  @Override
  public SessionRequest session(SessionRequest request, RunParts parts) {
    FailedWriteLog failed = new FailedWriteLog(task.files().folder());
    parts.closes(failed::close);
    SessionRequest asked = request.failedWrites(failed::failed);
    for (DrivenKnob knob : DrivenKnobs.of(task.run().point())) {
      asked = knob.session(asked, task.run().point());
    }
    return asked;
  }

  @Override
  public void begin(RunLoad load, Session session, RunParts parts) throws InterruptedException {
    LastSamples samples = new LastSamples(cluster.target());
    LastInterval last = new LastInterval();
    RunShifts.Source shifts =
        () -> gear.orElseThrow(IllegalStateException::new).share(parts, last::load);
    Capable knobs =
        gear.isPresent()
            ? knobs(cluster.offering(), store(), session, samples, shifts)
            : knobs(cluster.offering(), store(), session, samples);
    DrivenKnobs.of(task.run().point()).stream()
        .filter(DrivenKnob::isBeforeIdle)
        .forEach(knob -> task.status("waiting for " + knob.axis() + "s to settle"));
    RunKnobs.drive(task, DrivenKnob::isBeforeIdle, load.workload(), knobs, parts, parts::scheduler);
    RunMeter meter =
        meter(
            cluster.metering(),
            task,
            parts,
            row -> {
              task.files().row(row);
              samples.row(row);
            });
    gear.ifPresent(each -> each.tell(meter, parts));
    parts.add(last);
    parts.add(RunEvents.of(task, this::control, meter, parts.scheduler("calando-events")));
    KeyValueWork.deferral(task, session, true).ifPresent(parts::add);
    RunKnobs.drive(
        task, knob -> !knob.isBeforeIdle(), load.workload(), knobs, parts, parts::scheduler);
    parts.add(RunKnobs.start(task, knobs, cluster.leases(), parts.scheduler("calando-knobs")));
    if (gear.isPresent()) {
      gear.get().pilot(parts, last::load);
    }
  }

  /** The load of the last second. Thread safe. */
  private static final class LastInterval implements RunPart {
    private volatile Optional<GearObservation.Load> load = Optional.empty();

    @Override
    public void interval(Interval interval) {
      double seconds = (interval.endNanos() - interval.startNanos()) / 1e9;
      // Nobody is asked for bytes: what nodes missed is delivered by hints, whose cost is no
      // policy's.
      load =
          Optional.of(
              new GearObservation.Load(System.nanoTime(), interval.operations() / seconds, 0));
    }

    Optional<GearObservation.Load> load() {
      return load;
    }
  }

  /**
   * How busy nodes were in the last few rows of the meter: a single one tells as much of pauses as
   * of load. Thread safe.
   */
  private static final class LastSamples implements NodeWork, Capable {
    private static final int ROWS = 3;
    private final Target target;
    private final List<String> names;
    private final Map<String, Deque<SampleRow>> rows = new HashMap<>();
    private final Map<String, Long> atNanos = new HashMap<>();

    LastSamples(Target target) {
      this.target = target;
      this.names = target.nodes().stream().map(Target.Node::name).toList();
    }

    synchronized void row(SampleRow row) {
      if (Double.isNaN(row.cpuPercent())) {
        return; // What was told before grows old.
      }
      Deque<SampleRow> last = rows.computeIfAbsent(row.node(), node -> new ArrayDeque<>());
      last.addLast(row);
      if (last.size() > ROWS) {
        last.removeFirst();
      }
      atNanos.put(row.node(), System.nanoTime());
    }

    @Override
    public List<Node> nodes() {
      Set<String> off = target.off();
      return names.stream().map(name -> node(name, off.contains(name))).toList();
    }

    private synchronized Node node(String name, boolean isOff) {
      if (isOff) {
        // What it did before, and while it starts, says nothing of when it serves.
        rows.remove(name);
      }
      Deque<SampleRow> last = rows.getOrDefault(name, new ArrayDeque<>());
      OptionalDouble percent = last.stream().mapToDouble(SampleRow::cpuPercent).average();
      return new Node(
          name,
          !isOff,
          atNanos.getOrDefault(name, 0L),
          percent.isEmpty()
              ? OptionalDouble.empty()
              : OptionalDouble.of(Math.min(1, percent.getAsDouble() / 100)));
    }
  }

  private ClusterControl control() {
    return cluster
        .target()
        .control()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "events happen to a local cluster only", "events", "remove them"));
  }
}
