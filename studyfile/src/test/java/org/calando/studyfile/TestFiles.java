package org.calando.studyfile;

import java.nio.file.Path;
import java.util.List;
import org.calando.knob.Axis;
import org.calando.knob.Point;

/** Where the tests' files are. */
final class TestFiles {
  /** The module's folder. */
  static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  static final Path CONFIG = MODULE.resolve("src/test/resources/config");

  private TestFiles() {}

  /** What results call the levels of a matrix. */
  static List<String> levels(MatrixSpec matrix) {
    return matrix.points().stream().map(TestFiles::levels).distinct().toList();
  }

  /** What results call the levels of a configuration. */
  static String levels(Point point) {
    return point.axes().stream()
        .filter(axis -> axis.name().equals("consistency"))
        .map(axis -> point.say(axis, Axis::label))
        .findFirst()
        .orElseThrow();
  }
}
