package org.calando.knob.frequency;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.report.Figures;

/**
 * How a study's clocks were managed and their joules modelled, as its environment tells it.
 * Immutable.
 *
 * @param ghz P-states, the fastest first; empty if they are not told
 * @param staticShare S of the accounts; NaN if not told
 * @param coreWatts power of a core that is busy at its fastest clock; NaN if not told
 * @param lagBytes greatest lag of a replica whose clock is lowered; NaN if not told
 * @param lagMillis the same as an age
 * @param busyLimit busy share up to which a replica keeps up with ease; NaN if not told
 */
record ClockSetup(
    List<Double> ghz,
    double staticShare,
    double coreWatts,
    double lagBytes,
    double lagMillis,
    double busyLimit) {
  static ClockSetup of(JsonNode environment) {
    JsonNode clocks = environment.path("clocks");
    List<Double> ghz = new ArrayList<>();
    clocks.path("states").forEach(state -> ghz.add(state.path("ghz").asDouble(Double.NaN)));
    ghz.removeIf(clock -> !(clock > 0));
    return new ClockSetup(
        List.copyOf(ghz),
        clocks.path("static_share").asDouble(Double.NaN),
        clocks.path("core_watts").asDouble(Double.NaN),
        clocks.path("lag_limit_bytes").asDouble(Double.NaN),
        clocks.path("lag_limit_ms").asDouble(Double.NaN),
        clocks.path("busy_limit").asDouble(Double.NaN));
  }

  /** What the joules of cores rest on. */
  String model() {
    if (Double.isNaN(staticShare)) {
      return "Static share and power of a core were not recorded.";
    }
    return String.format(
        Locale.ROOT,
        "Modelled of the nodes\u2019 cores, S + (1 \u2212 S) V\u00B2f (u + (1 \u2212 u) i) of %s"
            + " W each: static share S = %s; idle cores draw nothing beside it (i = 0), or as much"
            + " as busy ones at their clock (i = 1).",
        Figures.exact(coreWatts),
        Figures.exact(staticShare));
  }
}
