package org.calando.control;

import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;

/**
 * One setting always, whatever is observed: what others are compared with. Immutable and thread
 * safe.
 *
 * @param setting what is set
 */
public record FixedBufferPolicy(BufferSetting setting) implements BufferPolicy {
  @Override
  public String name() {
    return setting.text();
  }

  @Override
  public Step<BufferState> decide(BufferState state, BufferObservation observation) {
    return new Step<>(
        state,
        List.of(new Setting<>(KnobId.WRITE_BUFFER, observation.target(), setting)),
        List.of(name() + ": always"));
  }
}
