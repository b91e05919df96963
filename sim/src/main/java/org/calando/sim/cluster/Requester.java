package org.calando.sim.cluster;

import org.calando.core.store.Outcome;

/** Told how its operations ended. */
@FunctionalInterface
public interface Requester {
  /**
   * An operation ended, at the simulation's present time. May begin others.
   *
   * @param tag as given when it began
   * @param outcome how it ended
   * @param version for a read that found a record the version read, else {@link
   *     org.calando.core.store.Session#NO_VERSION}
   */
  void answered(int tag, Outcome outcome, long version);
}
