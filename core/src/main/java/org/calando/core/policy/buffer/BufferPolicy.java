package org.calando.core.policy.buffer;

import java.util.Optional;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.SignalPolicy;

/**
 * Decides how far a client defers its writes, from one signal: {@link BufferObservation#WRITES}. A
 * step sets {@link KnobId#WRITE_BUFFER} of the session observed.
 */
public interface BufferPolicy extends SignalPolicy<BufferState, BufferObservation> {
  /** That what it promises is not to be had here, in words, as far as was seen; else empty. */
  default Optional<String> notToBeHad(BufferState state) {
    return Optional.empty();
  }

  @Override
  default BufferState initial() {
    return BufferState.INITIAL;
  }

  @Override
  default SignalId<BufferObservation> signal() {
    return BufferObservation.WRITES;
  }

  @Override
  default KnobId<?> knob() {
    return KnobId.WRITE_BUFFER;
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
