package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;

/**
 * What a node's process does of its own accord while it serves (timers, gossip, the compiler and
 * collector of its virtual machine): bursts of work at random times, which wait for a core like all
 * other work and count as the node's.
 *
 * @param cores core seconds a second, on average, 0 or more; 0 for none
 * @param burst core time of each burst, above 0 on average
 */
public record Background(double cores, Distribution burst) {
  /** No work but that of operations. */
  public static final Background NONE = new Background(0, Distribution.constant(1_000_000));

  /** Bursts of a millisecond, exponential. */
  public static Background ofCores(double cores) {
    return new Background(cores, Distribution.exponential(1e6));
  }
}
