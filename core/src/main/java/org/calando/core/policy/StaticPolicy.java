package org.calando.core.policy;

import java.util.List;

/**
 * Sets the same choice always, whatever is observed: what adaptive policies are compared with.
 * Immutable and thread safe.
 *
 * @param choice how many replicas reads ask
 */
public record StaticPolicy(ReadChoice choice) implements Policy<StaticPolicy.Nothing> {
  private static final String KIND = "static/1";

  /** It remembers nothing. */
  public enum Nothing {
    NOTHING
  }

  @Override
  public String name() {
    return "static " + Words.number(choice.mean());
  }

  @Override
  public Nothing initial() {
    return Nothing.NOTHING;
  }

  @Override
  public Step<Nothing> decide(Nothing state, Observation observation) {
    return new Step<>(
        state,
        List.of(new Setting<>(KnobId.READ_LEVEL, observation.target(), choice)),
        List.of("static: " + Words.choice(choice)));
  }

  @Override
  public String write(Nothing state) {
    return KIND;
  }

  @Override
  public Nothing read(String text) {
    new StateText(KIND, text).requireEmpty();
    return Nothing.NOTHING;
  }
}
