package org.calando.study;

import java.util.List;
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
}
