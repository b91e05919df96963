package org.calando.gears;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A gear, and what was known of the nodes when a plan for it was made. Immutable and thread safe.
 *
 * @param gear from 1, the lowest
 * @param reports when each node that is to be switched on had last reported all its blocks, by
 *     name, in ms of the name server's clock: it is only back once it has reported again
 */
public record GearSetting(int gear, SortedMap<String, Long> reports) {
  /** A copy of its own. */
  public GearSetting {
    reports = new TreeMap<>(reports);
  }

  /** A gear without anything to remember. */
  public static GearSetting of(int gear) {
    return new GearSetting(gear, new TreeMap<>());
  }

  /** As a journal has it: {@code gear=2 n4=1700000000000}. */
  public String text() {
    StringBuilder text = new StringBuilder("gear=" + gear);
    for (Map.Entry<String, Long> report : reports.entrySet()) {
      text.append(' ').append(report.getKey()).append('=').append(report.getValue());
    }
    return text.toString();
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static GearSetting parse(String text) {
    SortedMap<String, Long> reports = new TreeMap<>();
    int gear = 0;
    for (String part : text.split(" ", -1)) {
      int equals = part.lastIndexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("no gear: " + text);
      }
      String name = part.substring(0, equals);
      long value = Long.parseLong(part.substring(equals + 1));
      if (name.equals("gear")) {
        gear = Math.toIntExact(value);
      } else {
        reports.put(name, value);
      }
    }
    if (gear < 1) {
      throw new IllegalArgumentException("no gear: " + text);
    }
    return new GearSetting(gear, reports);
  }
}
