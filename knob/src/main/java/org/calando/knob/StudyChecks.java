package org.calando.knob;

import java.util.List;
import org.calando.engine.StoreSpec;
import org.calando.schema.Values;

/** A study's file as the checks of a knob see it. */
public interface StudyChecks {
  /** The file, which takes what is wrong. */
  Values study();

  /** The store, which is right by itself. */
  StoreSpec store();

  /** Paths of the matrix's parts. */
  List<String> parts();

  /** Paths that set an axis in a part, as a whole or beside others, whatever they say. */
  List<String> paths(String part, String axis);

  /** Paths that set an axis in any part. */
  default List<String> paths(Axis<?> axis) {
    return parts().stream().flatMap(part -> paths(part, axis.name()).stream()).toList();
  }

  /** The values of an axis that are right by themselves. */
  <V> List<Place<V>> values(Axis<V> axis);

  /** The levels in a part that are right by themselves. */
  List<Place<LevelNeeds>> levels(String part);
}
