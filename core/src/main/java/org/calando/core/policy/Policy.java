package org.calando.core.policy;

/**
 * Decides how many replicas a table's reads ask.
 *
 * @param <S> what it remembers; immutable
 */
public interface Policy<S> extends SignalPolicy<S, Observation> {
  @Override
  default SignalId<Observation> signal() {
    return Observation.READS;
  }

  @Override
  default KnobId<?> knob() {
    return KnobId.READ_LEVEL;
  }
}
