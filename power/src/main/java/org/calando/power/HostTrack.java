package org.calando.power;

import java.util.List;
import org.calando.core.energy.PowerIntegrator;
import org.calando.power.internal.Poller;
import org.jspecify.annotations.Nullable;

/*
 * Several nodes on one metered machine share its energy in proportion to the CPU time that each
 * used since the sample before; where none used any, in equal parts; where it is not known of one,
 * later. The shares of a step add up to
 * the whole step, idle power and everything else that runs there included, so the sum over the nodes
 * is what the instrument told:
 *
 *     e_i = E * c_i / sum(c),      sum(e_i) = E
 */

/** What is known of one metered machine and the nodes on it. Not thread safe. */
final class HostTrack {
  private final String place;
  private final PowerProbe probe;
  private final UsageSource usage;
  private final int[] nodes;
  private final NodeShare[] shares;
  private final PowerIntegrator integrator;

  private long seen;
  private boolean sampled;
  private long lastNanos;
  private double lastJoules;
  private long heldGapNanos;
  private @Nullable MeterException problem;

  /**
   * A machine that has not been read.
   *
   * @param place the instrument, for messages
   * @param probe reads it
   * @param usage CPU time of the nodes
   * @param nodes indexes of the nodes on it, 1 or more
   * @param maxStepNanos longest time between two samples of power that is integrated over
   */
  HostTrack(
      String place, PowerProbe probe, UsageSource usage, List<Integer> nodes, long maxStepNanos) {
    this.place = place;
    this.probe = probe;
    this.usage = usage;
    this.nodes = nodes.stream().mapToInt(Integer::intValue).toArray();
    shares = new NodeShare[this.nodes.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = new NodeShare();
    }
    integrator = new PowerIntegrator(maxStepNanos);
  }

  PowerProbe probe() {
    return probe;
  }

  boolean shared() {
    return nodes.length > 1;
  }

  /** Takes the newest answer, if it is a new one. */
  void take(Poller.Answer<PowerSample> answer) {
    if (answer.late()) {
      problem = new MeterException("no answer within the sampling interval", place, SLOW);
      return;
    }
    if (answer.number() == seen) {
      return;
    }
    seen = answer.number();
    problem = answer.problem();
    PowerSample sample = answer.value();
    if (sample != null) {
      take(sample);
    }
  }

  private static final String SLOW =
      "check the network and the instrument, or sample less often (power.interval)";

  private void take(PowerSample sample) {
    if (sampled && sample.atNanos() <= lastNanos) {
      return; // nothing newer
    }
    double joules;
    long gapNanos = 0;
    if (sample instanceof PowerSample.Energy energy) {
      joules = energy.joules();
      gapNanos = energy.reset() ? sample.atNanos() - lastNanos : 0;
    } else {
      long before = integrator.gapNanos();
      integrator.add(sample.atNanos(), ((PowerSample.Power) sample).watts());
      joules = integrator.joules();
      gapNanos = integrator.gapNanos() - before;
    }
    lastNanos = sample.atNanos();
    heldGapNanos += sampled ? gapNanos : 0;
    double stepJoules = sampled ? joules - lastJoules : 0;
    if (divide(sample.atNanos(), stepJoules) || !sampled) {
      sampled = true;
      lastJoules = joules;
      heldGapNanos = 0;
    }
  }

  /**
   * Gives each node its part; not while the CPU time of one is unknown: the counters of all go on,
   * and the step is divided when it is known again.
   */
  private boolean divide(long atNanos, double stepJoules) {
    double[] used = new double[nodes.length];
    double sum = 0;
    for (int i = 0; shared() && i < nodes.length; i++) {
      if (!shares[i].ask(usage, nodes[i])) {
        return false;
      }
    }
    for (int i = 0; shared() && i < nodes.length; i++) {
      used[i] = shares[i].cpuSince();
      sum += used[i];
    }
    long gapNanos = heldGapNanos;
    double given = 0;
    for (int i = 0; i < nodes.length; i++) {
      // The last takes the rest, so that rounding loses nothing.
      boolean last = i == nodes.length - 1;
      double part = sum > 0 ? stepJoules * used[i] / sum : stepJoules / nodes.length;
      shares[i].add(atNanos, last ? stepJoules - given : part, gapNanos);
      given += part;
    }
    return true;
  }

  /** The newest figures of a node on this machine. */
  EnergyReading read(int node) throws MeterException {
    MeterException failure = problem;
    if (failure != null) {
      throw failure;
    }
    if (!sampled) {
      throw new MeterException("has not been read yet", place, "");
    }
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] == node) {
        return shares[i].reading();
      }
    }
    throw new IllegalArgumentException("node " + node + " is not on " + place);
  }

  /** One node's part. */
  private static final class NodeShare {
    private long atNanos;
    private double joules;
    private long gapNanos;
    private long readNanos;
    private double readJoules;
    private long readGapNanos;
    private boolean read;
    private @Nullable NodeUsage lastUsage;
    private @Nullable NodeUsage newUsage;

    /** Asks what the node has used so far; false if that is not known now. */
    boolean ask(UsageSource usage, int node) {
      try {
        newUsage = usage.read(node);
        return true;
      } catch (MeterException e) {
        // The sampler reports it.
        return false;
      }
    }

    /** CPU seconds since the call before; of a new process, since it started. */
    double cpuSince() {
      NodeUsage before = lastUsage;
      NodeUsage now = newUsage;
      lastUsage = now;
      if (before == null || now == null) {
        return 0;
      }
      boolean same = before.incarnation() == now.incarnation();
      return Math.max(0, now.cpuNanos() - (same ? before.cpuNanos() : 0)) / 1e9;
    }

    void add(long nowNanos, double stepJoules, long stepGapNanos) {
      atNanos = nowNanos;
      joules += stepJoules;
      gapNanos += stepGapNanos;
    }

    EnergyReading reading() {
      long missed = read ? gapNanos - readGapNanos : 0;
      long covered = read ? atNanos - readNanos - missed : 0;
      double watts = covered > 0 ? (joules - readJoules) / (covered / 1e9) : Double.NaN;
      read = true;
      readNanos = atNanos;
      readJoules = joules;
      readGapNanos = gapNanos;
      return new EnergyReading(atNanos, joules, watts, missed);
    }
  }
}
