package org.calando.sim.control;

import java.util.Arrays;
import org.calando.control.ClockedNodes;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.energy.PStates;
import org.calando.core.replication.Role;
import org.calando.sim.cluster.SimCluster;

/*
 * A node's entry is closed before its clock or its role changes: the time since the last one was
 * spent at one clock, and what its cores were busy was the busy part of it. Beside it stands what
 * the same work would have been at the fastest clock, as the power manager's account has it: as much
 * time, of which it would have been busy for less by the ratio of the clocks. Here that is exact.
 */
/** Keeps account of core time at clocks. Belongs to the simulation's thread. */
final class SimClockLedger {
  private final SimCluster cluster;
  private final PStates states;
  private final CoreSeconds[] time;
  private final CoreSeconds[] atFastest;
  private final long[] busyAtBegin;
  private final long[] sinceNanos;
  private final long[] busySince;
  private final boolean[] wasOn;
  private final long beganNanos;
  private double masterBusySeconds;
  private double replicaBusySeconds;
  private double replicaSeconds;

  /** An account from now on. */
  SimClockLedger(SimCluster cluster, PStates states) {
    this.cluster = cluster;
    this.states = states;
    int nodes = cluster.config().topology().size();
    time = new CoreSeconds[nodes];
    atFastest = new CoreSeconds[nodes];
    Arrays.fill(time, CoreSeconds.NONE);
    Arrays.fill(atFastest, CoreSeconds.NONE);
    busyAtBegin = new long[nodes];
    sinceNanos = new long[nodes];
    busySince = new long[nodes];
    wasOn = new boolean[nodes];
    long now = now();
    beganNanos = now;
    for (int node = 0; node < nodes; node++) {
      sinceNanos[node] = now;
      busySince[node] = cluster.energy().busyNanos(node, now);
      busyAtBegin[node] = busySince[node];
      wasOn[node] = cluster.energy().isOn(node);
    }
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  /** Whether a node was switched on at its last entry. */
  boolean isOn(int node) {
    return wasOn[node];
  }

  /**
   * Closes a node's entry and opens the next.
   *
   * @param role what it has been since the last one
   * @param kiloHertz its clock since then
   */
  void enter(int node, Role role, long kiloHertz) {
    long now = now();
    boolean on = wasOn[node];
    wasOn[node] = cluster.energy().isOn(node);
    if (now == sinceNanos[node]) {
      return;
    }
    double seconds = (now - sinceNanos[node]) / 1e9;
    long busyNanos = cluster.energy().busyNanos(node, now);
    double busy = (busyNanos - busySince[node]) / 1e9;
    sinceNanos[node] = now;
    busySince[node] = busyNanos;
    if (on) {
      double coreSeconds = seconds * cluster.config().profiles().get(node).cores();
      double ghz = kiloHertz / 1e6;
      time[node] =
          time[node].plus(CoreSeconds.at(states.relativePowerWithin(ghz), coreSeconds, busy));
      atFastest[node] =
          atFastest[node].plus(CoreSeconds.at(1, coreSeconds, busy * (ghz / states.fastestGhz())));
    }
    if (role == Role.MASTER) {
      masterBusySeconds += busy;
    } else {
      replicaBusySeconds += busy;
      replicaSeconds += seconds;
    }
  }

  /** What a node's cores were busy up to its last entry. */
  double busySeconds(int node) {
    return (busySince[node] - busyAtBegin[node]) / 1e9;
  }

  /**
   * The account up to the last entries.
   *
   * @param cpuShare CPU time for a time that cores are busy
   */
  ClockedNodes.Totals totals(double cpuShare, long changes) {
    double replicas = replicaSeconds / ((now() - beganNanos) / 1e9);
    return new ClockedNodes.Totals(
        Arrays.stream(time).reduce(CoreSeconds.NONE, CoreSeconds::plus),
        Arrays.stream(atFastest).reduce(CoreSeconds.NONE, CoreSeconds::plus),
        masterBusySeconds * cpuShare,
        replicas > 0 ? replicaBusySeconds / replicas * cpuShare : Double.NaN,
        Double.NaN,
        changes);
  }
}
