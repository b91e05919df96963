package org.calando.knob;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.ForecastGearPolicy;
import org.calando.core.policy.gear.ForecastLimits;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearTimetable;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.core.policy.gear.ScheduleGearPolicy;
import org.calando.schema.Units;

/**
 * A gear, or the policy that chooses it while a run goes. Immutable and thread safe.
 *
 * @param kind which policy
 * @param gear of {@link Kind#FIXED}: the gear, 1 or more
 * @param limits of the others: how carefully gears are lowered
 * @param errors of {@link Kind#FORECAST}: head-room in mean errors
 * @param times of {@link Kind#SCHEDULE}: the timetable
 */
public record GearChoice(Kind kind, int gear, GearLimits limits, double errors, List<Time> times) {
  /** Slots that a day can be cut into, in seconds. */
  private static final long[] SLOTS = {900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400};

  /** The policies that there are. */
  public enum Kind {
    FIXED,
    SCHEDULE,
    LOAD,
    FORECAST
  }

  /**
   * An entry of a timetable.
   *
   * @param at as {@link GearTimetable#parse} reads it
   * @param gear 1 or more
   */
  public record Time(String at, int gear) {}

  /** Copies the list. */
  public GearChoice {
    times = List.copyOf(times);
  }

  /** One gear throughout. */
  public static GearChoice fixed(int gear) {
    return new GearChoice(Kind.FIXED, gear, GearLimits.defaults(), 0, List.of());
  }

  /** The same with other limits. */
  public GearChoice within(GearLimits others) {
    return new GearChoice(kind, gear, others, errors, times);
  }

  /** Whether it is one gear throughout. */
  public boolean isFixed() {
    return kind == Kind.FIXED;
  }

  /** The highest gear that it names; 1 if it names none. */
  public int highest() {
    return times.stream().mapToInt(Time::gear).max().orElse(Math.max(1, gear));
  }

  /** The lowest gear that it may come to. */
  public int lowest() {
    return switch (kind) {
      case FIXED -> gear;
      case SCHEDULE -> times.stream().mapToInt(Time::gear).min().orElse(1);
      case LOAD, FORECAST -> 1;
    };
  }

  /** What results call it: {@code 1}, {@code load(20%)}, with what is not as usual. */
  public String label() {
    if (kind == Kind.FIXED) {
      return String.valueOf(gear);
    }
    GearLimits usual = GearLimits.defaults();
    List<String> parts = new ArrayList<>();
    times.forEach(time -> parts.add(time.at() + " " + time.gear()));
    if (kind != Kind.SCHEDULE || limits.headRoom() != usual.headRoom()) {
      parts.add(percent(limits.headRoom()));
    }
    if (limits.hysteresis() != usual.hysteresis()) {
      parts.add("hysteresis " + percent(limits.hysteresis()));
    }
    if (limits.residencyNanos() != usual.residencyNanos()) {
      parts.add("residency " + Units.formatNanos(limits.residencyNanos()));
    }
    if (kind == Kind.FORECAST && errors != ForecastLimits.defaults().errors()) {
      parts.add(Units.formatNumber(errors) + " errors");
    }
    return kind.name().toLowerCase(Locale.ROOT) + "(" + String.join(", ", parts) + ")";
  }

  private static String percent(double share) {
    return Units.formatNumber(Math.rint(share * 1e8) / 1e6) + "%";
  }

  /** The timetable. */
  public GearTimetable timetable() {
    List<GearTimetable.Entry> entries = new ArrayList<>();
    times.forEach(time -> entries.addAll(GearTimetable.parse(time.at(), time.gear(), "at")));
    return new GearTimetable(entries);
  }

  /**
   * The policy itself.
   *
   * @param speed local seconds that pass in a second
   * @param decideNanos from one decision to the next
   */
  public GearPolicy policy(GearModel model, double speed, long decideNanos) {
    return switch (kind) {
      case FIXED -> new FixedGearPolicy(gear);
      case SCHEDULE -> new ScheduleGearPolicy(model, limits, timetable(), speed);
      case LOAD -> new LoadGearPolicy(model, limits);
      case FORECAST ->
          new ForecastGearPolicy(
              model,
              limits,
              new ForecastLimits(
                  slotSeconds(2 * decideNanos / 1e9 * speed),
                  ForecastLimits.defaults().smoothing(),
                  ForecastLimits.defaults().firstError(),
                  errors,
                  speed),
              (long) Math.ceil(decideNanos / 1e9));
    };
  }

  /** No slot is so short that decisions would miss it. */
  private static long slotSeconds(double least) {
    for (long slot : SLOTS) {
      if (slot >= least) {
        return slot;
      }
    }
    return SLOTS[SLOTS.length - 1];
  }
}
