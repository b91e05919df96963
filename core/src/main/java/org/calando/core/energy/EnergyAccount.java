package org.calando.core.energy;

/**
 * Adds up one node's energy and CPU time over one window, from readings of a meter's cumulative
 * joules. Not thread safe.
 *
 * <p>The first reading anchors the account, so a reading at either edge of the window makes it
 * exact. Time that no reading covers is a gap: counted, never filled. Readings must come from a
 * counter that does not wrap (see {@link WrappingCounter}); one that falls all the same is taken as
 * a reset and the time since the reading before it as a gap.
 */
public final class EnergyAccount {
  private final String node;
  private final NodeProfile profile;
  private final long openedNanos;

  private boolean anchored;
  private long lastNanos;
  private double lastJoules;
  private long coveredNanos;
  private int gaps;
  private double grossJoules;
  private double cpuSeconds;
  private long cpuNanos;

  /**
   * Opens an account.
   *
   * @param node the node's name
   * @param profile gives the cores that CPU percent is a share of
   * @param openedNanos start of the window
   */
  public EnergyAccount(String node, NodeProfile profile, long openedNanos) {
    this.node = node;
    this.profile = profile;
    this.openedNanos = openedNanos;
    lastNanos = openedNanos;
  }

  /**
   * Adds a reading; one that is not after the reading before it changes nothing.
   *
   * @param atNanos when it was taken
   * @param cumulativeJoules energy since any fixed time
   * @param gapNanos time since the reading before that the joules do not include, 0 or more
   */
  public void read(long atNanos, double cumulativeJoules, long gapNanos) {
    long stepNanos = atNanos - lastNanos;
    if (anchored && stepNanos <= 0) {
      return;
    }
    if (!anchored) {
      anchored = true;
      if (stepNanos > 0) {
        gaps++;
      }
    } else if (cumulativeJoules < lastJoules) {
      gaps++;
    } else {
      long stepGapNanos = Math.min(stepNanos, Math.max(0, gapNanos));
      if (stepGapNanos > 0) {
        gaps++;
      }
      coveredNanos += stepNanos - stepGapNanos;
      grossJoules += cumulativeJoules - lastJoules;
    }
    lastNanos = atNanos;
    lastJoules = cumulativeJoules;
  }

  /**
   * Adds CPU time.
   *
   * @param seconds CPU seconds used, of the measuring machine
   * @param duringNanos the time in which they were used
   */
  public void cpu(double seconds, long duringNanos) {
    cpuSeconds += seconds;
    cpuNanos += duringNanos;
  }

  /**
   * The account of the window that ends at a time; the account can go on.
   *
   * @param closedNanos end of the window, not before the last reading
   * @param baselineWatts idle power, which net energy is counted above; NaN if unknown
   */
  public NodeEnergy close(long closedNanos, double baselineWatts) {
    int gapsNow = gaps + (closedNanos > lastNanos ? 1 : 0);
    boolean cpuKnown = cpuNanos > 0;
    return new NodeEnergy(
        node,
        closedNanos - openedNanos,
        coveredNanos,
        gapsNow,
        grossJoules,
        baselineWatts,
        cpuKnown ? cpuSeconds : Double.NaN,
        cpuKnown ? 100 * profile.utilisation(cpuSeconds, cpuNanos / 1e9) : Double.NaN);
  }
}
