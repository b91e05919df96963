package org.calando.core.layout;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Figures worked out independently of this project, by the corrected algorithms. */
final class Vectors {
  private Vectors() {}

  /** One of them: values by name. */
  record Vector(String line, Map<String, String> values) {
    double number(String name) {
      return Double.parseDouble(text(name));
    }

    int count(String name) {
      return Integer.parseInt(text(name));
    }

    boolean flag(String name) {
      return Boolean.parseBoolean(text(name));
    }

    String text(String name) {
      return Objects.requireNonNull(values.get(name), () -> line + ": no " + name);
    }

    @Override
    public String toString() {
      return line;
    }
  }

  /** Those of a kind; at least one. */
  static List<Vector> of(String kind) {
    List<Vector> found =
        text()
            .lines()
            .filter(line -> line.startsWith(kind + " "))
            .map(line -> new Vector(line, values(line)))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("no vectors of " + kind);
    }
    return found;
  }

  private static Map<String, String> values(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return values;
  }

  private static String text() {
    try (InputStream stream = Vectors.class.getResourceAsStream("vectors.txt")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
