package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.report.column.Column;
import org.calando.report.column.ResultColumns;
import org.junit.jupiter.api.Test;

/** A column of results.csv is named where it is declared; all others use its constant. */
class ColumnNamesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  /**
   * Names in other main code, of which most are those of columns of other files and of tables. It
   * may only shrink.
   */
  private static final int MOST = 138;

  private static final Pattern LITERAL = Pattern.compile("\"([a-z0-9]+(?:_[a-z0-9]+)+)\"");

  @Test
  void namesAreLiteralsInTheirDeclarationsOnly() throws IOException {
    // Names of one word are those of keys, fields and much else too.
    Set<String> names =
        ResultColumns.ALL.stream().map(Column::name).collect(Collectors.toUnmodifiableSet());
    List<String> elsewhere = new ArrayList<>();
    for (Path file : sources()) {
      LITERAL
          .matcher(Files.readString(file))
          .results()
          .map(found -> found.group(1))
          .filter(names::contains)
          .forEach(name -> elsewhere.add(ROOT.relativize(file) + ": " + name));
    }
    assertThat(elsewhere)
        .as("use the constants of report.column; lower the number when there are fewer")
        .hasSizeLessThanOrEqualTo(MOST);
  }

  private static List<Path> sources() throws IOException {
    Path declarations = ROOT.resolve("report/src/main/java/org/calando/report/column");
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .filter(file -> !file.startsWith(declarations))
          .toList();
    }
  }
}
