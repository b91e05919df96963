package org.calando.core.policy.clock;

import org.calando.core.policy.Step;

/**
 * Decides at what clock each node's cores are to run. Pure, as every {@link
 * org.calando.core.policy.Policy} is: the same state and observation give the same decision.
 * Implementations are immutable and thread safe.
 *
 * <p>A step sets {@link org.calando.core.policy.KnobId#CLOCK} of every node observed, in kHz, and
 * its first reason is of all, the others of single nodes.
 */
public interface ClockPolicy {
  /** Its name in results and reasons. */
  String policyName();

  /** What it remembers before the first decision. */
  default ClockState initial() {
    return ClockState.INITIAL;
  }

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<ClockState> decide(ClockState state, ClockObservation observation);
}
