package org.calando.knob;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.Set;
import org.calando.engine.StoreLayout;

/** All knobs with drivers of their own that are there, by their ranks. Stateless. */
public final class DrivenKnobs {
  /** Those beside this class, whatever thread asks first. */
  private static final List<DrivenKnob> ALL =
      checked(
          ServiceLoader.load(DrivenKnob.class, DrivenKnobs.class.getClassLoader()).stream()
              .map(ServiceLoader.Provider::get)
              .toList());

  private DrivenKnobs() {}

  /** All of them, in the order of their ranks. */
  public static List<DrivenKnob> all() {
    return ALL;
  }

  /** Those that a configuration has a value of. */
  public static List<DrivenKnob> of(Point point) {
    return ALL.stream().filter(knob -> point.axes().contains(knob.axis())).toList();
  }

  /** How a cluster of a configuration lays out its data; empty for the cluster's own layout. */
  public static Optional<StoreLayout> layout(Point point) {
    return of(point).stream().flatMap(knob -> knob.layout(point).stream()).findFirst();
  }

  /** Within which writes of a configuration are promised to be visible; empty if nothing is. */
  public static OptionalLong promisedNanos(Point point) {
    return of(point).stream()
        .map(knob -> knob.promisedNanos(point))
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /**
   * Knobs in the order of their ranks.
   *
   * @throws IllegalStateException if two have one rank or one name
   */
  static List<DrivenKnob> checked(List<DrivenKnob> knobs) {
    Set<Object> taken = new HashSet<>();
    for (DrivenKnob knob : knobs) {
      if (!taken.add(knob.rank()) || !taken.add(knob.axis().name())) {
        throw new IllegalStateException(
            "the knob '%s' of %s has the rank %d or the name of another"
                .formatted(knob.axis(), knob.getClass().getName(), knob.rank()));
      }
    }
    return knobs.stream().sorted(Comparator.comparingInt(DrivenKnob::rank)).toList();
  }
}
