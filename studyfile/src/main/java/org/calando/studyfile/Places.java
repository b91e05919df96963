package org.calando.studyfile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Key;
import org.calando.schema.Values;

/**
 * Where a study's file says what an axis is set to, for checks: of what is right by itself,
 * wherever else something is wrong.
 */
public final class Places {
  private Places() {}

  /** Has knobs check what sets them; what is wrong with the store is told already. */
  static void checkKnobs(Values study, Key<?> matrix, Key<StoreSpec> store) {
    Optional<StoreSpec> studied = study.find(store);
    StudyChecks checks = checks(study, matrix, studied);
    DrivenKnobs.all().forEach(knob -> knob.checkKeys(checks));
    if (studied.isPresent()) {
      DrivenKnobs.all().forEach(knob -> knob.check(checks));
    }
  }

  private static StudyChecks checks(Values study, Key<?> matrix, Optional<StoreSpec> store) {
    return new StudyChecks() {
      @Override
      public Values study() {
        return study;
      }

      @Override
      public Optional<StoreSpec> found() {
        return store;
      }

      @Override
      public List<String> parts() {
        return Places.parts(study, matrix);
      }

      @Override
      public List<String> paths(String part, String axis) {
        return Axes.ALL.stream()
            .filter(each -> each.name().equals(axis))
            .flatMap(each -> of(study, part, each).stream())
            .toList();
      }

      @Override
      public List<String> covered(String part, Axis<?> axis) {
        return Places.covered(study, part, axis);
      }

      @Override
      public List<String> without(String part, Axis<?> axis) {
        return Places.without(study, part, axis);
      }

      @Override
      public <V> List<Place<V>> values(Axis<V> axis) {
        return Places.values(study, matrix, axis);
      }
    };
  }

  /** Paths of the matrix's parts, which stand in a list only if the file writes one. */
  public static List<String> parts(Values study, Key<?> matrix) {
    return study.isList(matrix)
        ? IntStream.range(0, study.items(matrix.name())).mapToObj(i -> "matrix[" + i + "]").toList()
        : List.of(matrix.name());
  }

  /** Where an axis is set in a part, by a key as a whole or beside others; none if it is not. */
  public static List<String> of(Values study, String part, Axis<?> axis) {
    String path = part + "." + axis.name();
    List<String> places = new ArrayList<>(study.has(path) ? List.of(path) : List.of());
    beside(study, part, axis).forEach(place -> places.add(place.path()));
    return places;
  }

  /** Items of a part's {@code control} that do not set an axis, if others do. */
  private static List<String> without(Values study, String part, Axis<?> axis) {
    Set<String> with = new HashSet<>();
    beside(study, part, axis).forEach(place -> with.add(place.item()));
    return with.isEmpty()
        ? List.of()
        : ControlSchema.items(study, part).stream()
            .filter(item -> !with.contains(item))
            .filter(
                item ->
                    covered(study, part, axis).stream().noneMatch(each -> each.startsWith(item)))
            .toList();
  }

  /** Items of a part's {@code control} that set an axis together with others, by their knob. */
  private static List<String> covered(Values study, String part, Axis<?> axis) {
    return ControlSchema.items(study, part).stream()
        .flatMap(
            item ->
                Axes.JOINT.stream()
                    .filter(knob -> knob.covers().contains(axis.name()))
                    .map(knob -> item + "." + knob.axis()))
        .filter(study::has)
        .toList();
  }

  private static <V> List<Place<V>> beside(Values study, String part, Axis<V> axis) {
    List<Place<V>> places = new ArrayList<>();
    for (String item : ControlSchema.items(study, part)) {
      if (Axes.JOINT.stream().anyMatch(knob -> knob.axis().equals(axis))) {
        String path = item + "." + axis;
        study
            .peek(path, axis.item())
            .ifPresent(value -> places.add(new Place<>(part, item, path, value)));
      }
      for (String path : ControlSchema.settings(study, item)) {
        study
            .peek(path, ControlSchema.SETTING)
            .flatMap(point -> point.find(axis))
            .ifPresent(value -> places.add(new Place<>(part, item, path, value)));
      }
    }
    return places;
  }

  /** Where an axis is set in any part. */
  public static List<String> of(Values study, Key<?> matrix, Axis<?> axis) {
    return parts(study, matrix).stream().flatMap(part -> of(study, part, axis).stream()).toList();
  }

  /** The values of an axis in a part that are right by themselves. */
  public static <V> List<Place<V>> values(Values study, String part, Axis<V> axis) {
    List<Place<V>> places = new ArrayList<>();
    String path = part + "." + axis.name();
    for (int i = 0; i < study.items(path); i++) {
      String item = path + "[" + i + "]";
      Optional<V> value = study.peek(item, axis.item());
      value.ifPresent(each -> places.add(new Place<>(part, "", item, each)));
    }
    places.addAll(beside(study, part, axis));
    return places;
  }

  /** The values of an axis in all parts. */
  public static <V> List<Place<V>> values(Values study, Key<?> matrix, Axis<V> axis) {
    return parts(study, matrix).stream()
        .flatMap(part -> values(study, part, axis).stream())
        .toList();
  }
}
