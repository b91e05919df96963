package org.calando.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A mapping whose keys are names that the user chooses, with values of one type.
 *
 * <p>Immutable and thread safe.
 */
record MapType<T>(ScalarType<String> name, Type<T> value) implements Type<Map<String, T>> {
  @Override
  public @Nullable Bound<Map<String, T>> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Mapping mapping)) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label(), "write names and values");
      return null;
    }
    if (mapping.entries().isEmpty()) {
      at.error(tree.where(), "is empty", "write names and values");
      return null;
    }
    int before = at.problems().count();
    Map<String, T> values = new LinkedHashMap<>();
    Map<String, Object> plain = new LinkedHashMap<>();
    for (Tree.Entry entry : mapping.entries()) {
      Binding inside = at.key(entry.name());
      Bound<String> key = name.bind(new Tree.Scalar(entry.where(), entry.name(), true), inside);
      Bound<T> bound = value.bind(entry.value(), inside);
      if (key != null && bound != null) {
        values.put(key.value(), bound.value());
        plain.put(key.value(), bound.plain());
      }
    }
    return at.problems().count() > before
        ? null
        : new Bound<>(Collections.unmodifiableMap(values), plain);
  }

  @Override
  public String label() {
    return "a mapping of " + name.label() + " to " + value.label();
  }

  @Override
  public String range() {
    return value.range();
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Map.of("type", "object", "minProperties", 1, "additionalProperties", value.jsonSchema());
  }

  @Override
  public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
    value.objects(Binding.join(path, "NAME"), visitor);
  }
}
