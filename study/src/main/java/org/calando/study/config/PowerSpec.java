package org.calando.study.config;

import java.util.OptionalDouble;
import org.calando.core.energy.NodeProfile;

/**
 * How energy is measured and what it costs.
 *
 * <p>Immutable and thread safe.
 *
 * @param meter {@code auto} or {@code model}
 * @param profile power of a node
 * @param baselineNanos how long idle nodes are observed before each run
 * @param pricePerKwh price of a kilowatt hour, in the user's currency
 * @param carbonIntensity grams of CO2 equivalent of a kilowatt hour
 * @param pue power of the data centre over power of its computers, 1 or more
 */
public record PowerSpec(
    String meter,
    NodeProfile profile,
    long baselineNanos,
    OptionalDouble pricePerKwh,
    OptionalDouble carbonIntensity,
    OptionalDouble pue) {}
