package org.calando.core.policy.gear;

import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;

/**
 * Decides in which gear a cluster is to be, from one signal: {@link GearObservation#GEARS}. A step
 * sets {@link KnobId#GEAR} of the cluster observed. What is decided while a shift is under way
 * holds if it is still decided when that has ended: a shift is one plan, and the next begins after
 * it.
 */
public interface GearPolicy extends Controller<GearState> {
  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<GearState> decide(GearState state, GearObservation observation);

  @Override
  default GearState initial() {
    return GearState.INITIAL;
  }

  @Override
  default Step<GearState> decide(GearState state, Signals signals) {
    return decide(state, signals.get(GearObservation.GEARS));
  }

  @Override
  default Set<SignalId<?>> needs() {
    return Set.of(GearObservation.GEARS);
  }

  @Override
  default Set<KnobId<?>> sets() {
    return Set.of(KnobId.GEAR);
  }

  @Override
  default String write(GearState state) {
    return state.write();
  }

  @Override
  default GearState read(String text) {
    return GearState.read(text);
  }
}
