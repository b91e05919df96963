package org.calando.power;

import java.util.List;
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
 * @param renewalNanos the longest that the instruments usually take to renew their figures, 0 if
 *     they are always new
 * @param instruments what is read for each node, in the nodes' order; empty if there is none
 */
public record MeterInfo(
    String id,
    Provenance provenance,
    Scope scope,
    String resolution,
    boolean cumulative,
    long renewalNanos,
    List<String> instruments) {
  /** Copies the list. */
  public MeterInfo {
    instruments = List.copyOf(instruments);
  }

  /** A meter without instruments, whose figures are always new. */
  public MeterInfo(
      String id, Provenance provenance, Scope scope, String resolution, boolean cumulative) {
    this(id, provenance, scope, resolution, cumulative, 0, List.of());
  }
}
