package org.calando.schema;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A type whose values are made from those of another type that is written the same way. */
record MappedType<A, B>(Type<A> type, Function<A, B> mapping, Optional<Function<B, Object>> writer)
    implements Type<B> {
  @Override
  public @Nullable Bound<B> bind(Tree tree, Binding at) {
    Bound<A> bound = type.bind(tree, at);
    if (bound == null) {
      return null;
    }
    B value = mapping.apply(bound.value());
    Object plain = writer.isPresent() ? writer.get().apply(value) : bound.plain();
    return new Bound<>(value, plain);
  }

  @Override
  public String label() {
    return type.label();
  }

  @Override
  public String range() {
    return type.range();
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return type.jsonSchema();
  }

  @Override
  public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
    type.objects(path, visitor);
  }
}
