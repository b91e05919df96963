package org.calando.core.policy.clock;

import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;

/**
 * Decides at what clock each node's cores are to run, from one signal: {@link
 * ClockObservation#CLOCKS}. A step sets {@link KnobId#CLOCK} of every node observed, in kHz, and
 * its first reason is of all, the others of single nodes.
 */
public interface ClockPolicy extends Controller<ClockState> {
  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<ClockState> decide(ClockState state, ClockObservation observation);

  @Override
  default ClockState initial() {
    return ClockState.INITIAL;
  }

  @Override
  default Step<ClockState> decide(ClockState state, Signals signals) {
    return decide(state, signals.get(ClockObservation.CLOCKS));
  }

  @Override
  default Set<SignalId<?>> needs() {
    return Set.of(ClockObservation.CLOCKS);
  }

  @Override
  default Set<KnobId<?>> sets() {
    return Set.of(KnobId.CLOCK);
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
