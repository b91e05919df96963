package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.calando.agent.LeasedNodes;
import org.calando.clock.ClockOutcome;
import org.calando.clock.NodeClocks;
import org.calando.concerto.EnergyReport;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.PowerManager;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.CorePower;
import org.calando.core.policy.clock.FixedClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.WorkSource;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.RoledServers;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.ClockFigures;
import org.calando.report.column.RunRecord;
import org.calando.studyfile.ManagedClocks;
import org.jspecify.annotations.Nullable;

/*
 *   clocks settle | idle baseline | warm-up | measured | drain
 *                                           ^          ^ account of energy, CPU time and the
 *                                                        manager's own are read here
 *
 * The manager sets clocks for as long as this is open. Beside it a thread looks at replicas' lag as
 * often as the manager asks for it; CPU time of processes is read each second and at the edges.
 */
/**
 * Has a policy set the clocks in a run, and keeps account of it. Its methods belong to the run's
 * thread, but for what the load generator calls: {@link #interval} and the edges of the measured
 * window.
 */
final class RunClocks implements RunPart {
  /** How long the policy may take beyond what it waits for. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** A master that is slow for longer is told: the goal for a raise. */
  private static final long SLOW_MASTER_NANOS = 250_000_000L;

  private static final long LOOK_NANOS = 20_000_000L;

  /** How long raising all clocks is tried. */
  private static final long RAISE_NANOS = 3_000_000_000L;

  private final Parts parts;
  private final RunFiles files;
  private final ClockNews news;
  private final PowerManager manager;
  private final RealTimeScheduler looks = new RealTimeScheduler("calando-lags");

  // Guarded by this.
  private final RoleCpu cpu;
  private final Map<String, Long> rowNanos = new HashMap<>();
  private final Map<String, Long> slowSince = new HashMap<>();
  private final Map<String, Long> slowest = new TreeMap<>();
  private LagRecord lag = new LagRecord();
  private boolean measuring;
  private Optional<String> atBegin = Optional.empty();
  private @Nullable Edge began;
  private @Nullable Edge ended;

  /**
   * What a run's manager is made of.
   *
   * @param spec what the study's file says
   * @param config of the manager, without who listens
   * @param leased clocks and threads of the nodes
   * @param servers the nodes
   * @param predicts whether the policy needs to know what nodes do
   */
  record Parts(
      ManagedClocks spec,
      ManagerConfig config,
      LeasedNodes leased,
      RoledServers servers,
      boolean predicts) {
    private NodeClocks clocks() {
      return leased.clocks();
    }

    private WorkSource work() {
      return servers.work(clocks()::kiloHertz, System::nanoTime);
    }
  }

  /** All that counts up, at an edge of the measured window. */
  private record Edge(
      long atNanos, EnergyReport energy, RoleCpu.Used cpu, long managerNanos, long changed) {}

  private RunClocks(Parts parts, RunFiles files, ClockNews news, PowerManager manager) {
    this.parts = parts;
    this.files = files;
    this.news = news;
    this.manager = manager;
    // Threads by the scheduler's count: processes are counted in ticks of 10 ms.
    this.cpu =
        new RoleCpu((node, pid) -> parts.leased().cpu().nanos(node, pid, ""), System.nanoTime());
  }

  /**
   * Begins to manage, and returns when the first clocks are set.
   *
   * @param closing closes what this needs
   * @throws FailedWorkException if that does not happen
   */
  static RunClocks start(Parts parts, RunFiles files, RunParts closing) {
    ClockNews news = new ClockNews(parts.spec().limits(), parts.predicts());
    files.beginClocks();
    Optional<WorkSource> work = parts.predicts() ? Optional.of(parts.work()) : Optional.empty();
    work.ifPresent(source -> closing.closes(source::close));
    ManagerConfig config = parts.config().withListener(news).withJournal(files.decisions());
    PowerManager manager =
        PowerManager.start(
            work.map(config::withWork).orElse(config),
            parts.clocks(),
            parts.leased().threads(),
            parts
                .servers()
                .roles(
                    parts.spec().times().pollNanos(),
                    parts.spec().times().silenceNanos(),
                    System::nanoTime));
    RunClocks run = new RunClocks(parts, files, news, manager);
    run.lookAtLags(System.nanoTime() + parts.spec().times().pollNanos());
    return run;
  }

  private void lookAtLags(long nanos) {
    looks.at(
        nanos,
        () -> {
          look();
          lookAtLags(Math.max(System.nanoTime(), nanos + parts.spec().times().pollNanos()));
        });
  }

  /**
   * Waits until clocks are as the policy wants them of nodes without load, and set.
   *
   * @throws FailedWorkException if they are not after a while, in which the manager has tried again
   *     to set what it could not
   */
  void awaitSettled(StopSignal stop) {
    long patience = PATIENCE.toNanos() + 2 * parts.spec().limits().caughtUpNanos();
    long deadline = System.nanoTime() + patience;
    Optional<String> unsettled = unsettled();
    while (unsettled.isPresent()) {
      stop.check();
      if (System.nanoTime() > deadline) {
        throw new FailedWorkException(
            "clocks were not settled after "
                + patience / 1_000_000_000L
                + " s: "
                + String.join("; ", reasons(unsettled.get())),
            "policy of clocks " + parts.config().policy().name(),
            "see that all nodes are up and linked, and ./calando clocks for what can be set");
      }
      LockSupport.parkNanos(LOOK_NANOS);
      unsettled = unsettled();
    }
    readCpu();
  }

