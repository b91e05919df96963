package org.calando.schema;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A key of a mapping: its name, type, default and description.
 *
 * <p>Immutable and thread safe.
 *
 * @param name the key
 * @param type what it takes
 * @param doc what it means, in a sentence or two
 * @param example a value in YAML
 * @param required whether it must be given
 * @param defaultText its default in YAML
 * @param defaultIfGiven the default holds only where this key is given too; empty for always
 */
public record Key<T>(
    String name,
    Type<T> type,
    String doc,
    String example,
    boolean required,
    Optional<String> defaultText,
    String defaultIfGiven) {

  /** An optional key without a default. */
  public static <T> Key<T> of(String name, Type<T> type, String doc) {
    return new Key<>(name, type, doc, "", false, Optional.empty(), "");
  }

  /** The same key with an example in YAML. */
  public Key<T> example(String yaml) {
    return new Key<>(name, type, doc, yaml, required, defaultText, defaultIfGiven);
  }

  /** The same key, which must be given. */
  public Key<T> mandatory() {
    return new Key<>(name, type, doc, example, true, defaultText, defaultIfGiven);
  }

  /** The same key with a default, written in YAML. */
  public Key<T> byDefault(String yaml) {
    return new Key<>(name, type, doc, example, false, Optional.of(yaml), "");
  }

  /** The same key with a default that holds only where another key is given. */
  public Key<T> byDefaultWith(String otherKey, String yaml) {
    return new Key<>(name, type, doc, example, false, Optional.of(yaml), otherKey);
  }

  /** The value where the file gives none; empty without a default. */
  public Optional<T> defaultValue() {
    return defaultText.map(text -> bindDefault(text).value());
  }

  /** The default's value. */
  Bound<T> bindDefault(String yaml) {
    Problems problems = new Problems();
    Binding at = new Binding(problems, name, Path.of(""));
    Optional<Tree> tree = YamlTree.parse(yaml, "default", problems);
    Bound<T> bound = tree.isEmpty() ? null : type.bind(tree.get(), at);
    if (bound == null) {
      throw new IllegalStateException("default of " + name + ": " + problems.lines());
    }
    return bound;
  }
}
