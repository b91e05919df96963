package org.calando.core.policy.clock;

import java.util.Map;
import org.calando.core.policy.clock.ClockObservation.Node;

/**
 * Replicas at the clocks that another controller orders, guarded as by all policies that lower
 * them: masters, and replicas in trouble, are at their highest at once, whatever is ordered. Thread
 * safe.
 */
public final class OrderedClockPolicy extends GuardedClockPolicy {
  private volatile Map<String, Long> ordered = Map.of();

  /**
   * One that has all at their highest until something is ordered.
   *
   * @param limits how carefully clocks are lowered
   */
  public OrderedClockPolicy(ClockLimits limits) {
    super(limits);
  }

  /**
   * Orders clocks from the next decision on.
   *
   * @param kHzByNode in kHz; nodes that are left out are at their highest
   */
  public void order(Map<String, Long> kHzByNode) {
    ordered = Map.copyOf(kHzByNode);
  }

  @Override
  public String name() {
    return "as ordered";
  }

  /** The slowest of its clocks that is as fast as ordered. */
  @Override
  Wish wish(Node replica, ClockObservation observation) {
    long least = ordered.getOrDefault(replica.name(), Long.MAX_VALUE);
    long kHz =
        replica.clocksKHz().stream()
            .filter(each -> each >= least)
            .reduce((faster, slower) -> slower)
            .orElse(replica.highestKHz());
    return new Wish(kHz, "as ordered");
  }
}
