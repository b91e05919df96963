package org.calando.study.config.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values that are passed on as they are written: texts, numbers, booleans, lists and mappings.
 *
 * <p>Immutable and thread safe.
 */
final class FreeType<T> implements Type<T> {
  static final Type<Object> ANYTHING = new FreeType<>("anything", false, value -> value);

  @SuppressWarnings("unchecked") // plain() turns mappings into maps with text keys.
  static final Type<Map<String, Object>> MAPPING =
      new FreeType<>("a mapping", true, value -> (Map<String, Object>) value);

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+(?=[eE]))([eE][+-]?\\d{1,3})?");

  private final String label;
  private final boolean mappingOnly;
  private final Function<Object, T> cast;

  private FreeType(String label, boolean mappingOnly, Function<Object, T> cast) {
    this.label = label;
    this.mappingOnly = mappingOnly;
    this.cast = cast;
  }

  @Override
  public @Nullable Bound<T> bind(Tree tree, Binding at) {
    if (mappingOnly && !(tree instanceof Tree.Mapping)) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label, "write keys and values");
      return null;
    }
    int before = at.problems().count();
    Object plain = plain(tree, at);
    return at.problems().count() > before ? null : new Bound<>(cast.apply(plain), plain);
  }

  private static Object plain(Tree tree, Binding at) {
    if (tree instanceof Tree.Mapping mapping) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (Tree.Entry entry : mapping.entries()) {
        map.put(entry.name(), plain(entry.value(), at.key(entry.name())));
      }
      return Collections.unmodifiableMap(map);
    }
    if (tree instanceof Tree.Sequence list) {
      List<Object> items = new ArrayList<>();
      for (Tree item : list.items()) {
        items.add(plain(item, at.index(items.size())));
      }
      return Collections.unmodifiableList(items);
    }
    return scalar((Tree.Scalar) tree, at);
  }

  private static Object scalar(Tree.Scalar scalar, Binding at) {
    String text = scalar.text();
    if (scalar.isNull()) {
      at.error(scalar.where(), "is empty", "write a value or remove the key");
      return "";
    }
    if (scalar.quoted()) {
      return text;
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (INTEGER.matcher(text).matches()) {
      return Long.valueOf(text);
    }
    return FLOAT.matcher(text).matches() ? Double.valueOf(text) : text;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String range() {
    return "";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return mappingOnly ? Map.of("type", "object") : Map.of();
  }
}
