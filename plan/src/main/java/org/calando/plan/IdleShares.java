package org.calando.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.report.RunRow;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;

/*
 * A setting that is held does the same whatever nodes draw, so on a straight power curve its joules
 * at another share of idle power follow from the core time of its runs. That is checked: what so
 * comes of the runs' own share has to be what they used. What decides by watts is simulated again.
 */
/**
 * What is cheapest where idle nodes draw another share of their busy power. Immutable.
 *
 * @param own the share of the file's profile
 * @param cheapest at each share, in ascending order
 * @param turns shares of idle power at which the cheapest of what is held changes, with what is the
 *     cheapest from there on
 * @param unknown settings whose joules at other shares are not known
 */
record IdleShares(double own, List<AtShare> cheapest, List<Turn> turns, int unknown) {
  /** Recomputed watts may differ by this, as runs end between two events. */
  private static final double EXACT = 0.005;

  private static final int STEPS = 100;

  /** The cheapest that keeps the promise, and what comes next, with watts. */
  record AtShare(double share, List<Drawn> ranked) {}

  /** A setting's watts; of its runs, or worked out from them. */
  record Drawn(Outcome outcome, double watts) {}

  /** From a share of idle power on a setting is the cheapest. */
  record Turn(double share, Outcome outcome) {}

  /**
   * Judges again.
   *
   * @param outcomes of the file's own profile
   * @param again outcomes at other shares, of what decides by watts
   */
  static IdleShares of(PlanFile file, List<Outcome> outcomes, List<Simulated> again) {
    double own = Offered.idleShare(file.study().power().profile());
    List<Outcome> kept = outcomes.stream().filter(Outcome::keeps).toList();
    List<Outcome> held =
        kept.stream().filter(one -> recomputed(file, one, own).isPresent()).toList();
    List<AtShare> cheapest = new ArrayList<>();
    for (Simulated at : again) {
      List<Drawn> ranked = new ArrayList<>();
      held.forEach(
          one -> ranked.add(new Drawn(one, watts(file, one, at.share()).orElse(Double.NaN))));
      at.outcomes().stream()
          .filter(Outcome::keeps)
          .forEach(one -> ranked.add(new Drawn(one, one.watts().mean())));
      cheapest.add(
          new AtShare(
              at.share(),
              ranked.stream().sorted(Comparator.comparingDouble(Drawn::watts)).toList()));
    }
    cheapest.sort(Comparator.comparingDouble(AtShare::share));
    long blind = kept.stream().filter(one -> one.setting().isBlindToPower()).count();
    return new IdleShares(own, cheapest, turns(file, held), (int) blind - held.size());
  }

  /** What decides by watts, at a share of idle power. */
  record Simulated(double share, List<Outcome> outcomes) {}

  private static List<Turn> turns(PlanFile file, List<Outcome> held) {
    List<Turn> turns = new ArrayList<>();
    for (int step = 0; step < STEPS && !held.isEmpty(); step++) {
      double share = (double) step / STEPS;
      Outcome best =
          held.stream()
              .min(Comparator.comparingDouble(one -> watts(file, one, share).orElse(Double.NaN)))
              .orElseThrow();
      if (turns.isEmpty() || !turns.get(turns.size() - 1).outcome().equals(best)) {
        turns.add(new Turn(share, best));
      }
    }
    return turns;
  }

  /** Watts at the runs' own share, if what is worked out from their core time is what they drew. */
  private static OptionalDouble recomputed(PlanFile file, Outcome one, double own) {
    OptionalDouble watts = watts(file, one, own);
    double seen = one.watts().mean();
    return watts.isPresent() && Math.abs(watts.getAsDouble() - seen) <= EXACT * seen
        ? watts
        : OptionalDouble.empty();
  }

  /** Watts at a share of idle power, by the core time of the runs; empty if that does not tell. */
  static OptionalDouble watts(PlanFile file, Outcome one, double idleShare) {
    HeldSettings held = file.held();
    boolean straight = held.cluster().profile().curve() instanceof PowerCurve.Linear;
    if (!one.setting().isBlindToPower() || !straight) {
      return OptionalDouble.empty();
    }
    int gear = one.setting().gear();
    double cores =
        (double) held.cluster().nodes(gear)
            * held.cluster().profile().cores()
            / held.cluster().profile().cpuScale();
    double busy = one.runs().estimate(row -> busy(row) / cores).mean();
    return Double.isFinite(busy)
        ? OptionalDouble.of(held.withIdleShare(idleShare).watts(gear, one.setting().clock(), busy))
        : OptionalDouble.empty();
  }

  /** Cores that were busy in the mean, all nodes together. */
  private static double busy(RunRow row) {
    return row.number(EnergyColumns.CPU_S) / row.number(LoadColumns.DURATION_S);
  }

  /** The cheapest at a share; empty if nothing is known to keep the promise. */
  static Optional<Drawn> first(AtShare at) {
    return at.ranked().stream().findFirst();
  }
}
