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

  /** Paths that set an axis, as a whole or beside others, whatever they say. */
  List<String> paths(Axis<?> axis);

  /** The values of an axis that are right by themselves. */
  <V> List<Place<V>> values(Axis<V> axis);
}
