package org.calando.core.policy;

import java.util.List;
import java.util.Optional;

/**
 * A decision with all that it was made from, so that it can be journalled and made again. Immutable
 * and thread safe.
 *
 * @param controller who decided
 * @param signals what was known
 * @param before its state before
 * @param step what was decided, with the state after
 * @param changes settings that differ from what the loop last decided; all of its first decision
 */
public record Decision<S>(
    Controller<S> controller, Signals signals, S before, Step<S> step, List<Setting<?>> changes) {
  public Decision {
    changes = List.copyOf(changes);
  }

  /** What was known of a table, where the decision is on one. */
  public Observation observation() {
    return signals.get(Observation.READS);
  }

  /** The state before, as text. */
  public String stateBefore() {
    return controller.write(before);
  }

  /** The state after, as text. */
  public String stateAfter() {
    return controller.write(step.state());
  }

  /** Whether a setting differs from what the loop last decided. */
  public boolean changed() {
    return !changes.isEmpty();
  }

  /** What a knob is set to, whatever its target; the first if there are several. */
  public <V> Optional<V> value(KnobId<V> knob) {
    return step.value(knob);
  }
}
