package org.calando.core.policy.joint;

import java.util.List;
import java.util.Optional;
import org.calando.core.energy.PStates;

/**
 * Clocks that the cores of nodes can be set to. Immutable and thread safe.
 *
 * @param kHz in kHz, the fastest first; one where none is set
 * @param relativePower dynamic power at each of these as a share of that at the fastest
 * @param idleActivity dynamic power of an idle core as a share of a busy one's, 0 .. below 1
 */
public record CoreClocks(List<Long> kHz, List<Double> relativePower, double idleActivity) {
  /** Where no clock is set. */
  public static final CoreClocks ONE = new CoreClocks(List.of(1L), List.of(1.0), 0);

  /** Checks that there is power of each. */
  public CoreClocks {
    kHz = List.copyOf(kHz);
    relativePower = List.copyOf(relativePower);
    if (kHz.isEmpty() || kHz.size() != relativePower.size()) {
      throw new IllegalArgumentException("clocks " + kHz + ", power " + relativePower);
    }
  }

  /** Those of P-states; {@link #ONE} without. */
  public static CoreClocks of(Optional<PStates> states, double idleActivity) {
    return states
        .filter(each -> !each.states().isEmpty())
        .map(
            each ->
                new CoreClocks(
                    each.states().stream().map(state -> Math.round(state.ghz() * 1e6)).toList(),
                    each.states().stream().map(state -> each.relativePower(state.ghz())).toList(),
                    idleActivity))
        .orElse(ONE);
  }
}
