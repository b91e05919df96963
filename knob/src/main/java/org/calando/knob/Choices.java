package org.calando.knob;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that are compared on each of some axes. Immutable and thread safe.
 *
 * <p>Points that are given beside them replace the values on their axes.
 */
public final class Choices {
  /** On no axis. */
  public static final Choices NONE = new Choices(Map.of());

  private final Map<Axis<?>, List<?>> values;

  private Choices(Map<Axis<?>, List<?>> values) {
    this.values = values;
  }

  /** The same with the values of one axis; with none, the same without the axis. */
  public <V> Choices with(Axis<V> axis, List<V> ofAxis) {
    Map<Axis<?>, List<?>> more = new LinkedHashMap<>(values);
    if (ofAxis.isEmpty()) {
      more.remove(axis);
    } else {
      more.put(axis, List.copyOf(ofAxis));
    }
    return new Choices(Collections.unmodifiableMap(more));
  }

  /** The values of an axis; none if points have no value on it. */
  @SuppressWarnings("unchecked") // with() only takes lists of the axis' type.
  public <V> List<V> of(Axis<V> axis) {
    return (List<V>) values.getOrDefault(axis, List.of());
  }

  /**
   * Every value with every other.
   *
   * @param axes in the order in which values change, the last one fastest
   * @param beginnings what is set already, each of which is completed; with a value on an axis it
   *     keeps it
   */
  public List<Point> points(Collection<Axis<?>> axes, List<Point> beginnings) {
    List<Point> points = beginnings;
    for (Axis<?> axis : axes) {
      points = spread(points, axis);
    }
    return points;
  }

  private <V> List<Point> spread(List<Point> points, Axis<V> axis) {
    List<V> ofAxis = of(axis);
    if (ofAxis.isEmpty()) {
      return points;
    }
    List<Point> spread = new ArrayList<>();
    for (Point point : points) {
      if (point.axes().contains(axis)) {
        spread.add(point);
      } else {
        ofAxis.forEach(value -> spread.add(point.with(axis, value)));
      }
    }
    return spread;
  }

  /**
   * Number of points, as far as a long can tell.
   *
   * @param beginnings how many are completed, above 0, none with a value on an axis of these
   */
  public long count(long beginnings) {
    return values.values().stream().mapToLong(List::size).reduce(beginnings, Choices::product);
  }

  private static long product(long a, long b) {
    return a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Choices choices && choices.values.equals(values);
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
