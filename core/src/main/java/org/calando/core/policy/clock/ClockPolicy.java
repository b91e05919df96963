package org.calando.core.policy.clock;

import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.SignalPolicy;

/**
 * Decides at what clock each node's cores are to run, from one signal: {@link
 * ClockObservation#CLOCKS}. A step sets {@link KnobId#CLOCK} of every node observed, in kHz, and
 * its first reason is of all, the others of single nodes.
 */
public interface ClockPolicy extends SignalPolicy<ClockState, ClockObservation> {
  @Override
  default ClockState initial() {
    return ClockState.INITIAL;
  }

  @Override
  default SignalId<ClockObservation> signal() {
    return ClockObservation.CLOCKS;
  }

  @Override
  default KnobId<?> knob() {
    return KnobId.CLOCK;
  }

  @Override
  default String write(ClockState state) {
    return state.write();
  }

  @Override
  default ClockState read(String text) {
    return ClockState.read(text);
  }
}
