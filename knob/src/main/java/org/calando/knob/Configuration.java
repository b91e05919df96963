package org.calando.knob;

import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.Promise;
import org.calando.engine.StoreSpec;

/**
 * A configuration that is compared, and what its study says beside it. Immutable and thread safe.
 *
 * @param point what it is set to
 * @param store the store that is studied
 * @param profile power profile of its nodes
 * @param clocks how policies manage the clocks of its processors
 * @param monitor how policies observe, and how often they decide without times of their own
 * @param speed local seconds that pass in a second of the load
 * @param promise what clients are promised
 */
public record Configuration(
    Point point,
    StoreSpec store,
    NodeProfile profile,
    ManagedClocks clocks,
    MonitorSpec monitor,
    double speed,
    Promise promise) {
  /** So long what is decided on nodes is to be announced, as others decide by it. */
  public long noticeNanos() {
    return DrivenKnobs.of(point).stream().mapToLong(knob -> knob.noticeNanos(this)).max().orElse(0);
  }

  /** So long the load is to go before its policies have figures to decide on; 0 if none waits. */
  public long warmUpNanos() {
    return DrivenKnobs.of(point).stream().mapToLong(knob -> knob.warmUpNanos(this)).max().orElse(0);
  }
}
