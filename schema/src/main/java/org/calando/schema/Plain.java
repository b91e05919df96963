package org.calando.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/** Builds mappings of canonical texts, whose keys keep their order. */
public final class Plain {
  private Plain() {}

  /** A mapping of names and values in turn. */
  public static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
