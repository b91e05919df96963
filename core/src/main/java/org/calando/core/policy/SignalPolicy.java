package org.calando.core.policy;

import java.util.Set;

/**
 * A controller of one knob that decides from one signal.
 *
 * @param <S> what it remembers; immutable
 * @param <O> the signal's values
 */
public interface SignalPolicy<S, O extends Observed> extends Controller<S> {
  /** What it decides from. */
  SignalId<O> signal();

  /** What its steps set. */
  KnobId<?> knob();

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<S> decide(S state, O observation);

  @Override
  default Step<S> decide(S state, Signals signals) {
    return decide(state, signals.get(signal()));
  }

  @Override
  default Set<SignalId<?>> needs() {
    return Set.of(signal());
  }

  @Override
  default Set<KnobId<?>> sets() {
    return Set.of(knob());
  }
}
