package org.calando.control;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which parts of a cluster are off. Immutable and thread safe.
 *
 * @param off their names, as {@code n2} or {@code dc1/r3}
 */
public record OffSetting(SortedSet<String> off) implements Shifter.Setting {
  /** All are on. */
  public static final OffSetting ALL_ON = new OffSetting(new TreeSet<>());

  private static final String OFF = "off";

  /** Copies the set. */
  public OffSetting {
    off = new TreeSet<>(off);
  }

  /** These. */
  public static OffSetting of(Set<String> off) {
    return new OffSetting(new TreeSet<>(off));
  }

  /** The parts that are off in this and on in another. */
  public SortedSet<String> without(OffSetting other) {
    SortedSet<String> rest = new TreeSet<>(off);
    rest.removeAll(other.off);
    return rest;
  }

  /** {@inheritDoc} {@code off n2 n3}. */
  @Override
  public String text() {
    return off.isEmpty() ? OFF : OFF + " " + String.join(" ", off);
  }

  @Override
  public String words() {
    return off.isEmpty() ? "all on" : String.join(", ", off) + " off";
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static OffSetting parse(String text) {
    List<String> parts = List.of(text.split(" ", -1));
    if (!parts.get(0).equals(OFF)) {
      throw new IllegalArgumentException("does not say what is off: " + text);
    }
    return of(new TreeSet<>(parts.subList(1, parts.size())));
  }
}
