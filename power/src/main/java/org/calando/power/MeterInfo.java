package org.calando.power;

import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;

/**
 * What a meter's figures are; written beside every one of them.
 *
 * @param id short name, as in a study's {@code power.meter}
 * @param provenance how the figures come about
 * @param scope what they cover
 * @param resolution smallest step in energy or power and how often it is renewed, in words
 * @param cumulative true if the meter counts energy itself, so that nothing between two readings is
 *     missed; false if it samples power, which is integrated
 */
public record MeterInfo(
    String id, Provenance provenance, Scope scope, String resolution, boolean cumulative) {}
