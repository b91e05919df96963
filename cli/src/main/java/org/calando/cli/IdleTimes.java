package org.calando.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.policy.gear.GearTimetable;
import org.calando.knob.GearChoice;
import org.calando.schema.ArgumentReader;

/** Reads timetables of nodes that are awake. Stateless. */
final class IdleTimes {
  /** A comma after a number ends an entry; others stand between days. */
  private static final Pattern BETWEEN = Pattern.compile("(?<==[^,=]{0,20}),");

  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,2}");

  private IdleTimes() {}

  /**
   * An entry.
   *
   * @param at as {@link GearTimetable#parse} reads it
   * @param nodes that are awake from then on, 1 or more
   */
  record Entry(String at, int nodes) {}

  /**
   * Reads what was given.
   *
   * @param given each with one entry or several, with commas between
   * @param option for messages
   * @param arguments hears of all that is wrong
   */
  static List<Entry> read(List<String> given, String option, ArgumentReader arguments) {
    List<Entry> entries = new ArrayList<>();
    Set<Long> times = new HashSet<>();
    for (String text : given) {
      for (String one : BETWEEN.split(text, -1)) {
        int equals = one.lastIndexOf('=');
        String count = one.substring(equals + 1).strip();
        if (equals < 1 || !COUNT.matcher(count).matches()) {
          arguments.wrong(option, "'" + one + "' is no TIME=NODES", "write 22:00=1");
        } else {
          Entry entry = new Entry(one.substring(0, equals).strip(), Integer.parseInt(count));
          if (isRight(entry, times, option, arguments)) {
            entries.add(entry);
          }
        }
      }
    }
    return entries;
  }

  private static boolean isRight(
      Entry entry, Set<Long> times, String option, ArgumentReader arguments) {
    try {
      for (GearTimetable.Entry each : GearTimetable.parse(entry.at(), 1, option)) {
        if (!times.add(each.weekSecond())) {
          arguments.wrong(
              option,
              "'" + entry.at() + "' is a time of another entry, too",
              "give each time of the week once");
          return false;
        }
      }
      return true;
    } catch (BadRequestException e) {
      arguments.wrong(
          option,
          "'" + entry.at() + "' is no time of a timetable",
          "write 22:00, or with days: mon-fri 07:00, sat,sun 09:30");
      return false;
    }
  }

  /**
   * Refuses more nodes than there are.
   *
   * @throws BadRequestException naming the entry
   */
  static void requireFitting(List<Entry> entries, int nodes, String option) {
    for (Entry entry : entries) {
      if (entry.nodes() > nodes) {
        throw new BadRequestException(
            "'" + entry.at() + "' wants " + entry.nodes() + " nodes awake of " + nodes,
            option,
            "name at most " + nodes);
      }
    }
  }

  /** As gears, of which the first has the fewest awake, and each further one more. */
  static List<GearChoice.Time> gears(List<Entry> entries, int fewest) {
    return entries.stream()
        .map(entry -> new GearChoice.Time(entry.at(), Math.max(1, entry.nodes() - fewest + 1)))
        .toList();
  }
}
