package org.calando.studyfile;

import java.nio.file.Path;

/** Where the tests' files are. */
final class TestFiles {
  /** The module's folder. */
  static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  static final Path CONFIG = MODULE.resolve("src/test/resources/config");

  private TestFiles() {}
}
