package org.calando.core.policy.gear;

import org.calando.core.policy.Step;

/**
 * Decides in which gear a cluster is to be. Pure, as every {@link org.calando.core.policy.Policy}
 * is: the same state and observation give the same decision. Implementations are immutable and
 * thread safe.
 *
 * <p>A step sets {@link org.calando.core.policy.KnobId#GEAR} of the cluster observed. What is
 * decided while a shift is under way holds if it is still decided when that has ended: a shift is
 * one plan, and the next begins after it.
 *
 * <p>The interface is not {@code Policy}, for the same reason as that of {@link
 * org.calando.core.policy.clock.ClockPolicy}: an {@link org.calando.core.policy.Observation} is of
 * a table's requests and of how stale its reads may be, a {@link GearObservation} of a cluster's
 * load.
 */
public interface GearPolicy {
  /** Its name in results and reasons, with what distinguishes it: {@code load 20 %}. */
  String policyName();

  /** What it remembers before the first decision. */
  default GearState initial() {
    return GearState.INITIAL;
  }

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<GearState> decide(GearState state, GearObservation observation);
}