  private Optional<String> unsettled() {
    return news.unsettled().or(news::refused);
  }

  private List<String> reasons(String first) {
    List<String> reasons = new ArrayList<>(List.of(first));
    reasons.addAll(manager.problems());
    return reasons;
  }

  /** A look at lags, and at masters that are not fast. */
  private synchronized void look() {
    List<NodeView> views = manager.view();
    if (measuring) {
      lag.look(views);
    }
    if (parts.config().policy() == FixedClockPolicy.ALL_LOW) {
      return;
    }
    long now = System.nanoTime();
    for (NodeView view : views) {
      String node = view.node();
      if (view.role() == Role.MASTER && isSlow(node)) {
        long since = slowSince.computeIfAbsent(node, name -> now);
        slowest.merge(node, now - since, Math::max);
      } else {
        slowSince.remove(node);
      }
    }
  }

  private boolean isSlow(String node) {
    long kiloHertz = parts.clocks().kiloHertz(node);
    return kiloHertz > 0 && kiloHertz < parts.clocks().frequencies(node).highest();
  }

  private synchronized void readCpu() {
    cpu.read(manager.view(), System.nanoTime());
  }

  @Override
  public synchronized void interval(Interval interval) {
    List<NodeView> views = manager.view();
    cpu.read(views, System.nanoTime());
    for (NodeView view : views) {
      long total = cpu.totalNanos(view.node());
      long before = rowNanos.getOrDefault(view.node(), 0L);
      rowNanos.put(view.node(), total);
      if (interval.phase() == Phase.MEASURED) {
        double used = cpu.knows(view.node()) ? (total - before) / 1e9 : Double.NaN;
        files.clock(interval.second(), view, parts.clocks().kiloHertz(view.node()), used);
      }
    }
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    news.unsettled().ifPresent(why -> atBegin = Optional.of(why));
    began = edge();
    lag = new LagRecord();
    measuring = true;
    news.measurementBegan();
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    news.measurementEnded();
    measuring = false;
    ended = edge();
  }

  private Edge edge() {
    cpu.read(manager.view(), System.nanoTime());
    EnergyReport energy = manager.account();
    return new Edge(System.nanoTime(), energy, cpu.used(), manager.cpuNanos(), news.changed());
  }

  @Override
  public synchronized void record(RunRecord found) {
    found.note(notes());
    if (began == null || ended == null) {
      return;
    }
    double seconds = (ended.atNanos() - began.atNanos()) / 1e9;
    EnergyReport energy = ended.energy().since(began.energy());
    RoleCpu.Used used = ended.cpu().since(began.cpu());
    double managerSeconds = (ended.managerNanos() - began.managerNanos()) / 1e9;
    CorePower power = parts.spec().power();
    found.add(
        new ClockFigures(
            energy(energy, power.busyOnly()),
            energy(energy, power.idleCharged()),
            used.master(),
            used.replicaMean(seconds),
            lag.lag(),
            managerSeconds,
            managerSeconds * parts.spec().coreWatts(),
            ended.changed() - began.changed()));
  }

  private ClockFigures.Energy energy(EnergyReport report, CorePower power) {
    return new ClockFigures.Energy(
        power.joules(report.time(), parts.spec().coreWatts()), report.saving(power));
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(news.notes());
    atBegin.ifPresent(
        why ->
            notes.add(
                "clocks were not settled when the measured window began ("
                    + why
                    + "); give it a longer warm-up"));
    manager.problems().forEach(problem -> notes.add("clocks: " + problem));
    for (Set<String> nodes : parts.clocks().conflicts()) {
      notes.add(
          "clocks: "
              + String.join(", ", new TreeSet<>(nodes))
              + " have one clock, that of the fastest of them");
    }
    slowest.forEach(
        (node, nanos) -> {
          if (nanos > SLOW_MASTER_NANOS) {
            notes.add(
                String.format(
                    Locale.ROOT,
                    "clocks: %s said that it is the master and was below its highest clock for"
                        + " %.1f s",
                    node,
                    nanos / 1e9));
          }
        });
    if (lag.unknown() > 0) {
      notes.add("clocks: the lag of a replica was not known in " + lag.unknown() + " looks");
    }
    return notes;
  }

  /**
   * Ends the manager; then all clocks are at their highest.
   *
   * @throws FailedWorkException if one cannot be set
   */
  @Override
  public void close() {
    looks.close();
    manager.close();
    raiseAll(parts.clocks());
  }

  /** Sets all to the highest that can be set; whatever runs next must not begin on others. */
  static void raiseAll(NodeClocks clocks) {
    Map<String, Long> highest = new TreeMap<>();
    clocks.nodes().forEach(node -> highest.put(node, clocks.frequencies(node).highest()));
    long deadline = System.nanoTime() + RAISE_NANOS;
    List<String> faults = faults(clocks.set(highest));
    // Agents answer when they have set them.
    while (!faults.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
      faults = faults(clocks.set(highest));
    }
    if (!faults.isEmpty()) {
      throw new FailedWorkException(
          "clocks cannot be set to the highest: " + String.join("; ", faults),
          "end of the run",
          "see ./calando clocks for what can be set");
    }
  }

  private static List<String> faults(List<ClockOutcome> outcomes) {
    return outcomes.stream()
        .filter(outcome -> !ClockNews.refused(outcome.policies()).isEmpty())
        .map(outcome -> outcome.node() + ": " + ClockNews.refused(outcome.policies()))
        .toList();
  }
}
