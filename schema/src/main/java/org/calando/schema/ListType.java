package org.calando.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A list of values of one type, none of which may occur twice if so wished.
 *
 * <p>Immutable and thread safe.
 */
public final class ListType<T> implements Type<List<T>> {
  private final Type<? extends T> item;
  private final int min;
  private final int max;
  private final boolean distinct;

  ListType(Type<? extends T> item, int min, int max, boolean distinct) {
    this.item = item;
    this.min = min;
    this.max = max;
    this.distinct = distinct;
  }

  @Override
  public @Nullable Bound<List<T>> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Sequence list)) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label(), "write [ ... ]");
      return null;
    }
    int before = at.problems().count();
    int size = list.items().size();
    if (size < min || size > max) {
      at.error(tree.where(), "has " + size + " items", "write " + items());
    }
    List<T> values = new ArrayList<>();
    List<Object> plain = new ArrayList<>();
    for (int i = 0; i < Math.min(size, max); i++) {
      Tree element = list.items().get(i);
      Bound<? extends T> bound = item.bind(element, at.index(i));
      if (bound == null) {
        continue;
      }
      if (distinct && values.contains(bound.value())) {
        at.index(i).error(element.where(), "occurs twice in the list", "remove one of them");
      }
      values.add(bound.value());
      plain.add(bound.plain());
    }
    return at.problems().count() > before
        ? null
        : new Bound<>(List.copyOf(values), List.copyOf(plain));
  }

  @Override
  public String label() {
    return "a list, each item " + item.label();
  }

  @Override
  public String range() {
    return item.range().isEmpty() ? items() : items() + "; " + item.range();
  }

  private String items() {
    return min == max ? min + " items" : min + " to " + max + " items";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "array");
    schema.put("items", item.jsonSchema());
    schema.put("minItems", min);
    schema.put("maxItems", max);
    if (distinct) {
      schema.put("uniqueItems", true);
    }
    return schema;
  }

  @Override
  public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
    item.objects(path + "[]", visitor);
  }
}
