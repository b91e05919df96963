package org.calando.knob;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.text;
import static org.calando.schema.Types.written;

import java.util.List;
import java.util.Map;
import org.calando.core.policy.gear.GearLimits;
import org.calando.knob.GearChoice.Kind;
import org.calando.knob.GearChoice.Time;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.Type;
import org.calando.schema.Units;
import org.calando.schema.Values;

/** What a file may say of gears, and of the policies that choose them. */
public final class GearSchema {
  private static final int MAX_GEARS = 31;
  private static final int MAX_TIMES = 100;
  private static final String DAY = "(mon|tue|wed|thu|fri|sat|sun)";
  private static final String DAYS = DAY + "(-" + DAY + ")?";

  private static final Key<String> AT =
      Key.of(
              "at",
              text(
                  "a time of day or week",
                  "(" + DAYS + "(," + DAYS + ")* )?([01]?\\d|2[0-3]):[0-5]\\d",
                  "22:00, mon-fri 07:00, sat,sun 09:30"),
              "From when; of every day, or of these.")
          .mandatory()
          .example("mon-fri 07:00");
  private static final Key<Integer> GEAR =
      Key.of("gear", integer(1, MAX_GEARS), "The gear from then on.").mandatory().example("2");
  private static final ObjectType<Time> TIME =
      ObjectType.named("an entry", "A gear from a time of the week on.")
          .keys(AT, GEAR)
          .build(time -> new Time(time.get(AT), time.get(GEAR)));

  private static final Key<Double> HEAD_ROOM =
      Key.of("head-room", share(), "Share of a gear's capacity that stays free of present load.")
          .byDefault("20%")
          .example("20%");
  private static final Key<Double> HYSTERESIS =
      Key.of(
              "hysteresis",
              share(),
              "Share of a lower gear's capacity that must be free beyond that.")
          .byDefault("5%")
          .example("5%");
  private static final Key<Long> RESIDENCY =
      Key.of(
              "residency",
              duration(0, 7 * 86_400_000_000_000L),
              "Time in a gear before a lower one is shifted to; not compressed with the load.")
          .byDefault("10m")
          .example("10m");
  private static final Key<Double> ERRORS =
      Key.of("errors", number(0, 100), "Mean errors of the forecast that stay free above it.")
          .byDefault("2")
          .example("1");

  private static final Key<List<Time>> SCHEDULE =
      Key.of(
              "schedule",
              list(TIME, 1, MAX_TIMES),
              "By a timetable, early by the time that nodes boot; higher where the load needs it.")
          .example("[{at: \"22:00\", gear: 1}, {at: \"mon-fri 07:00\", gear: 2}]");
  private static final Key<GearChoice> LOAD =
      Key.of(
              "load",
              ObjectType.named("the policy load", "The lowest gear that carries the present load.")
                  .keys(HEAD_ROOM, HYSTERESIS, RESIDENCY)
                  .check(GearSchema::checkRoom)
                  .build(values -> choice(Kind.LOAD, limits(values), 0)),
              "The lowest gear that carries the present load.")
          .example("{head-room: 20%, residency: 10m}");
  private static final Key<GearChoice> FORECAST =
      Key.of(
              "forecast",
              ObjectType.named(
                      "the policy forecast",
                      "The gear that the present load and the forecast of what comes need.")
                  .keys(HEAD_ROOM, HYSTERESIS, RESIDENCY, ERRORS)
                  .check(GearSchema::checkRoom)
                  .build(values -> choice(Kind.FORECAST, limits(values), values.get(ERRORS))),
              "The gear that the present load and the forecast, from days and weeks before, need.")
          .example("{head-room: 10%, errors: 1}");
  private static final ObjectType<GearChoice> POLICY =
      ObjectType.named("a policy of gears", "What chooses the gear; exactly one of the keys.")
          .keys(SCHEDULE, LOAD, FORECAST)
          .check(policy -> policy.requireExactlyOne(SCHEDULE, LOAD, FORECAST))
          .build(GearSchema::policy);

  /** A gear, or a policy. */
  public static final Type<GearChoice> TYPE =
      written(
          scalarOrMapping(mapped(integer(1, MAX_GEARS), GearChoice::fixed), POLICY),
          GearSchema::plain);

  /** Gears, or policies that choose them; without one, all nodes are on. */
  public static final Axis<GearChoice> AXIS =
      Axis.of(
              "gear",
              TYPE,
              GearChoice::label,
              "HDFS, racks of a Cassandra, idle servers of an HBase, and the simulator with"
                  + " store.sim.gears: gears, or"
                  + " policies that shift them; without, all nodes are on.",
              "[2, {load: {head-room: 20%}}, {forecast: {head-room: 10%, errors: 1}}]")
          .called(gear -> "gear " + gear.label(), gear -> "gear " + gear.label());

  private GearSchema() {}

  private static void checkRoom(Values policy) {
    if (policy.find(HEAD_ROOM).orElse(0.0) + policy.find(HYSTERESIS).orElse(0.0) >= 1) {
      policy.error(HEAD_ROOM, "leaves nothing, with the hysteresis", "write less than 100% in all");
    }
  }

  private static GearLimits limits(Values values) {
    return GearLimits.defaults()
        .withHeadRoom(0)
        .withHysteresis(values.get(HYSTERESIS))
        .withHeadRoom(values.get(HEAD_ROOM))
        .withResidency(values.get(RESIDENCY));
  }

  private static GearChoice choice(Kind kind, GearLimits limits, double errors) {
    return new GearChoice(kind, 0, limits, errors, List.of());
  }

  private static GearChoice policy(Values values) {
    return values
        .find(SCHEDULE)
        .map(times -> new GearChoice(Kind.SCHEDULE, 0, GearLimits.defaults(), 0, times))
        .or(() -> values.find(LOAD))
        .or(() -> values.find(FORECAST))
        .orElseThrow();
  }

  private static Object plain(GearChoice choice) {
    return switch (choice.kind()) {
      case FIXED -> choice.gear();
      case SCHEDULE ->
          Map.of(SCHEDULE.name(), choice.times().stream().map(GearSchema::plain).toList());
      case LOAD -> Map.of(LOAD.name(), plain(choice.limits()));
      case FORECAST -> {
        Map<String, Object> values = plain(choice.limits());
        values.put(ERRORS.name(), choice.errors());
        yield Map.of(FORECAST.name(), values);
      }
    };
  }

  private static Map<String, Object> plain(Time time) {
    return Plain.map(AT.name(), time.at(), GEAR.name(), time.gear());
  }

  private static Map<String, Object> plain(GearLimits limits) {
    return Plain.map(
        HEAD_ROOM.name(),
        limits.headRoom(),
        HYSTERESIS.name(),
        limits.hysteresis(),
        RESIDENCY.name(),
        Units.formatNanos(limits.residencyNanos()));
  }
}
