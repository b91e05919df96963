package org.calando.schema;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads YAML that a type describes. Stateless and thread safe. */
public final class Documents {
  private Documents() {}

  /**
   * Reads a text.
   *
   * @param text YAML
   * @param source name for messages
   * @param directory where files that it names are looked for
   * @param overrides each {@code path=value}, put over the text in order
   * @throws org.calando.core.BadRequestException listing all that is wrong
   */
  public static <T> Bound<T> read(
      Type<T> type, String text, String source, Path directory, List<String> overrides) {
    return read(type, text, source, directory, overrides, tree -> tree);
  }

  /**
   * As above.
   *
   * @param defaults what is put over the text beside the overrides
   */
  public static <T> Bound<T> read(
      Type<T> type,
      String text,
      String source,
      Path directory,
      List<String> overrides,
      UnaryOperator<Tree> defaults) {
    Problems problems = new Problems();
    Optional<Tree> tree = YamlTree.parse(text, source, problems);
    Bound<T> bound = null;
    if (tree.isPresent()) {
      Tree effective = defaults.apply(Overrides.apply(tree.get(), overrides, problems));
      bound = type.bind(effective, new Binding(problems, "", directory));
    }
    problems.throwIfAny();
    if (bound == null) {
      throw new IllegalStateException("neither a value nor a problem: " + source);
    }
    return bound;
  }
}
