package org.calando.sim.gear;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.policy.gear.ForecastGearPolicy;
import org.calando.core.policy.gear.ForecastLimits;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearTimetable;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.core.policy.gear.ScheduleGearPolicy;

/** The policies that random weeks are spent with, as they are by default. */
public enum GearContender {
  /** The highest gear from 8 to 20 o'clock on working days, else the lowest; and by load. */
  SCHEDULE("schedule"),
  /** As the load is. */
  LOAD("load"),
  /** As the load is expected to be. */
  FORECAST("forecast"),
  /** Likewise, with half the head-rooms. */
  FORECAST_TIGHT("forecast, tight"),
  /** As would have been best. */
  HINDSIGHT("hindsight");

  private final String label;

  GearContender(String label) {
    this.label = label;
  }

  /** Its name in results. */
  public String label() {
    return label;
  }

  /**
   * The policy for days.
   *
   * @param fineWatts of {@link #HINDSIGHT}: joules that a second costs in which not all are served
   */
  public GearPolicy policy(GearDay day, double fineWatts) {
    GearLimits limits = GearLimits.defaults();
    return switch (this) {
      case SCHEDULE -> new ScheduleGearPolicy(day.model(), limits, office(day), day.speed());
      case LOAD -> new LoadGearPolicy(day.model(), limits);
      case FORECAST -> forecast(day, limits, ForecastLimits.defaults());
      case FORECAST_TIGHT ->
          forecast(
              day,
              limits.withHeadRoom(limits.headRoom() / 2),
              ForecastLimits.defaults().withErrors(ForecastLimits.defaults().errors() / 2));
      case HINDSIGHT -> day.hindsight(fineWatts);
    };
  }

  private static GearPolicy forecast(GearDay day, GearLimits limits, ForecastLimits forecast) {
    return new ForecastGearPolicy(
        day.model(),
        limits,
        forecast.withSpeed(day.speed()),
        (long) Math.ceil(day.trace().stepNanos() / 1e9));
  }

  private static GearTimetable office(GearDay day) {
    List<GearTimetable.Entry> entries = new ArrayList<>();
    entries.addAll(GearTimetable.parse("mon-fri 08:00", day.model().highest(), "office hours"));
    entries.addAll(GearTimetable.parse("20:00", 1, "office hours"));
    return new GearTimetable(entries);
  }
}
