package org.calando.power.redfish;

import java.util.List;
import java.util.Optional;

/**
 * What is asked for each sample.
 *
 * @param figures the numbers whose sum is the machine's power or energy; at least one, all of power
 *     or all of energy
 * @param cumulative whether they count energy
 * @param resolution what they are, in words
 * @param state the resource whose {@code PowerState} says whether the machine is on
 */
record RedfishPlan(
    List<RedfishFigure> figures, boolean cumulative, String resolution, Optional<String> state) {
  RedfishPlan {
    figures = List.copyOf(figures);
  }

  RedfishPlan withState(String path) {
    return new RedfishPlan(figures, cumulative, resolution, Optional.of(path));
  }
}
