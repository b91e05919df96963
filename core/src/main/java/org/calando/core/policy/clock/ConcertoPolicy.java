package org.calando.core.policy.clock;

import org.calando.core.policy.clock.ClockObservation.Node;

/**
 * Concerto (Lee and Lee 2021): masters at their highest clock, replicas at their lowest. Beyond the
 * paper, a replica that falls behind is raised, and clocks are lowered only after a while:
 * docs/papers/concerto.md. Immutable and thread safe.
 */
public final class ConcertoPolicy extends GuardedClockPolicy {
  private final boolean readersHigh;

  /**
   * The paper's.
   *
   * @param limits how carefully clocks are lowered
   */
  public ConcertoPolicy(ClockLimits limits) {
    this(limits, false);
  }

  /**
   * With or without the replicas that clients read from.
   *
   * @param limits how carefully clocks are lowered
   * @param readersHigh whether replicas that serve reads keep the highest clock. The paper lowers
   *     them, and its reads then take 20 % longer unless a patched server sends answers from
   *     another core
   */
  public ConcertoPolicy(ClockLimits limits, boolean readersHigh) {
    super(limits);
    this.readersHigh = readersHigh;
  }

  @Override
  public String name() {
    return readersHigh ? "concerto, readers high" : "concerto";
  }

  @Override
  Wish wish(Node replica, ClockObservation observation) {
    return readersHigh && replica.view().servesReads()
        ? new Wish(replica.highestKHz(), "a replica that serves reads")
        : new Wish(replica.lowestKHz(), "a replica");
  }
}
