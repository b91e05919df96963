package org.calando.core.observe;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a store's clients are promised, all of it at once. Immutable and thread safe.
 *
 * @param limits by what is promised, in its unit; none if nothing is promised
 */
public record Promise(Map<Promised, Double> limits) {
  /** Nothing is promised. */
  public static final Promise NONE = new Promise(Map.of());

  /** Copies the map, in the order of what is promised. */
  public Promise {
    Map<Promised, Double> sorted = new EnumMap<>(Promised.class);
    sorted.putAll(limits);
    limits = Collections.unmodifiableMap(sorted);
    for (Map.Entry<Promised, Double> each : limits.entrySet()) {
      if (!(each.getValue() >= 0 && each.getValue() < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(each.getKey().word() + " of " + each.getValue());
      }
    }
  }

  /** The limit of a part; empty if it is not promised. */
  public OptionalDouble limit(Promised part) {
    Double limit = limits.get(part);
    return limit == null ? OptionalDouble.empty() : OptionalDouble.of(limit);
  }

  /** The limit of a part that is a number of copies or nodes; empty if it is not promised. */
  public OptionalInt count(Promised part) {
    Double limit = limits.get(part);
    return limit == null ? OptionalInt.empty() : OptionalInt.of((int) Math.ceil(limit));
  }

  /** The same with another part, or another limit of it. */
  public Promise with(Promised part, double limit) {
    Map<Promised, Double> more = new EnumMap<>(Promised.class);
    more.putAll(limits);
    more.put(part, limit);
    return new Promise(more);
  }
}
