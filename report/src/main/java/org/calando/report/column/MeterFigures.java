package org.calando.report.column;

import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;

/**
 * What energy was read from. Immutable and thread safe.
 *
 * @param id short name of the meter
 * @param provenance how its figures come about
 * @param scope what they cover
 * @param resolution its smallest step and how often it is renewed, in words
 * @param profile names of the nodes' power profiles
 */
public record MeterFigures(
    String id, Provenance provenance, Scope scope, String resolution, String profile) {}
