package org.calando.core.policy;

import java.util.Set;

/**
 * Decides how many replicas a table's reads ask, from one signal: {@link Observation#READS}.
 *
 * @param <S> what it remembers; immutable
 */
public interface Policy<S> extends Controller<S> {
  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<S> decide(S state, Observation observation);

  @Override
  default Step<S> decide(S state, Signals signals) {
    return decide(state, signals.get(Observation.READS));
  }

  @Override
  default Set<SignalId<?>> needs() {
    return Set.of(Observation.READS);
  }

  @Override
  default Set<KnobId<?>> sets() {
    return Set.of(KnobId.READ_LEVEL);
  }
}
