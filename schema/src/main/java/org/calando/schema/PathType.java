package org.calando.schema;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file that is read later, relative to the file that names it; the canonical form is
 * the name as written.
 *
 * <p>Immutable and thread safe.
 */
record PathType(String label) implements Type<Path> {
  private static final int MAX_LENGTH = 1000;

  @Override
  public @Nullable Bound<Path> bind(Tree tree, Binding at) {
    if (tree instanceof Tree.Scalar scalar && !scalar.isNull()) {
      String text = scalar.text();
      if (!text.isEmpty() && text.length() <= MAX_LENGTH && text.chars().noneMatch(c -> c < ' ')) {
        try {
          return new Bound<>(at.directory().resolve(text), text);
        } catch (InvalidPathException e) {
          // Told below.
        }
      }
    }
    at.error(tree.where(), "is " + tree.shape() + ", not " + label, "write a path");
    return null;
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
