package org.calando.core.policy.gear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Gears by times of the week. Immutable and thread safe.
 *
 * @param entries ascending, each of which holds until the next, and the last until the first; at
 *     least one
 */
public record GearTimetable(List<Entry> entries) {
  /** Seconds of a week. */
  public static final long WEEK_SECONDS = 7 * 86_400;

  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final Pattern AT =
      Pattern.compile("(?:([a-z]{3}(?:[-,][a-z]{3})*) )?([01]?\\d|2[0-3]):([0-5]\\d)");

  /**
   * A gear from a time of the week on.
   *
   * @param weekSecond since Monday, 00:00, 0 .. 604799
   * @param gear 1 or more
   */
  public record Entry(long weekSecond, int gear) {
    public Entry {
      if (weekSecond < 0 || weekSecond >= WEEK_SECONDS || gear < 1) {
        throw new IllegalArgumentException("gear " + gear + " at second " + weekSecond);
      }
    }
  }

  public GearTimetable {
    entries = entries.stream().sorted(Comparator.comparingLong(Entry::weekSecond)).toList();
    Set<Long> times = new HashSet<>();
    if (entries.isEmpty() || !entries.stream().allMatch(entry -> times.add(entry.weekSecond()))) {
      throw new IllegalArgumentException("no entry, or two of one time: " + entries);
    }
  }

  /**
   * The entries of a text and a gear.
   *
   * @param at {@code 22:00}, which is of every day, or {@code mon-fri 07:00}, {@code sat,sun 09:30}
   * @param gear 1 or more
   * @param where the place of the text, for the message
   * @throws BadRequestException if it is no such text
   */
  public static List<Entry> parse(String at, int gear, String where) {
    Matcher matcher = AT.matcher(at.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw unreadable(at, where);
    }
    long ofDay =
        Integer.parseInt(matcher.group(2)) * 3600L + Integer.parseInt(matcher.group(3)) * 60L;
    List<Entry> entries = new ArrayList<>();
    for (int day : days(matcher.group(1), at, where)) {
      entries.add(new Entry(day * 86_400L + ofDay, gear));
    }
    return entries;
  }

  private static Set<Integer> days(@Nullable String text, String at, String where) {
    Set<Integer> days = new TreeSet<>();
    if (text == null) {
      for (int day = 0; day < DAYS.size(); day++) {
        days.add(day);
      }
      return days;
    }
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("-", -1);
      int first = DAYS.indexOf(ends[0]);
      int last = DAYS.indexOf(ends[ends.length - 1]);
      if (ends.length > 2 || first < 0 || last < 0) {
        throw unreadable(at, where);
      }
      // From Saturday to Monday goes over the week's end.
      for (int day = first; day != last; day = (day + 1) % DAYS.size()) {
        days.add(day);
      }
      days.add(last);
    }
    return days;
  }

  private static BadRequestException unreadable(String at, String where) {
    return new BadRequestException(
        "'" + at + "' is no time of a timetable",
        where,
        "write 22:00, or with days: mon-fri 07:00, sat,sun 09:30");
  }

  /** The gear at a time, in seconds since any Monday, 00:00. */
  public int gearAt(long localSeconds) {
    long second = Math.floorMod(localSeconds, WEEK_SECONDS);
    int gear = entries.get(entries.size() - 1).gear();
    for (Entry entry : entries) {
      if (entry.weekSecond() > second) {
        break;
      }
      gear = entry.gear();
    }
    return gear;
  }

  /** The highest gear from a time to another, both included, in seconds since a Monday, 00:00. */
  public int highestBetween(long fromSeconds, long toSeconds) {
    int highest = Math.max(gearAt(fromSeconds), gearAt(toSeconds));
    long span = Math.min(toSeconds - fromSeconds, WEEK_SECONDS);
    for (Entry entry : entries) {
      if (Math.floorMod(entry.weekSecond() - fromSeconds, WEEK_SECONDS) <= span) {
        highest = Math.max(highest, entry.gear());
      }
    }
    return highest;
  }
}
