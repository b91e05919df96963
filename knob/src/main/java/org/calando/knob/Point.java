package org.calando.knob;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A value on each of some axes: a configuration, or a part of one. Immutable and thread safe, as
 * are values.
 */
public final class Point {
  /** On no axis. */
  public static final Point NONE = new Point(Map.of());

  private final Map<Axis<?>, Object> values;

  private Point(Map<Axis<?>, Object> values) {
    this.values = values;
  }

  /** The same with a value on one more axis, or another in place of its value. */
  public <V> Point with(Axis<V> axis, V value) {
    Map<Axis<?>, Object> more = new LinkedHashMap<>(values);
    more.put(axis, value);
    return new Point(Collections.unmodifiableMap(more));
  }

  /** The same with all values of another, in place of its own on the same axes. */
  public Point with(Point other) {
    Map<Axis<?>, Object> more = new LinkedHashMap<>(values);
    more.putAll(other.values);
    return new Point(Collections.unmodifiableMap(more));
  }

  /** The value on an axis; empty if there is none. */
  @SuppressWarnings("unchecked") // with() only takes what is of the axis' type.
  public <V> Optional<V> find(Axis<V> axis) {
    return Optional.ofNullable((V) values.get(axis));
  }

  /**
   * The value on an axis.
   *
   * @throws IllegalStateException if there is none
   */
  public <V> V get(Axis<V> axis) {
    return find(axis).orElseThrow(() -> new IllegalStateException("no " + axis));
  }

  /** What is said of the value on an axis, as {@link Axis#label}; empty if there is no value. */
  public <V> String say(Axis<V> axis, BiFunction<Axis<V>, V, String> how) {
    return find(axis).map(value -> how.apply(axis, value)).orElse("");
  }

  /** The axes that have a value. */
  public Set<Axis<?>> axes() {
    return values.keySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Point point && point.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
