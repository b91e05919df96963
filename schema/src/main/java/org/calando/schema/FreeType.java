package org.calando.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A mapping whose values are passed on as they are written: texts, numbers, booleans, lists and
 * mappings.
 *
 * <p>Immutable and thread safe.
 */
final class FreeType implements Type<Map<String, Object>> {
  static final Type<Map<String, Object>> MAPPING = new FreeType();

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+(?=[eE]))([eE][+-]?\\d{1,3})?");

  private FreeType() {}

  @Override
  public @Nullable Bound<Map<String, Object>> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Mapping mapping)) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label(), "write keys and values");
      return null;
    }
    int before = at.problems().count();
    Map<String, Object> plain = plain(mapping, at);
    return at.problems().count() > before ? null : new Bound<>(plain, plain);
  }

  private static Map<String, Object> plain(Tree.Mapping mapping, Binding at) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Tree.Entry entry : mapping.entries()) {
      map.put(entry.name(), plain(entry.value(), at.key(entry.name())));
    }
    return Collections.unmodifiableMap(map);
  }

  private static Object plain(Tree tree, Binding at) {
    if (tree instanceof Tree.Mapping mapping) {
      return plain(mapping, at);
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
    return "a mapping";
  }

  @Override
  public String range() {
    return "";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Map.of("type", "object");
  }
}
