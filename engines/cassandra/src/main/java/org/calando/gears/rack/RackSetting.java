package org.calando.gears.rack;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.calando.control.Shifter;

/**
 * Which racks of a cluster are off. Immutable and thread safe.
 *
 * @param off their places, as {@code dc1/r3}
 */
public record RackSetting(SortedSet<String> off) implements Shifter.Setting {
  /** All are on. */
  public static final RackSetting ALL_ON = new RackSetting(new TreeSet<>());

  private static final String OFF = "off";

  /** Copies the set. */
  public RackSetting {
    off = new TreeSet<>(off);
  }

  static RackSetting of(Set<String> off) {
    return new RackSetting(new TreeSet<>(off));
  }

  /** The racks that are off in this and on in another. */
  SortedSet<String> without(RackSetting other) {
    SortedSet<String> rest = new TreeSet<>(off);
    rest.removeAll(other.off);
    return rest;
  }

  /** {@inheritDoc} {@code off dc1/r3}. */
  @Override
  public String text() {
    return off.isEmpty() ? OFF : OFF + " " + String.join(" ", off);
  }

  @Override
  public String words() {
    return off.isEmpty() ? "all racks on" : "off: " + String.join(", ", off);
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static RackSetting parse(String text) {
    List<String> parts = List.of(text.split(" ", -1));
    if (!parts.get(0).equals(OFF)) {
      throw new IllegalArgumentException("does not say which racks are off: " + text);
    }
    return of(new TreeSet<>(parts.subList(1, parts.size())));
  }
}
