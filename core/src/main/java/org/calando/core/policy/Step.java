package org.calando.core.policy;

import java.util.List;
import java.util.Optional;

/**
 * What a policy decided. Immutable and thread safe.
 *
 * @param state to decide from next
 * @param settings what to set, all of it; a knob that is left out stays as it is
 * @param reasons why, in words that an operator understands and with the figures used; not empty
 */
public record Step<S>(S state, List<Setting<?>> settings, List<String> reasons) {
  public Step {
    settings = List.copyOf(settings);
    reasons = List.copyOf(reasons);
    if (reasons.isEmpty()) {
      throw new IllegalArgumentException("a decision without a reason");
    }
  }

  /** What a knob is set to, whatever its target; the first if there are several. */
  public <V> Optional<V> value(KnobId<V> knob) {
    return settings.stream()
        .filter(setting -> setting.knob().equals(knob))
        .findFirst()
        .map(setting -> knob.type().cast(setting.value()));
  }
}
