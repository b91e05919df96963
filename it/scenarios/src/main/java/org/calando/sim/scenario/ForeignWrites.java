package org.calando.sim.scenario;

import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ForwardingSession;
import org.calando.core.store.Session;

/**
 * Writes of a workload that another application makes: the store counts them, and the session that
 * chooses levels never sees their keys. As thread safe as the sessions.
 */
final class ForeignWrites extends ForwardingSession {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Session store;
  private final Scenario.Foreign foreign;

  /**
   * Parts a workload's writes.
   *
   * @param own takes all reads, and the writes that are the application's
   * @param store takes the others; what {@code own} passes operations on to
   */
  ForeignWrites(Session own, Session store, Scenario.Foreign foreign) {
    super(own);
    this.store = store;
    this.foreign = foreign;
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    if (isForeign(key, version)) {
      store.write(slot, key, field, valueBytes, version, level, completion);
    } else {
      super.write(slot, key, field, valueBytes, version, level, completion);
    }
  }

  private boolean isForeign(long key, long version) {
    long bits = (foreign.byKey() ? key : version) + 1;
    return ((bits * MIX) >>> 11) * 0x1p-53 < foreign.share();
  }
}
