package org.calando.gears;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.control.Shifter;

/**
 * A gear, and what was known of the nodes when a plan for it was made. Immutable and thread safe.
 *
 * @param gear from 1, the lowest
 * @param reports when each node that is to be switched on had last reported all its blocks, by
 *     name, in ms of the name server's clock: it is only back once it has reported again
 * @param without nodes that would be on in the gear, and stay off and in maintenance
 */
public record GearSetting(int gear, SortedMap<String, Long> reports, SortedSet<String> without)
    implements Shifter.Setting {
  /** Before the name of a node that stays off, as no name begins. */
  private static final String WITHOUT = "-";

  /** Copies of its own. */
  public GearSetting {
    reports = new TreeMap<>(reports);
    without = new TreeSet<>(without);
  }

  /** With all nodes of the gear. */
  public GearSetting(int gear, SortedMap<String, Long> reports) {
    this(gear, reports, new TreeSet<>());
  }

  /** The same without some nodes. */
  GearSetting without(Set<String> names) {
    return new GearSetting(gear, reports, new TreeSet<>(names));
  }

  /** A gear without anything to remember. */
  public static GearSetting of(int gear) {
    return new GearSetting(gear, new TreeMap<>());
  }

  /** {@inheritDoc} {@code gear=2 n4=1700000000000 -n5=0}, the last one being without n5. */
  @Override
  public String text() {
    StringBuilder text = new StringBuilder("gear=" + gear);
    for (Map.Entry<String, Long> report : reports.entrySet()) {
      text.append(' ').append(report.getKey()).append('=').append(report.getValue());
    }
    without.forEach(name -> text.append(' ').append(WITHOUT).append(name).append("=0"));
    return text.toString();
  }

  @Override
  public String words() {
    return "gear " + gear;
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static GearSetting parse(String text) {
    SortedMap<String, Long> reports = new TreeMap<>();
    SortedSet<String> without = new TreeSet<>();
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
      } else if (name.startsWith(WITHOUT)) {
        without.add(name.substring(WITHOUT.length()));
      } else {
        reports.put(name, value);
      }
    }
    if (gear < 1) {
      throw new IllegalArgumentException("no gear: " + text);
    }
    return new GearSetting(gear, reports, without);
  }
}
