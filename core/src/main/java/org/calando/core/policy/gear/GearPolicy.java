package org.calando.core.policy.gear;

import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.SignalPolicy;

/**
 * Decides in which gear a cluster is to be, from one signal: {@link GearObservation#GEARS}. A step
 * sets {@link KnobId#GEAR} of the cluster observed. What is decided while a shift is under way
 * holds if it is still decided when that has ended: a shift is one plan, and the next begins after
 * it.
 */
public interface GearPolicy extends SignalPolicy<GearState, GearObservation> {
  /** The gear that a cluster is to be in before anything is observed: the highest, if any is. */
  default int first(int highest) {
    return highest;
  }

  @Override
  default GearState initial() {
    return GearState.INITIAL;
  }

  @Override
  default SignalId<GearObservation> signal() {
    return GearObservation.GEARS;
  }

  @Override
  default KnobId<?> knob() {
    return KnobId.GEAR;
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
