package org.calando.core.energy;

import org.calando.core.energy.CumulativeSeries.Stretch;

/**
 * One node's energy and CPU time over time, from readings of cumulative joules and CPU seconds; any
 * window of that time can be accounted for once readings reach its end. Not thread safe.
 *
 * <p>Time that no reading covers is a gap: counted, never filled. See {@link CumulativeSeries} for
 * windows whose edges lie between readings.
 */
public final class EnergyAccount {
  private static final double LEAST_CPU_COVERAGE = 0.99;

  private final String node;
  private final NodeProfile profile;
  private final CumulativeSeries joules;
  private final CumulativeSeries cpu;
  private int hostCores;

  /**
   * Opens an account.
   *
   * @param node the node's name
   * @param profile gives the cores that CPU percent is a share of
   * @param longestDividedNanos longest step between readings that the edge of a window may divide
   */
  public EnergyAccount(String node, NodeProfile profile, long longestDividedNanos) {
    this.node = node;
    this.profile = profile;
    joules = new CumulativeSeries(longestDividedNanos);
    cpu = new CumulativeSeries(longestDividedNanos);
  }

  /**
   * Adds a reading of energy; one that is not after the reading before it changes nothing.
   *
   * @param atNanos when it was true
   * @param cumulativeJoules energy since any fixed time
   * @param gapNanos time since the reading before that the joules do not include, 0 or more
   */
  public void read(long atNanos, double cumulativeJoules, long gapNanos) {
    joules.add(atNanos, cumulativeJoules, gapNanos);
  }

  /**
   * Adds a reading of CPU time; one that is not after the reading before it changes nothing.
   *
   * @param atNanos when it was true
   * @param cumulativeSeconds CPU seconds since any fixed time, of the machine that was read
   * @param gapNanos time since the reading before that the seconds do not include, 0 or more
   * @param cores cores of the node itself, whose busy share the seconds are; 0 for the CPU time of
   *     a process, which stands for that of the profile's machine
   */
  public void cpu(long atNanos, double cumulativeSeconds, long gapNanos, int cores) {
    cpu.add(atNanos, cumulativeSeconds, gapNanos);
    hostCores = cores;
  }

  /** Whether energy has been read at or after a time, so that windows to there can be closed. */
  public boolean reaches(long nanos) {
    return joules.reaches(nanos);
  }

  /**
   * The account of a window.
   *
   * @param fromNanos its beginning
   * @param toNanos its end, not before the beginning
   * @param baselineWatts idle power, which net energy is counted above; NaN if unknown
   */
  public NodeEnergy between(long fromNanos, long toNanos, double baselineWatts) {
    Stretch energy = joules.between(fromNanos, toNanos);
    Stretch used = cpu.between(fromNanos, toNanos);
    double seconds = used.coveredNanos() / 1e9;
    // A sum over a part of the window would look like that over all of it.
    boolean cpuKnown =
        used.coveredNanos() > 0
            && used.coveredNanos() >= LEAST_CPU_COVERAGE * (toNanos - fromNanos);
    return new NodeEnergy(
        node,
        toNanos - fromNanos,
        energy.coveredNanos(),
        energy.gaps(),
        energy.amount(),
        baselineWatts,
        cpuKnown ? used.amount() : Double.NaN,
        cpuKnown ? 100 * utilisation(profile, hostCores, used.amount(), seconds) : Double.NaN);
  }

  /**
   * Busy share of a node's cores.
   *
   * @param profile the node's profile
   * @param cores cores of the node itself; 0 for the CPU time of a process on another machine
   * @param cpuSeconds CPU time used
   * @param seconds the time in which it was used, above 0
   */
  public static double utilisation(
      NodeProfile profile, int cores, double cpuSeconds, double seconds) {
    return cores > 0 ? cpuSeconds / (seconds * cores) : profile.utilisation(cpuSeconds, seconds);
  }
}
