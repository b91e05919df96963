package org.calando.report.column;

import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.EnergySummary;

/**
 * What the measured window took of energy and CPU time. Immutable and thread safe.
 *
 * @param nodes of which it is the sum
 * @param isWhole whether readings surround the window: joules of a part of it would look like those
 *     of all of it
 * @param isAboveIdle whether all nodes were on, so that there is something to count net energy
 *     above
 * @param samplerCpuSeconds CPU time that sampling took
 * @param samplerJoules modelled joules of that time
 * @param pricing what joules cost
 */
public record EnergyFigures(
    EnergySummary nodes,
    boolean isWhole,
    boolean isAboveIdle,
    double samplerCpuSeconds,
    double samplerJoules,
    EnergyPricing pricing) {
  /** Gross joules of all nodes; NaN if they are not of the whole window. */
  double joules() {
    return ofWhole(nodes.grossJoules());
  }

  /** A figure of energy; NaN if it is not of the whole window. */
  double ofWhole(double figure) {
    return isWhole ? figure : Double.NaN;
  }

  /** Gross joules of a run's nodes; NaN if they are not known. */
  static double joules(RunRecord run) {
    return run.find(EnergyFigures.class).map(EnergyFigures::joules).orElse(Double.NaN);
  }
}
