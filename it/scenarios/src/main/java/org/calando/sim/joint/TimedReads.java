package org.calando.sim.joint;

import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ForwardingSession;
import org.calando.core.store.Session;
import org.calando.sim.kernel.Simulation;

/** Counts reads that took longer than a limit. Belongs to the simulation's thread. */
final class TimedReads extends ForwardingSession {
  private final Simulation simulation;
  private final long[] begunNanos;
  private final Completion[] told;
  private final Completion timed;
  private long slow;

  /**
   * Times a session's reads.
   *
   * @param limitNanos 0 or more
   */
  TimedReads(Session session, Simulation simulation, long limitNanos) {
    super(session);
    this.simulation = simulation;
    this.begunNanos = new long[session.slots()];
    this.told = new Completion[session.slots()];
    this.timed =
        (slot, outcome, version) -> {
          if (!outcome.isError() && simulation.nowNanos() - begunNanos[slot] > limitNanos) {
            slow++;
          }
          told[slot].complete(slot, outcome, version);
        };
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    begunNanos[slot] = simulation.nowNanos();
    told[slot] = completion;
    super.read(slot, key, field, level, timed);
  }

  /** Since the last call. */
  long takeSlow() {
    long taken = slow;
    slow = 0;
    return taken;
  }
}
