package org.calando.study.config;

import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;

/**
 * How energy is measured.
 *
 * <p>Immutable and thread safe.
 *
 * @param meter {@code auto} or {@code model}
 * @param profile power of a node
 * @param baselineNanos how long idle nodes are observed before each run
 * @param pricing what energy costs
 */
public record PowerSpec(
    String meter, NodeProfile profile, long baselineNanos, EnergyPricing pricing) {}
