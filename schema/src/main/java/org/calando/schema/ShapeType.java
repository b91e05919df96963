package org.calando.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value that may be written in several ways, told apart by whether it is a single value, a list
 * or a mapping.
 *
 * <p>Immutable and thread safe.
 */
public final class ShapeType<T> implements Type<T> {
  private final @Nullable Type<? extends T> scalar;
  private final @Nullable Type<? extends T> list;
  private final @Nullable Type<? extends T> mapping;

  ShapeType(
      @Nullable Type<? extends T> scalar,
      @Nullable Type<? extends T> list,
      @Nullable Type<? extends T> mapping) {
    this.scalar = scalar;
    this.list = list;
    this.mapping = mapping;
  }

  @Override
  public @Nullable Bound<T> bind(Tree tree, Binding at) {
    Type<? extends T> type =
        tree instanceof Tree.Scalar ? scalar : tree instanceof Tree.Sequence ? list : mapping;
    boolean empty = tree instanceof Tree.Scalar value && value.isNull();
    if (type == null || empty) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label(), "");
      return null;
    }
    return widen(type.bind(tree, at));
  }

  private static <S extends T, T> @Nullable Bound<T> widen(@Nullable Bound<S> bound) {
    return bound == null ? null : new Bound<>(bound.value(), bound.plain());
  }

  @Override
  public String label() {
    return types().map(Type::label).collect(Collectors.joining(" or "));
  }

  @Override
  public String range() {
    return types()
        .map(Type::range)
        .filter(range -> !range.isEmpty())
        .collect(Collectors.joining("; or "));
  }

  @Override
  public Map<String, Object> jsonSchema() {
    List<Object> choices = new ArrayList<>();
    types().forEach(type -> choices.add(type.jsonSchema()));
    return Map.of("anyOf", choices);
  }

  @Override
  public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
    types().forEach(type -> type.objects(path, visitor));
  }

  private Stream<Type<? extends T>> types() {
    List<Type<? extends T>> types = new ArrayList<>();
    addIfPresent(types, scalar);
    addIfPresent(types, list);
    addIfPresent(types, mapping);
    return types.stream();
  }

  private static <E> void addIfPresent(List<E> to, @Nullable E element) {
    if (element != null) {
      to.add(element);
    }
  }
}
