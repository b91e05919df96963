package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.power.SampleRow;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.kernel.SimScheduler;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a simulated cluster use in one run: the measured window's account, and a row
 * for each node and interval. Net energy is that above the idle power of the node's profile.
 * Belongs to the simulation's thread.
 */
final class SimulatedMeter {
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
  private final long intervalNanos;
  private final Consumer<SampleRow> rows;
  private final Figures last;
  private String phase = WARMUP;
  private long nextNanos;
  private boolean over;
  private @Nullable Figures atBegin;
  private @Nullable PhaseEnergy measured;

  /** Joules and busy core time of each node since the simulation's begin. */
  private static final class Figures {
    private final double[] joules;
    private final long[] busyNanos;
    private long atNanos;

    Figures(int nodes) {
      joules = new double[nodes];
      busyNanos = new long[nodes];
    }

    void read(SimCluster cluster, long nanos) {
      atNanos = nanos;
      for (int node = 0; node < joules.length; node++) {
        joules[node] = cluster.energy().joules(node, nanos);
        busyNanos[node] = cluster.energy().busyNanos(node, nanos);
      }
    }
  }

  /**
   * A meter of a cluster that begins with the simulation.
   *
   * @param intervalNanos time between two rows of a node
   * @param rows is told each of them
   */
  SimulatedMeter(
      SimCluster cluster, SimScheduler scheduler, long intervalNanos, Consumer<SampleRow> rows) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.intervalNanos = intervalNanos;
    this.rows = rows;
    this.last = new Figures(nodes());
    last.read(cluster, now());
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
      row();
      schedule();
    }
  }

  /** Ends an interval, if it has any length. */
  private void row() {
    long fromNanos = last.atNanos;
    long nanos = now() - fromNanos;
    if (nanos == 0) {
      return;
    }
    double[] joules = last.joules.clone();
    long[] busyNanos = last.busyNanos.clone();
    last.read(cluster, now());
    long second = (fromNanos + nanos / 2) / 1_000_000_000L;
    for (int node = 0; node < joules.length; node++) {
      double used = last.joules[node] - joules[node];
      double busySeconds = (last.busyNanos[node] - busyNanos[node]) / 1e9;
      double seconds = nanos / 1e9;
      rows.accept(
          new SampleRow(
              second,
              phase,
              cluster.config().topology().nodes().get(node).name(),
              busySeconds,
              100 * busySeconds / (seconds * profile(node).cores()),
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

  /** The measured window begins now. */
  void measurementBegan() {
    row();
    phase = MEASURED;
    Figures begin = new Figures(nodes());
    begin.read(cluster, now());
    atBegin = begin;
    schedule();
  }

  /** The measured window ends now. */
  void measurementEnded() {
    row();
    phase = DRAIN;
    Figures begin = atBegin;
    if (begin == null) {
      return;
    }
    Figures end = new Figures(nodes());
    end.read(cluster, now());
    List<NodeEnergy> nodes = new ArrayList<>();
    for (int node = 0; node < nodes(); node++) {
      nodes.add(account(node, begin, end));
    }
    measured =
        new PhaseEnergy(
            MEASURED, begin.atNanos, end.atNanos, EnergySummary.of(nodes), Double.NaN, List.of());
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
        busySeconds,
        100 * busySeconds / (nanos / 1e9 * profile(node).cores()));
  }

  /** The run is over: the last rows are told. */
  void end() {
    row();
    over = true;
  }

  /** The measured window; null if there was none. */
  @Nullable PhaseEnergy measured() {
    return measured;
  }
}
