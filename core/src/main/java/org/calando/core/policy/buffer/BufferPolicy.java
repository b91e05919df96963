package org.calando.core.policy.buffer;

import java.util.Optional;
import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;

/**
 * Decides how far a client defers its writes, from one signal: {@link BufferObservation#WRITES}. A
 * step sets {@link KnobId#WRITE_BUFFER} of the session observed.
 */
public interface BufferPolicy extends Controller<BufferState> {
  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<BufferState> decide(BufferState state, BufferObservation observation);

  /** That what it promises is not to be had here, in words, as far as was seen; else empty. */
  default Optional<String> notToBeHad(BufferState state) {
    return Optional.empty();
  }

  @Override
  default BufferState initial() {
    return BufferState.INITIAL;
  }

  @Override
  default Step<BufferState> decide(BufferState state, Signals signals) {
    return decide(state, signals.get(BufferObservation.WRITES));
  }

  @Override
  default Set<SignalId<?>> needs() {
    return Set.of(BufferObservation.WRITES);
  }

  @Override
  default Set<KnobId<?>> sets() {
    return Set.of(KnobId.WRITE_BUFFER);
  }

  @Override
  default String write(BufferState state) {
    return state.text();
  }

  @Override
  default BufferState read(String text) {
    return BufferState.parse(text);
  }
}
