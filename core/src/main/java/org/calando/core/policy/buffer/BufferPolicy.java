package org.calando.core.policy.buffer;

import java.util.Optional;
import org.calando.core.policy.Step;

/**
 * Decides how far a client defers its writes. Pure, as every {@link org.calando.core.policy.Policy}
 * is: the same state and observation give the same decision. Implementations are immutable and
 * thread safe. A step sets {@link org.calando.core.policy.KnobId#WRITE_BUFFER} of the session
 * observed.
 */
public interface BufferPolicy {
  /** Its name in results and reasons, with what distinguishes it: {@code fresh 500 ms}. */
  String policyName();

  /** What it remembers before the first decision. */
  default BufferState initial() {
    return BufferState.INITIAL;
  }

  /** That what it promises is not to be had here, in words, as far as was seen; else empty. */
  default Optional<String> notToBeHad(BufferState state) {
    return Optional.empty();
  }

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<BufferState> decide(BufferState state, BufferObservation observation);
}
