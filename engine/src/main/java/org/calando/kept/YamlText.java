package org.calando.kept;

import java.nio.file.Path;

/** What a study's file says to use a cluster; holds paths, no secrets. Not thread safe. */
public final class YamlText {
  private final StringBuilder yaml = new StringBuilder("store:\n");

  /** The cluster of an engine that an inventory lists. */
  public YamlText(String engine, Path inventory) {
    line("engine", engine).line("inventory", quote(inventory));
  }

  /** Adds a key with a value as YAML has it. */
  public YamlText line(String key, Object value) {
    yaml.append("  ").append(key).append(": ").append(value).append('\n');
    return this;
  }

  /** A path in double quotes, as YAML has them. */
  public static String quote(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Override
  public String toString() {
    return yaml.toString();
  }
}
