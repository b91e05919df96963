package org.calando.core.policy;

import java.util.HashMap;
import java.util.Map;

/**
 * A state as a line: a name with its version, then {@code field=value} in a fixed order. Numbers
 * are written so that reading them gives the same ones to the bit.
 */
public final class StateText {
  private final String text;
  private final Map<String, String> values = new HashMap<>();

  /**
   * Reads a line.
   *
   * @param kind the name and version that it must begin with
   * @throws IllegalArgumentException if it does not, or has no fields
   */
  public StateText(String kind, String text) {
    this.text = text;
    String[] words = text.split(" ", -1);
    if (!words[0].equals(kind)) {
      throw new IllegalArgumentException("not a state of " + kind + ": " + text);
    }
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals < 1
          || values.put(words[i].substring(0, equals), words[i].substring(equals + 1)) != null) {
        throw new IllegalArgumentException("'" + words[i] + "' in the state " + text);
      }
    }
  }

  /** A whole number. */
  public int takeInt(String field) {
    return Math.toIntExact(takeLong(field));
  }

  /** A whole number. */
  public long takeLong(String field) {
    try {
      return Long.parseLong(take(field));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + " of the state " + text, e);
    }
  }

  /** A finite number. */
  public double takeDouble(String field) {
    double value;
    try {
      value = Double.parseDouble(take(field));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + " of the state " + text, e);
    }
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(field + " of the state " + text);
    }
    return value;
  }

  /** Ends the reading. */
  public void requireEmpty() {
    if (!values.isEmpty()) {
      throw new IllegalArgumentException(values.keySet() + " in the state " + text);
    }
  }

  private String take(String field) {
    String value = values.remove(field);
    if (value == null) {
      throw new IllegalArgumentException("no " + field + " in the state " + text);
    }
    return value;
  }
}
