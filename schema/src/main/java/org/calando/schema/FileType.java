package org.calando.schema;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file, relative to the file that names it, whose content is the value; the canonical
 * form is the content, so that it does not depend on the file.
 *
 * <p>Immutable and thread safe.
 */
record FileType<T>(String label, Content<T> content) implements Type<T> {

  /** Parts the remedy from the rest of a message. */
  private static final String REMEDY = "\n  remedy: ";

  /** Reads a file's text. */
  @FunctionalInterface
  interface Content<T> {
    @Nullable Bound<T> bind(String text, Path file, String name, Binding at);
  }

  /** A YAML file of its own, whose problems are reported with its own lines. */
  static <T> Content<T> yaml(Type<T> type) {
    return (text, file, name, at) -> {
      Optional<Tree> tree = YamlTree.parse(text, name, at.problems());
      Path parent = file.toAbsolutePath().getParent();
      Binding inside = new Binding(at.problems(), "", parent == null ? at.directory() : parent);
      return tree.isEmpty() ? null : type.bind(tree.get(), inside);
    };
  }

  /**
   * A text in a form of its own.
   *
   * @param reading of the text and the file's name; refuses by a BadRequestException
   * @param writer of the value's canonical form
   */
  static <T> Content<T> text(BiFunction<String, String, T> reading, Function<T, Object> writer) {
    return (text, file, name, at) -> {
      try {
        T value = reading.apply(text, name);
        return new Bound<>(value, writer.apply(value));
      } catch (BadRequestException e) {
        // The message of a refusal is place: what, and on a line of its own the remedy.
        String[] parts = Objects.requireNonNullElse(e.getMessage(), name).split(REMEDY, 2);
        String[] words = parts[0].split(": ", 2);
        at.problems()
            .add(
                Where.argument(words[0]),
                "",
                words[words.length - 1],
                parts.length > 1 ? parts[1] : "");
        return null;
      }
    };
  }

  static <T> Content<T> properties(BiFunction<String, Map<String, String>, T> mapping) {
    return (text, file, name, at) -> {
      Properties properties = new Properties();
      try {
        properties.load(new StringReader(text));
      } catch (IOException | IllegalArgumentException e) {
        at.problems().add(Where.argument(name), "", "is not a properties file", "");
        return null;
      }
      Map<String, String> sorted = new TreeMap<>();
      properties.stringPropertyNames().forEach(key -> sorted.put(key, properties.getProperty(key)));
      T value =
          mapping.apply(String.valueOf(file.getFileName()), Collections.unmodifiableMap(sorted));
      return new Bound<>(value, sorted);
    };
  }

  @Override
  public @Nullable Bound<T> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Scalar scalar) || scalar.isNull()) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label, "write a path");
      return null;
    }
    try {
      Path file = at.directory().resolve(scalar.text());
      return content.bind(TextFiles.read(file), file, scalar.text(), at);
    } catch (Refusal refusal) {
      at.error(tree.where(), scalar.shape() + " " + refusal.what(), refusal.remedy());
      return null;
    }
  }

  @Override
  public String range() {
    return "a path relative to this file";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Map.of("type", "string");
  }
}
