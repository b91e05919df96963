package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.knob.RunPart;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.power.SampleRow;
import org.calando.report.column.RunRecord;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.SimScheduler;
import org.jspecify.annotations.Nullable;

/*
 * A window of a number of operations is over when the last of them ends, which is known only later: when nothing is under
 * way any more, second reads included. So there is a reading at each end that may be the last, and rows of what follows
 * wait for what they belong to:
 *
 *   measured ...  mayHaveEnded   tick   mayHaveEnded   tick   measurementEnded
 *                                held: measured        held: drain
 */
/**
 * What the nodes of a simulated cluster use in one run: the measured window's account, and a row
 * for each node and interval. Net energy is that above the idle power of the node's profile.
 * Belongs to the simulation's thread.
 */
final class SimulatedMeter implements RunPart {
  /** What its figures are. */
  static final MeterInfo INFO =
      new MeterInfo(
          "simulated",
          Provenance.SIMULATED,
          Scope.NODE,
          "exact: time on, off and booting, and busy time of cores, against the node's profile",
          true);

  /** Phases of its rows, as those of real runs are called. */
  private static final String WARMUP = "warmup";

  private static final String MEASURED = "measured";
  private static final String DRAIN = "drain";

  private final SimCluster cluster;
  private final SimScheduler scheduler;
  private final double cpuShare;
  private final long intervalNanos;
  private final Consumer<SampleRow> rows;
  private Figures last;
  private String phase = WARMUP;
  private long nextNanos;
  private boolean over;
  private @Nullable Figures atBegin;
  private @Nullable Figures atEnd;
  private final List<Figures> held = new ArrayList<>();
  private @Nullable PhaseEnergy measured;
  private double clientBusySeconds = Double.NaN;
  private double atRisk = Double.NaN;

  /** Joules and busy core time of each node since the simulation's begin. */
  private static final class Figures {
    private final double[] joules;
    private final long[] busyNanos;
    private final long clientBusyNanos;
    private final double atRiskNanos;
    private final long atNanos;

    Figures(SimCluster cluster) {
      int nodes = cluster.config().topology().size();
      atNanos = cluster.simulation().nowNanos();
      joules = new double[nodes];
      busyNanos = new long[nodes];
      for (int node = 0; node < nodes; node++) {
        joules[node] = cluster.energy().joules(node, atNanos);
        busyNanos[node] = cluster.energy().busyNanos(node, atNanos);
      }
      clientBusyNanos = cluster.energy().clientBusyNanos(atNanos);
      atRiskNanos = cluster.atRiskNanos();
    }
  }

  /**
   * A meter of a cluster that begins with the simulation.
   *
   * @param cpuShare CPU time for a time that cores are busy
   * @param intervalNanos time between two rows of a node
   * @param rows is told each of them
   */
  SimulatedMeter(
      SimCluster cluster,
      double cpuShare,
      SimScheduler scheduler,
      long intervalNanos,
      Consumer<SampleRow> rows) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.cpuShare = cpuShare;
    this.intervalNanos = intervalNanos;
    this.rows = rows;
    this.last = new Figures(cluster);
    schedule();
  }

  private int nodes() {
    return cluster.config().topology().size();
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  private void schedule() {
    nextNanos = now() + intervalNanos;
    scheduler.at(nextNanos, this::tick);
  }

  private void tick() {
    // The measured window has a rhythm of its own, and leaves a tick of the warm-up's behind.
    if (!over && now() == nextNanos) {
      Figures reading = new Figures(cluster);
      if (atEnd == null || measured != null) {
        row(reading);
      } else {
        held.add(reading);
      }
      schedule();
    }
  }

  /** Ends an interval with a reading, if it has any length. */
  private void row(Figures to) {
    Figures from = last;
    long nanos = to.atNanos - from.atNanos;
    if (nanos == 0) {
      return;
    }
    last = to;
    long second = (from.atNanos + nanos / 2) / 1_000_000_000L;
    for (int node = 0; node < to.joules.length; node++) {
      double used = to.joules[node] - from.joules[node];
      double busySeconds = (to.busyNanos[node] - from.busyNanos[node]) / 1e9;
      double seconds = nanos / 1e9;
      rows.accept(
          new SampleRow(
              second,
              phase,
              cluster.config().topology().nodes().get(node).name(),
              busySeconds * cpuShare,
              100 * utilisation(node, busySeconds, seconds),
              -1,
              -1,
              -1,
              -1,
              -1,
              -1,
              used / seconds,
              used,
              false));
    }
  }

  private NodeProfile profile(int node) {
    return cluster.config().profiles().get(node);
  }

  @Override
  public void measurementBegan(long nanos) {
    Figures begin = new Figures(cluster);
    row(begin);
    phase = MEASURED;
    atBegin = begin;
    schedule();
  }

  @Override
  public void mayHaveEnded(long nanos) {
    if (atBegin != null && measured == null) {
      tellHeld();
      atEnd = new Figures(cluster);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @param nanos now, or the last time that it may have ended
   */
  @Override
  public void measurementEnded(long nanos) {
    Figures told = atEnd;
    Figures end = told != null && told.atNanos == nanos ? told : new Figures(cluster);
    if (end != told) {
      tellHeld();
    }
    row(end);
    phase = DRAIN;
    tellHeld();
    Figures begin = atBegin;
    if (begin == null) {
      return;
    }
    List<NodeEnergy> nodes = new ArrayList<>();
    for (int node = 0; node < nodes(); node++) {
      nodes.add(account(node, begin, end));
    }
    clientBusySeconds = (end.clientBusyNanos - begin.clientBusyNanos) / 1e9;
    atRisk = (end.atRiskNanos - begin.atRiskNanos) / (end.atNanos - begin.atNanos);
    measured =
        new PhaseEnergy(
            MEASURED, begin.atNanos, end.atNanos, EnergySummary.of(nodes), Double.NaN, List.of());
  }

  private void tellHeld() {
    held.forEach(this::row);
    held.clear();
  }

  private NodeEnergy account(int node, Figures begin, Figures end) {
    long nanos = end.atNanos - begin.atNanos;
    double busySeconds = (end.busyNanos[node] - begin.busyNanos[node]) / 1e9;
    return new NodeEnergy(
        cluster.config().topology().nodes().get(node).name(),
        nanos,
        nanos,
        0,
        end.joules[node] - begin.joules[node],
        profile(node).idleWatts(),
        busySeconds * cpuShare,
        100 * utilisation(node, busySeconds, nanos / 1e9));
  }

  /** The busy share of a node's cores, as {@link org.calando.sim.cluster.ClusterEnergy} has it. */
  private double utilisation(int node, double busySeconds, double seconds) {
    return cluster.energy().utilisation(node, busySeconds, seconds);
  }

  /** The run is over: the last rows are told. */
  @Override
  public void end() {
    row(new Figures(cluster));
    over = true;
  }

  /** Seconds that clients' work took cores in the measured window; NaN if there was none. */
  double clientBusySeconds() {
    return clientBusySeconds;
  }

  /** Deferred writes at risk in the measured window, their mean number; NaN if there was none. */
  double atRisk() {
    return atRisk;
  }

  @Override
  public void record(RunRecord found) {
    found.add(INFO);
    Optional.ofNullable(measured).ifPresent(found::add);
  }
}
