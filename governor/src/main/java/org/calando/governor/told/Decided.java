package org.calando.governor.told;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A decision of a policy that changed something. Immutable and thread safe.
 *
 * @param id increasing over all clusters of a governor, also when it is started again; 0 before it
 *     is kept
 * @param at when
 * @param policy who decided
 * @param knobs what was decided on, without repeats
 * @param settings what was changed: the knob, of what, and to what
 * @param reasons why
 * @param barred why its knob was not set: {@code paused} or {@code held}; empty if it was handed on
 */
public record Decided(
    long id,
    Instant at,
    String policy,
    List<String> knobs,
    List<String> settings,
    List<String> reasons,
    Optional<String> barred) {
  /** Copies the lists. */
  public Decided {
    knobs = List.copyOf(knobs);
    settings = List.copyOf(settings);
    reasons = List.copyOf(reasons);
  }

  Decided withId(long newId) {
    return new Decided(newId, at, policy, knobs, settings, reasons, barred);
  }
}
