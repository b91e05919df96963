package org.calando.report.column;

/**
 * What a policy of clocks came to in the measured window. Immutable and thread safe. A figure that
 * is not known is NaN.
 *
 * @param busyOnly energy of the nodes' processors where idle ones draw no dynamic power: i = 0
 * @param idleCharged the same where they draw as much as busy ones: i = 1
 * @param masterCpuSeconds CPU time of nodes while they said to be the master, all together
 * @param replicaCpuSeconds CPU time of a replica, in the mean of those that there were
 * @param lag how far replicas were behind
 * @param managerCpuSeconds CPU time that watching roles and deciding took
 * @param managerJoules what that is on a core at its fastest clock
 * @param changes clocks that were set to another than before
 */
public record ClockFigures(
    Energy busyOnly,
    Energy idleCharged,
    double masterCpuSeconds,
    double replicaCpuSeconds,
    Lag lag,
    double managerCpuSeconds,
    double managerJoules,
    long changes) {

  /**
   * Modelled energy.
   *
   * @param joules of all processors of the nodes
   * @param saving share of what the same work would have taken at the fastest clock throughout;
   *     below 0 where more was used
   */
  public record Energy(double joules, double saving) {}

  /**
   * Lag of all replicas over all looks.
   *
   * @param p50Bytes median, in bytes of the replication stream
   * @param maxBytes greatest
   * @param maxNanos greatest age of what was yet to be applied
   */
  public record Lag(double p50Bytes, double maxBytes, double maxNanos) {
    /** Nobody looked. */
    public static final Lag UNKNOWN = new Lag(Double.NaN, Double.NaN, Double.NaN);
  }
}
