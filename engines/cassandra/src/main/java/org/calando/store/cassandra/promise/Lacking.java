package org.calando.store.cassandra.promise;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.store.cassandra.OffNodes;

/*
 * A node that is off by order lacks nothing that a read could ask it for. It does from the order to come back until it is
 * proved to have all, and so does one that answers though it is to be off: somebody has started it.
 */
/** Whether replicas that reads may ask may lack what was written while they were away. */
final class Lacking {
  /** Hints of a node that was away take at least so long. */
  static final long LACKS_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** When one last did; what was before the first question is not known. */
  private long lackedNanos;

  private Set<String> rested = Set.of();

  Lacking(long nowNanos) {
    lackedNanos = nowNanos;
  }

  /**
   * Takes in a look at all nodes.
   *
   * @param away which are off by order; empty if that is not known
   * @param seen names of nodes that answer, or that the driver takes to be up
   * @param anyFails whether a node that is to be on does not answer
   * @return whether they may lack writes, now or within the last minute
   */
  boolean looked(long nowNanos, Optional<OffNodes.Away> away, Set<String> seen, boolean anyFails) {
    Set<String> resting = away.map(OffNodes.Away::resting).orElse(Set.of());
    boolean comes = away.filter(known -> known.coming().isEmpty()).isEmpty();
    // Those that are left may lack what those that have just gone acknowledged before.
    boolean lack =
        comes || anyFails || !resting.equals(rested) || !Collections.disjoint(resting, seen);
    lackedNanos = lack ? nowNanos : lackedNanos;
    rested = resting;
    return nowNanos - lackedNanos < LACKS_NANOS;
  }
}
