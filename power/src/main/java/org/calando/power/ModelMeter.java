package org.calando.power;

import java.util.List;
import java.util.Locale;
import org.calando.core.energy.EnergyAccount;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;

/*
 * Between two readings dt apart, a node used c seconds of this machine's CPU. Its profile's machine
 * has `cores` cores, of which c stands for c * cpuScale seconds, so it was busy at
 *
 *     u = c * cpuScale / (dt * cores),      P = idle + (busy - idle) * share(u),      E = P * dt
 *
 * u is a mean over dt. With a linear curve E does not depend on how time is cut into readings; with
 * a curved one it does, a little: readings a second apart see the level of work that SPECpower's
 * load levels (minutes long) were measured at, shorter ones see bursts.
 *
 * CPU time comes in clock ticks, so u of a short interval is coarse: one tick of 10 ms is 1 % of a
 * core in a second. Where u is above 1 the profile's machine could not have done the work in that
 * time; it counts as 1, and how much CPU time that cut off is told (clampedShare).
 */

/**
 * Models each node's energy from the CPU time of its process and a {@link NodeProfile}. Not thread
 * safe.
 *
 * <p>Only CPU time moves the figure: disk, memory and network are in the profile's watts no further
 * than they go with it. A node that is off by order draws its profile's off power, from the reading
 * on before it was seen so. A process that has ended otherwise is an error, never 0 W; once the
 * source reads a restarted one, the time between the last reading and the first of the new process
 * is a gap.
 */
public final class ModelMeter implements Meter {
  /** The meter's name in studies. */
  public static final String ID = "model";

  private static final double NOTABLE_CLAMPED_SHARE = 0.01;

  private final UsageSource usage;
  private final List<NodeProfile> profiles;
  private final MeterInfo info;
  private final NodeState[] states;
  private double cpuSeconds;
  private double clampedCpuSeconds;

  /**
   * Opens the meter: energy counts from now.
   *
   * @param usage CPU time of each node
   * @param profiles each node's profile, valid, in the same order
   * @param tickNanos resolution of the CPU time
   * @throws MeterException if a node cannot be read
   */
  public ModelMeter(UsageSource usage, List<NodeProfile> profiles, long tickNanos)
      throws MeterException {
    this.usage = usage;
    this.profiles = List.copyOf(profiles);
    info =
        new MeterInfo(
            ID,
            Provenance.MODELLED,
            Scope.NODE,
            "CPU time in steps of %s ms, at each reading".formatted(tickNanos / 1e6),
            true);
    states = new NodeState[profiles.size()];
    for (int node = 0; node < states.length; node++) {
      NodeUsage first = usage.read(node);
      states[node] = new NodeState(first);
    }
  }

  @Override
  public MeterInfo info() {
    return info;
  }

  @Override
  public EnergyReading read(int node) throws MeterException {
    NodeUsage now = usage.read(node);
    return states[node].advance(now, profiles.get(node), usage.isOff(node));
  }

  @Override
  public boolean immediate() {
    return usage.immediate();
  }

  /**
   * Share of all CPU time read so far that was beyond what the profiles' machines could have done,
   * 0 to 1. If it is not small, the profile is too weak for the load: raise its cores or lower its
   * cpu-scale.
   */
  public double clampedShare() {
    return cpuSeconds == 0 ? 0 : clampedCpuSeconds / cpuSeconds;
  }

  @Override
  public List<String> notes() {
    if (clampedShare() < NOTABLE_CLAMPED_SHARE) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%.0f %% of the CPU time was more than the machine of the node profile could have done"
                + " and is not in the energy: lower the profile's cpu-scale or raise its cores",
            100 * clampedShare()));
  }

  @Override
  public void close() {
    // Holds nothing.
  }

  private final class NodeState {
    private long lastNanos;
    private NodeUsage last;
    private double joules;

    NodeState(NodeUsage first) {
      lastNanos = first.atNanos();
      last = first;
    }

    EnergyReading advance(NodeUsage now, NodeProfile profile, boolean off) {
      long atNanos = now.atNanos();
      long stepNanos = atNanos - lastNanos;
      if (stepNanos <= 0) {
        return new EnergyReading(lastNanos, joules, Double.NaN, 0);
      }
      // CPU time that falls within one process is another process in disguise.
      boolean restarted =
          now.incarnation() != last.incarnation() || now.cpuNanos() < last.cpuNanos();
      double watts = Double.NaN;
      if (!restarted) {
        double seconds = stepNanos / 1e9;
        double used = (now.cpuNanos() - last.cpuNanos()) / 1e9;
        double utilisation = EnergyAccount.utilisation(profile, now.hostCores(), used, seconds);
        cpuSeconds += used;
        if (utilisation > 1) {
          clampedCpuSeconds += used * (1 - 1 / utilisation);
        }
        watts = off ? profile.offWatts() : profile.watts(utilisation);
        joules += watts * seconds;
      }
      lastNanos = atNanos;
      last = now;
      return new EnergyReading(atNanos, joules, watts, restarted ? stepNanos : 0);
    }
  }
}
