package org.calando.core.workload.internal.ycsb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads typed values out of properties, notes every problem instead of stopping at the first, and
 * remembers what was read.
 *
 * <p>Values are stripped of white space. A malformed value counts as its default. Not thread safe.
 */
public final class PropertyReader {
  private final Map<String, String> properties;
  private final Map<String, String> unread;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> malformed = new HashSet<>();
  private final List<String> warnings = new ArrayList<>();

  /** Reads these properties. */
  public PropertyReader(Map<String, String> properties) {
    this.properties = properties;
    this.unread = new TreeMap<>(properties);
  }

  /** Whether there is a property of that name. */
  public boolean has(String name) {
    return properties.containsKey(name);
  }

  /** The properties that nobody has read yet. */
  public Map<String, String> unread() {
    return unread;
  }

  /** What is wrong, each {@code name: what}. */
  public List<String> problems() {
    return problems;
  }

  /** What the user should know. */
  public List<String> warnings() {
    return warnings;
  }

  /** Notes what is wrong with a property. */
  public void problem(String name, String what) {
    problems.add(name + ": " + what);
    malformed.add(name);
  }

  /** Whether a problem was noted for a property of that name. */
  public boolean isMalformed(String name) {
    return malformed.contains(name);
  }

  /** Notes a warning. */
  public void warn(String text) {
    warnings.add(text);
  }

  /** Warns that a property is ignored, if it is there. */
  public void warnIfPresent(String name, String reason) {
    if (unread.remove(name) != null) {
      warn(name + " is ignored: " + reason);
    }
  }

  /** A text, or the default if there is none. */
  public String text(String name, String otherwise) {
    unread.remove(name);
    String value = properties.get(name);
    return value == null ? otherwise : value.strip();
  }

  /** One of a few words. */
  public String choice(String name, String otherwise, String... choices) {
    String value = text(name, otherwise);
    if (!List.of(choices).contains(value)) {
      problem(name, "\"%s\" is none of %s".formatted(value, String.join(", ", choices)));
      return otherwise;
    }
    return value;
  }

  /** {@code true} or {@code false} in any case. (YCSB takes every other word as false.) */
  public boolean flag(String name, boolean otherwise) {
    String value = text(name, Boolean.toString(otherwise));
    boolean known = value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
    if (!known) {
      problem(name, "\"%s\" is neither true nor false".formatted(value));
      return otherwise;
    }
    return Boolean.parseBoolean(value);
  }

  /** A whole number from {@code least} to 2^31 - 1, YCSB's range, that must be there. */
  public long requiredWholeNumber(String name, long least) {
    if (!has(name)) {
      problem(name, "missing");
      return least;
    }
    return wholeNumber(name, least, least);
  }

  /** A whole number from {@code least} to 2^31 - 1, the range in which YCSB works. */
  public long wholeNumber(String name, long otherwise, long least) {
    String value = text(name, Long.toString(otherwise));
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= Integer.MAX_VALUE) {
        return number;
      }
      problem(name, "%s is not between %d and 2147483647".formatted(value, least));
    } catch (NumberFormatException e) {
      problem(name, "\"%s\" is not a whole number".formatted(value));
    }
    return otherwise;
  }

  /** A finite number, 0 or more. */
  public double number(String name, double otherwise) {
    String value = text(name, Double.toString(otherwise));
    try {
      double number = Double.parseDouble(value);
      if (number >= 0 && Double.isFinite(number)) {
        return number;
      }
      problem(name, value + " is not 0 or more");
    } catch (NumberFormatException e) {
      problem(name, "\"%s\" is not a number".formatted(value));
    }
    return otherwise;
  }
}
