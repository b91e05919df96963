package org.calando.knob;

import java.util.Optional;
import org.calando.core.policy.Controller;

/**
 * What a knob is set to in a run: a value that is held, or what a policy decides. Two that are
 * written alike are equal. Immutable and thread safe.
 */
public final class KnobChoice<V> {
  private final String label;
  private final Optional<V> held;
  private final Optional<Controller<?>> controller;
  private final Object plain;

  KnobChoice(String label, Optional<V> held, Optional<Controller<?>> controller, Object plain) {
    this.label = label;
    this.held = held;
    this.controller = controller;
    this.plain = plain;
  }

  /** What results call it. */
  public String label() {
    return label;
  }

  /** The value; empty if a policy decides. */
  public Optional<V> held() {
    return held;
  }

  /** What decides; empty if a value is held. */
  public Optional<Controller<?>> controller() {
    return controller;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KnobChoice<?> choice && choice.plain.equals(plain);
  }

  @Override
  public int hashCode() {
    return plain.hashCode();
  }

  @Override
  public String toString() {
    return label;
  }
}
