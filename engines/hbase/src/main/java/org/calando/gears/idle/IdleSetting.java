package org.calando.gears.idle;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.calando.control.Shifter;

/**
 * Which nodes sleep. Immutable and thread safe.
 *
 * @param asleep their names
 */
public record IdleSetting(SortedSet<String> asleep) implements Shifter.Setting {
  private static final String ASLEEP = "asleep";

  /** A copy of its own. */
  public IdleSetting {
    asleep = new TreeSet<>(asleep);
  }

  /** These. */
  public static IdleSetting of(Set<String> asleep) {
    return new IdleSetting(new TreeSet<>(asleep));
  }

  /** The nodes that sleep in this and not in another. */
  SortedSet<String> without(IdleSetting other) {
    SortedSet<String> rest = new TreeSet<>(asleep);
    rest.removeAll(other.asleep);
    return rest;
  }

  /** {@inheritDoc} {@code asleep n2 n3}. */
  @Override
  public String text() {
    return asleep.isEmpty() ? ASLEEP : ASLEEP + " " + String.join(" ", asleep);
  }

  @Override
  public String words() {
    return asleep.isEmpty() ? "all awake" : String.join(", ", asleep) + " asleep";
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static IdleSetting parse(String text) {
    List<String> parts = List.of(text.split(" ", -1));
    if (!parts.get(0).equals(ASLEEP)) {
      throw new IllegalArgumentException("does not tell who sleeps: " + text);
    }
    return of(new TreeSet<>(parts.subList(1, parts.size())));
  }
}
