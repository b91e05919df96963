package org.calando.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Figures worked out independently of this project, in {@code vectors.txt} of a package. */
public final class Vectors {
  private Vectors() {}

  /** One of them: values by name. */
  public record Vector(String line, Map<String, String> values) {
    public double number(String name) {
      return Double.parseDouble(text(name));
    }

    public int count(String name) {
      return Integer.parseInt(text(name));
    }

    public boolean flag(String name) {
      return Boolean.parseBoolean(text(name));
    }

    public String text(String name) {
      return Objects.requireNonNull(values.get(name), () -> line + ": no " + name);
    }

    @Override
    public String toString() {
      return line;
    }
  }

  /**
   * Those of a kind; at least one.
   *
   * @param test in whose package they are
   */
  public static List<Vector> of(Class<?> test, String kind) {
    List<Vector> found =
        text(test)
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

  private static String text(Class<?> test) {
    try (InputStream stream = test.getResourceAsStream("vectors.txt")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
