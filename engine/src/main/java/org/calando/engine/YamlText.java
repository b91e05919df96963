package org.calando.engine;

import java.nio.file.Path;

/** Pieces of files that engines write for users. Stateless. */
public final class YamlText {
  private YamlText() {}

  /** A path in double quotes, as YAML has them. */
  public static String quote(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
