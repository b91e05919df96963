package org.calando.core.energy;

/**
 * Energy and CPU time of one node in one window. Energy is that of the time covered: a gap adds
 * none, so compare {@link #coverage} before comparing joules.
 *
 * @param node the node's name
 * @param windowNanos length of the window
 * @param coveredNanos part of the window that readings cover
 * @param gaps stretches of the window that they do not
 * @param grossJoules all energy of the time covered
 * @param baselineWatts idle power of the node, NaN if unknown
 * @param cpuSeconds CPU time used, NaN if unknown
 * @param cpuPercent CPU time as a share of the node's cores, 0 to 100 (above where the measuring
 *     machine did more than the node could), NaN if unknown
 */
public record NodeEnergy(
    String node,
    long windowNanos,
    long coveredNanos,
    int gaps,
    double grossJoules,
    double baselineWatts,
    double cpuSeconds,
    double cpuPercent) {

  /** Mean power of the time covered; NaN if none is. */
  public double meanWatts() {
    return coveredNanos == 0 ? Double.NaN : grossJoules / (coveredNanos / 1e9);
  }

  /** Energy that the idle node would have used in the time covered; NaN without a baseline. */
  public double idleJoules() {
    return baselineWatts * (coveredNanos / 1e9);
  }

  /**
   * Energy above idle; NaN without a baseline. Below 0 where the node drew less than its baseline:
   * that is not cut off, so that idle and net always add up to gross.
   */
  public double netJoules() {
    return grossJoules - idleJoules();
  }

  /** Share of the window that readings cover, 0 to 1; NaN for a window without length. */
  public double coverage() {
    return windowNanos == 0 ? Double.NaN : (double) coveredNanos / windowNanos;
  }
}
