package org.calando.governor;

import java.time.Instant;
import java.util.List;

/**
 * A decision of a policy that changed something. Immutable and thread safe.
 *
 * @param at when
 * @param policy who decided
 * @param settings what was changed: the knob, of what, and to what
 * @param reasons why
 */
public record Decided(Instant at, String policy, List<String> settings, List<String> reasons) {
  /** Copies the lists. */
  public Decided {
    settings = List.copyOf(settings);
    reasons = List.copyOf(reasons);
  }
}
