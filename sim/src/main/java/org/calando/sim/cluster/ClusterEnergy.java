package org.calando.sim.cluster;

import java.util.Arrays;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.jspecify.annotations.Nullable;

/*
 * A step of a node lies between two looks at it, or changes of its state. Its energy is
 *
 *   off        offWatts times the step
 *   booting    bootWatts times the step
 *   on         watts(busy core time of the step / (cores times the step)) times the step
 *
 * For a straight power curve the sum does not depend on where steps begin and end; for others,
 * steps ought to be about as long as what the curve was measured with, a second or more.
 */
/**
 * The energy and the core time of each node since the simulation's begin. A node that has failed
 * draws its idle power; one that is switched off does not. Not thread safe.
 */
public final class ClusterEnergy {
  private enum Power {
    ON,
    OFF,
    BOOTING
  }

  private final List<NodeProfile> profiles;
  private final Nodes nodes;
  private final HostPlan hosts;
  private final @Nullable Clocks clocks;
  private final double[] relativePower;
  private final Power[] power;
  private final double[] joules;
  private final long[] sinceNanos;
  private final long[] busySince;
  private final long[] readyNanos;

  ClusterEnergy(ClusterConfig config, HostPlan hosts, Nodes nodes, long nowNanos) {
    this.profiles = config.profiles();
    this.clocks = config.clocks();
    this.hosts = hosts;
    this.nodes = nodes;
    int size = profiles.size();
    relativePower = new double[size];
    Arrays.fill(relativePower, 1);
    power = new Power[size];
    joules = new double[size];
    sinceNanos = new long[size];
    busySince = new long[size];
    readyNanos = new long[size];
    for (int node = 0; node < size; node++) {
      power[node] = Power.ON;
      sinceNanos[node] = nowNanos;
    }
  }

  /**
   * Energy of a node up to a time, in joules, above 0. Ends a step.
   *
   * @param nowNanos the simulation's present time
   */
  public double joules(int node, long nowNanos) {
    sample(node, nowNanos);
    return joules[node];
  }

  /** Energy of all nodes up to the present time, in joules. Ends a step of each. */
  public double joules(long nowNanos) {
    double sum = 0;
    for (int node = 0; node < power.length; node++) {
      sum += joules(node, nowNanos);
    }
    return sum;
  }

  /** Core time that a node was busy up to the present time, in nanoseconds of one core. */
  public long busyNanos(int node, long nowNanos) {
    return nodes.busyNanos(node, nowNanos);
  }

  /** Core time that the clients' work took on their {@link Host}, likewise; 0 without one. */
  public long clientBusyNanos(long nowNanos) {
    return nodes.busyNanos(hosts.clients(), nowNanos);
  }

  /** Whether a node is switched on and has booted. */
  public boolean isOn(int node) {
    return power[node] == Power.ON;
  }

  void sample(int node, long nowNanos) {
    long step = nowNanos - sinceNanos[node];
    long busy = nodes.busyNanos(node, nowNanos);
    if (step > 0) {
      NodeProfile profile = profiles.get(node);
      double share = utilisation(node, (busy - busySince[node]) / 1e9, step / 1e9);
      double watts =
          switch (power[node]) {
            case OFF -> profile.offWatts();
            case BOOTING -> profile.bootWatts();
            case ON -> watts(node, share);
          };
      joules[node] += watts * (step / 1e9);
      sinceNanos[node] = nowNanos;
      busySince[node] = busy;
    }
  }

  /**
   * The busy share of a node; that of one on a declared machine is of its profile's cores.
   *
   * @param busySeconds core time in a time, in seconds
   * @param seconds that time, above 0
   */
  public double utilisation(int node, double busySeconds, double seconds) {
    NodeProfile profile = profiles.get(node);
    return hosts.isDeclared(node)
        ? profile.utilisation(busySeconds, seconds)
        : busySeconds / (seconds * profile.cores());
  }

  private double watts(int node, double share) {
    NodeProfile profile = profiles.get(node);
    return clocks == null
        ? profile.watts(share)
        : clocks.watts(profile, share, relativePower[node]);
  }

  /** A node's cores run at another clock from now on. */
  void clock(int node, double relative, long nowNanos) {
    sample(node, nowNanos);
    relativePower[node] = relative;
  }

  void off(int node, long nowNanos) {
    change(node, Power.OFF, nowNanos);
  }

  /** Begins to boot a node; says when it will be ready, or -1 if it was not off. */
  long boot(int node, long nowNanos) {
    if (power[node] != Power.OFF) {
      return -1;
    }
    change(node, Power.BOOTING, nowNanos);
    readyNanos[node] = nowNanos + StrictMath.round(profiles.get(node).bootSeconds() * 1e9);
    return readyNanos[node];
  }

  /** Ends the boot of a node; says whether it was booting. */
  boolean booted(int node, long nowNanos) {
    // A boot that was broken off by switching off leaves its end behind.
    if (power[node] != Power.BOOTING || nowNanos < readyNanos[node]) {
      return false;
    }
    change(node, Power.ON, nowNanos);
    return true;
  }

  private void change(int node, Power to, long nowNanos) {
    sample(node, nowNanos);
    power[node] = to;
  }
}
