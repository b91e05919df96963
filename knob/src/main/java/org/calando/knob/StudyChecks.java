package org.calando.knob;

import java.util.List;
import java.util.Optional;
import org.calando.engine.StoreSpec;
import org.calando.schema.Values;

/** A study's file as the checks of a knob see it. */
public interface StudyChecks {
  /** The file, which takes what is wrong. */
  Values study();

  /** The store; empty if something is wrong with it. */
  Optional<StoreSpec> found();

  /** The store, which is right by itself. */
  default StoreSpec store() {
    return found().orElseThrow();
  }

  /** Paths of the matrix's parts. */
  List<String> parts();

  /** Paths that set an axis in a part, as a whole or beside others, whatever they say. */
  List<String> paths(String part, String axis);

  /** Paths that set an axis in any part. */
  default List<String> paths(Axis<?> axis) {
    return parts().stream().flatMap(part -> paths(part, axis.name()).stream()).toList();
  }

  /** Paths of what sets an axis together with others in a part. */
  List<String> covered(String part, Axis<?> axis);

  /** Paths that set other axes at once in a part where some also set this one, which do not. */
  List<String> without(String part, Axis<?> axis);

  /** The values of an axis that are right by themselves. */
  <V> List<Place<V>> values(Axis<V> axis);
}
