package org.calando.schema;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes plain values as YAML in one way only, so that equal values give equal texts whatever the
 * version of a library.
 */
public final class CanonicalYaml {
  private static final Pattern BARE = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9_./%-]*");
  private static final Pattern NUMBER_LIKE =
      Pattern.compile("0[xXoO].*|[0-9]+[.]?[0-9]*([eE][+-]?[0-9]+)?|[0-9.]+");
  private static final Pattern RESERVED =
      Pattern.compile("true|false|null|yes|no|on|off|y|n", Pattern.CASE_INSENSITIVE);

  private CanonicalYaml() {}

  /** The text of a mapping: maps in blocks, lists of single values in one line. */
  public static String write(Map<?, ?> root) {
    StringBuilder text = new StringBuilder();
    mapping(root, "", text);
    return text.toString();
  }

  private static void mapping(Map<?, ?> map, String indent, StringBuilder text) {
    map.forEach(
        (key, value) -> {
          text.append(indent).append(scalar(String.valueOf(key))).append(':');
          value(value, indent, text);
        });
  }

  private static void value(Object value, String indent, StringBuilder text) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      text.append('\n');
      mapping(map, indent + "  ", text);
    } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
      text.append('\n');
      for (Object item : list) {
        text.append(indent).append("  - ").append(flow(item)).append('\n');
      }
    } else {
      text.append(' ').append(flow(value)).append('\n');
    }
  }

  private static String flow(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> scalar(String.valueOf(entry.getKey())) + ": " + flow(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(CanonicalYaml::flow).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Double number) {
      return Units.formatNumber(number);
    }
    return value instanceof String string ? scalar(string) : String.valueOf(value);
  }

  private static String scalar(String text) {
    boolean bare =
        BARE.matcher(text).matches()
            && !NUMBER_LIKE.matcher(text).matches()
            && !RESERVED.matcher(text).matches();
    if (bare) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
