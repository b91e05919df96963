package org.calando.schema;

import java.nio.file.Path;

/**
 * Where the binding of a file stands.
 *
 * <p>Immutable but for the problems that it collects; not thread safe.
 *
 * @param problems told what is wrong
 * @param path path of the value that is being bound, empty at the root
 * @param directory where files named by the file are looked for
 */
public record Binding(Problems problems, String path, Path directory) {

  /** The value of a key. */
  public Binding key(String name) {
    return new Binding(problems, join(path, name), directory);
  }

  /** An item of a list. */
  public Binding index(int index) {
    return new Binding(problems, path + "[" + index + "]", directory);
  }

  /** Reports what is wrong with the value that is being bound. */
  public void error(Where where, String what, String remedy) {
    problems.add(where, path, what, remedy);
  }

  static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
