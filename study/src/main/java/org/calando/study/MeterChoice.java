package org.calando.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.power.MeterInfo;

/**
 * The meter of a study. Immutable and thread safe.
 *
 * @param info what its figures are; empty if nothing tells the nodes' energy
 * @param reasons why this meter and not another, a line each
 * @param loadGeneratorInside whether what the load costs its generator is in the nodes' figures
 */
record MeterChoice(Optional<MeterInfo> info, List<String> reasons, boolean loadGeneratorInside) {
  MeterChoice {
    reasons = List.copyOf(reasons);
  }

  /** The choice in a line. */
  String words() {
    return info.map(
            meter ->
                "meter %s, %s, scope %s"
                    .formatted(
                        meter.id(),
                        meter.provenance().name().toLowerCase(Locale.ROOT),
                        meter.scope().name().toLowerCase(Locale.ROOT)))
        .orElseGet(() -> "none; " + String.join("; ", reasons));
  }
}
