package org.calando.studyfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.knob.Axis;
import org.calando.schema.Key;
import org.calando.schema.Values;

/**
 * Where a study's file says what an axis is set to, for checks: of what is right by itself,
 * wherever else something is wrong.
 */
final class Places {
  private Places() {}

  /**
   * A value of an axis.
   *
   * @param part path of the matrix's part
   * @param path of the value
   */
  record Place<V>(String part, String path, V value) {}

  /** Paths of the matrix's parts, which stand in a list only if the file writes one. */
  static List<String> parts(Values study, Key<?> matrix) {
    return study.isList(matrix)
        ? IntStream.range(0, study.items(matrix.name())).mapToObj(i -> "matrix[" + i + "]").toList()
        : List.of(matrix.name());
  }

  /** Where an axis is set in a part, as a whole; none if it is not. */
  static List<String> of(Values study, String part, Axis<?> axis) {
    String path = part + "." + axis.name();
    return study.has(path) ? List.of(path) : List.of();
  }

  /** Where an axis is set in any part. */
  static List<String> of(Values study, Key<?> matrix, Axis<?> axis) {
    return parts(study, matrix).stream().flatMap(part -> of(study, part, axis).stream()).toList();
  }

  /** The values of an axis in a part that are right by themselves. */
  static <V> List<Place<V>> values(Values study, String part, Axis<V> axis) {
    List<Place<V>> places = new ArrayList<>();
    String path = part + "." + axis.name();
    for (int i = 0; i < study.items(path); i++) {
      String item = path + "[" + i + "]";
      Optional<V> value = study.peek(item, axis.item());
      value.ifPresent(each -> places.add(new Place<>(part, item, each)));
    }
    return places;
  }

  /** The values of an axis in all parts. */
  static <V> List<Place<V>> values(Values study, Key<?> matrix, Axis<V> axis) {
    return parts(study, matrix).stream()
        .flatMap(part -> values(study, part, axis).stream())
        .toList();
  }
}
