package org.calando.governor;

import org.calando.concerto.EnergyReport;
import org.calando.core.energy.CorePower;
import org.calando.knob.ManagedClocks;

/**
 * What governed processors spent, by both accountings of idle cores. Modelled from clocks and CPU
 * time, not measured; shares are NaN before any time has passed. Immutable.
 *
 * @param seconds of the account
 * @param joulesI0 where idle cores draw no dynamic power
 * @param joulesI1 where they draw as much as busy ones
 * @param savingI0 the share saved of the same time at the fastest clock, as {@code joulesI0}
 * @param savingI1 the same as {@code joulesI1}
 * @param managerJoules of the manager's own CPU time at the fastest clock
 * @param unknownSeconds processor time of processes that could not be read: counted as idle
 */
public record GovernedEnergy(
    double seconds,
    double joulesI0,
    double joulesI1,
    double savingI0,
    double savingI1,
    double managerJoules,
    double unknownSeconds) {
  /** Joules saved of the same time at the fastest clock, as {@code joulesI0}; NaN if unknown. */
  double savedJoulesI0() {
    return saved(joulesI0, savingI0);
  }

  /** The same as {@code joulesI1}. */
  double savedJoulesI1() {
    return saved(joulesI1, savingI1);
  }

  private static double saved(double joules, double share) {
    return joules * share / (1 - share);
  }

  static GovernedEnergy of(EnergyReport report, long managerNanos, ManagedClocks spec) {
    CorePower busyOnly = spec.power().busyOnly();
    CorePower idleCharged = spec.power().idleCharged();
    return new GovernedEnergy(
        report.seconds(),
        busyOnly.joules(report.time(), spec.coreWatts()),
        idleCharged.joules(report.time(), spec.coreWatts()),
        report.saving(busyOnly),
        report.saving(idleCharged),
        managerNanos / 1e9 * spec.coreWatts(),
        report.nodes().values().stream().mapToDouble(EnergyReport.Node::unknownSeconds).sum());
  }
}
