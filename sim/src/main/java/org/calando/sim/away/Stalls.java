package org.calando.sim.away;

import org.calando.sim.kernel.Distribution;

/**
 * Times in which a node stands still, as for its collector, page faults, or the scheduler of its
 * machine: nothing comes in and nothing goes out. What it has begun, or has waiting, goes on, and
 * is of no effect before the end.
 *
 * @param perBusySecond how many there are in a second of core time that the node uses, on average;
 *     0 for none
 * @param length of each
 */
public record Stalls(double perBusySecond, Distribution length) {
  /** Nodes never stand still. */
  public static final Stalls NONE = new Stalls(0, Distribution.NONE);

  /** More would come before the last is over. */
  public static final double MOST_PER_BUSY_SECOND = 50;

  /** Whether there are any. */
  public boolean isNone() {
    return perBusySecond == 0;
  }
}
