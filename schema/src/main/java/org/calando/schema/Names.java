package org.calando.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names of values in the order in which messages and the reference page list them. */
public final class Names {
  private Names() {}

  public static <T> Map<String, T> inOrder(
      String first, T firstValue, String second, T secondValue) {
    Map<String, T> names = new LinkedHashMap<>();
    names.put(first, firstValue);
    names.put(second, secondValue);
    return Collections.unmodifiableMap(names);
  }

  public static <T> Map<String, T> inOrder(
      String first, T firstValue, String second, T secondValue, String third, T thirdValue) {
    Map<String, T> names = new LinkedHashMap<>(inOrder(first, firstValue, second, secondValue));
    names.put(third, thirdValue);
    return Collections.unmodifiableMap(names);
  }

  public static <E extends Enum<E>> Map<String, E> of(E[] values) {
    Map<String, E> names = new LinkedHashMap<>();
    for (E value : values) {
      names.put(value.name(), value);
    }
    return Collections.unmodifiableMap(names);
  }
}
