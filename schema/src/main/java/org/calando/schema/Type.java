package org.calando.schema;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What values a key takes: how they are read, described and written.
 *
 * <p>Implementations are immutable and thread safe.
 */
public interface Type<T> {

  /**
   * Reads a value.
   *
   * @return the value, or null where something was wrong with it, which then has been reported
   */
  @Nullable Bound<T> bind(Tree tree, Binding at);

  /** The type in a few words with its article: {@code a duration}. */
  String label();

  /** The values allowed, or an empty string where the label says it all. */
  String range();

  /** The type as a JSON Schema. */
  Map<String, Object> jsonSchema();

  /** Visits the mappings that values of this type may hold, with their paths. */
  default void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {}
}
