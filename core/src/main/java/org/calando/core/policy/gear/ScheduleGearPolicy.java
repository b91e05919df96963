package org.calando.core.policy.gear;

import org.calando.core.policy.gear.GearObservation.Load;

/**
 * Gears by a timetable, shifted up early by the time that nodes boot. A load above what the
 * timetable's gear serves, less head-room, gets the gear that serves it. A timetable is an order:
 * residency and what a shift costs do not hold it up. Immutable and thread safe.
 */
public final class ScheduleGearPolicy extends GuardedGearPolicy {
  private final GearTimetable timetable;
  private final double speed;

  /**
   * A policy.
   *
   * @param speed local seconds that pass in a second of the loop's clock, above 0
   */
  public ScheduleGearPolicy(
      GearModel model, GearLimits limits, GearTimetable timetable, double speed) {
    super(model, limits);
    this.timetable = timetable;
    this.speed = speed;
    if (!(speed > 0 && Double.isFinite(speed))) {
      throw new IllegalArgumentException("speed " + speed);
    }
    for (GearTimetable.Entry entry : timetable.entries()) {
      if (entry.gear() > model.highest()) {
        throw new IllegalArgumentException(
            "gear " + entry.gear() + " of a timetable, and " + model.highest() + " gears");
      }
    }
  }

  @Override
  public String name() {
    return "schedule";
  }

  @Override
  Wish need(GearState state, GearObservation observation, Load load) {
    int planned = planned(state, observation);
    int asked = gearFor(load);
    return asked > planned
        ? new Wish(asked, GearWords.rate(load.perSecond(), model()) + ", more than was planned for")
        : new Wish(planned, "by the timetable");
  }

  private int planned(GearState state, GearObservation observation) {
    int present = Math.min(state.gear(), model().highest());
    double boot = model().shiftSeconds(present, model().highest()) * speed;
    long now = observation.localSeconds();
    return timetable.highestBetween(now, now + (long) Math.ceil(boot));
  }

  @Override
  Outcome lower(GearState state, GearObservation observation, Load load, Wish lower) {
    int gear = Math.max(lower.gear(), lowerGearFor(load));
    return gear < state.gear()
        ? new Outcome(state.wanting(gear), lower.reason())
        : new Outcome(state.wanting(state.gear()), "the load is within the hysteresis");
  }
}
