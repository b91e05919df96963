package org.calando.sim.cluster;

import org.calando.sim.away.Stalls;
import org.calando.sim.kernel.Distribution;

/**
 * What a node's process does of its own accord while it serves (timers, gossip, the compiler and
 * collector of its virtual machine, threads that look for work): bursts of work at random times,
 * which wait for a core like all other work and count as the node's.
 *
 * @param cores core seconds a second, on average, where nothing holds it back; 0 or more, 0 for
 *     none
 * @param burst core time of each burst, above 0 on average
 * @param lingerNanos how long after its last work for an operation a node goes on with it, above 0;
 *     {@link Long#MAX_VALUE} for always
 * @param depth jobs that wait for the machine's cores, with which bursts become e times as rare:
 *     threads that find work look for none; above 0, infinite if that does not matter
 * @param stalls times in which it stands still
 */
public record Background(
    double cores, Distribution burst, long lingerNanos, double depth, Stalls stalls) {
  /** No work but that of operations. */
  public static final Background NONE = new Background(0, Distribution.constant(1_000_000));

  /** Checks the values that no other check sees. */
  public Background {
    if (!(lingerNanos > 0) || !(depth > 0)) {
      throw new IllegalArgumentException("linger " + lingerNanos + " ns, depth " + depth);
    }
  }

  /** Without stalls. */
  public Background(double cores, Distribution burst, long lingerNanos, double depth) {
    this(cores, burst, lingerNanos, depth, Stalls.NONE);
  }

  /** Bursts at all times, whatever waits, and no stalls. */
  public Background(double cores, Distribution burst) {
    this(cores, burst, Long.MAX_VALUE, Double.POSITIVE_INFINITY);
  }

  /** The same with stalls. */
  public Background with(Stalls others) {
    return new Background(cores, burst, lingerNanos, depth, others);
  }
}
