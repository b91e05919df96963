package org.calando.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
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

  /** Meters that the file names and that did not work; whoever named them expects their figures. */
  private String unread() {
    String unread =
        reasons.stream()
            .filter(reason -> !reason.contains(" is named: no node"))
            .filter(reason -> !reason.endsWith(": chosen"))
            .filter(reason -> !reason.startsWith("powercap: /sys/class/powercap: there is no"))
            .collect(Collectors.joining("; "));
    return unread.isEmpty() ? "" : " (not " + unread + ")";
  }

  /** The choice in a line. */
  String words() {
    return info.map(
            meter ->
                "meter %s, %s, scope %s%s"
                    .formatted(
                        meter.id(),
                        meter.provenance().name().toLowerCase(Locale.ROOT),
                        meter.scope().name().toLowerCase(Locale.ROOT),
                        unread()))
        .orElseGet(() -> "none; " + String.join("; ", reasons));
  }
}
