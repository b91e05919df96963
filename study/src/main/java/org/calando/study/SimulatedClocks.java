package org.calando.study;

import java.util.List;
import java.util.Optional;
import org.calando.control.DecisionLog;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.core.workload.Workload;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.ClockFigures;
import org.calando.report.column.RunRecord;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.ClockTotals;
import org.calando.sim.control.SimClocks;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.ManagedClocks;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.sim.SimMachines;
import org.calando.studyfile.sim.SimSpec;
import org.jspecify.annotations.Nullable;

/**
 * Has a policy set the clocks in a simulated run, and keeps account of it, as {@link RunClocks}
 * does on a real cluster; managing costs nothing. Belongs to the simulation's thread.
 */
final class SimulatedClocks implements RunPart {
  private static final long NANOS = 1_000_000_000L;

  private final ManagedClocks spec;
  private final double cpuShare;
  private final RunFiles files;
  private final DecisionLog log;
  private final SimClocks clocks;
  private final double[] rowSeconds;
  private LagRecord lag = new LagRecord();
  private boolean measuring;
  private long beganNanos;
  private @Nullable ClockTotals mayBe;
  private @Nullable ClockTotals ended;

  /**
   * Begins to set them.
   *
   * @param policy name of the run's policy
   * @param cpuShare CPU time for a time that cores are busy
   */
  SimulatedClocks(
      RunTask task,
      String policy,
      Workload workload,
      SimCluster cluster,
      double cpuShare,
      SimScheduler scheduler) {
    this.spec = spec(task.study());
    this.cpuShare = cpuShare;
    this.files = task.files();
    this.log = files.decisions();
    ClockPolicy decides = RunControllers.clocks(spec, policy);
    SimClocks.Settings settings =
        new SimClocks.Settings(
            workload.meanWriteBytes(), spec.times().pollNanos(), spec.times().decideNanos());
    this.clocks = new SimClocks(cluster, scheduler, settings, decides, listener());
    this.rowSeconds = new double[clocks.nodes().size()];
    files.beginClocks();
  }

  private static ManagedClocks spec(StudySpec study) {
    return study.clocks().orElse(ManagedClocks.SIMULATED);
  }

  /** States that policies of a study can set clocks to; empty if it has no such policy. */
  static Optional<PStates> states(StudySpec study) {
    if (!study.setsClocks()) {
      return Optional.empty();
    }
    Optional<PStates> ofCluster =
        SimSpec.of(study.store())
            .map(SimSpec::machines)
            .flatMap(SimMachines::clocks)
            .map(told -> told.clocks().states());
    return Optional.of(spec(study).states().or(() -> ofCluster).orElseGet(PStates::xeonSilver4114));
  }

  private SimClocks.Listener listener() {
    return new SimClocks.Listener() {
      @Override
      public void looked(List<NodeView> nodes) {
        if (measuring) {
          lag.look(nodes);
        }
      }

      @Override
      public void decided(Decision<?> decision) {
        log.decided(decision);
      }
    };
  }

  @Override
  public void interval(Interval interval) {
    ClockTotals last = ended;
    boolean over = last != null && last.atNanos() - beganNanos <= interval.second() * NANOS;
    if (interval.phase() != Phase.MEASURED || over) {
      return;
    }
    List<ClockTotals.Node> totals = clocks.totals().nodes();
    List<NodeView> views = clocks.view();
    for (int node = 0; node < views.size(); node++) {
      NodeView view = views.get(node);
      double busySeconds = totals.get(node).busySeconds();
      files.clock(
          interval.second(),
          view,
          clocks.clockOf(node),
          (busySeconds - rowSeconds[node]) * cpuShare);
      rowSeconds[node] = busySeconds;
    }
  }

  @Override
  public void measurementBegan(long nanos) {
    clocks.beginAccount();
    beganNanos = clocks.totals().atNanos();
    lag = new LagRecord();
    measuring = true;
  }

  @Override
  public void mayHaveEnded(long nanos) {
    if (measuring) {
      mayBe = clocks.totals();
    }
  }

  @Override
  public void measurementEnded(long nanos) {
    measuring = false;
    ClockTotals told = mayBe;
    ended = told != null && told.atNanos() == nanos ? told : clocks.totals();
  }

  @Override
  public void record(RunRecord found) {
    ClockTotals totals = ended;
    if (totals == null) {
      return;
    }
    double seconds = (totals.atNanos() - beganNanos) / 1e9;
    double replicas = totals.replicaSeconds() / seconds;
    found.add(
        new ClockFigures(
            energy(totals, spec.power().busyOnly()),
            energy(totals, spec.power().idleCharged()),
            totals.masterBusySeconds() * cpuShare,
            replicas > 0 ? totals.replicaBusySeconds() / replicas * cpuShare : Double.NaN,
            lag.lag(),
            Double.NaN,
            Double.NaN,
            totals.changes()));
  }

  private ClockFigures.Energy energy(ClockTotals totals, CorePower power) {
    ClockTotals.Node all = totals.all();
    return new ClockFigures.Energy(
        power.joules(all.time(), spec.coreWatts()), power.saving(all.time(), all.atFastest()));
  }

  @Override
  public void close() {
    clocks.close();
  }
}
