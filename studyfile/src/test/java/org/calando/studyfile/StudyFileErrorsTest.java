package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each bad/NAME.yaml is refused with exactly the lines of bad/NAME.errors. */
class StudyFileErrorsTest {
  private static final Path BAD = TestFiles.CONFIG.resolve("bad");

  static Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(BAD)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyErrorIsReportedAtItsPlace(String name) throws IOException {
    String text = Files.readString(BAD.resolve(name + ".yaml"));

    BadRequestException refused =
        catchThrowableOfType(
            BadRequestException.class, () -> StudyFile.parse(text, name + ".yaml", BAD, List.of()));

    assertThat(refused).isNotNull();
    assertThat(refused.getMessage().lines())
        .containsExactlyElementsOf(Files.readAllLines(BAD.resolve(name + ".errors")));
    assertThat(refused.exitCode()).isEqualTo(2);
  }
}
