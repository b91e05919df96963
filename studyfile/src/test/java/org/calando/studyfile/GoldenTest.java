package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How golden files are compared. */
class GoldenTest {
  @TempDir Path folder;

  @BeforeEach
  void files() throws Exception {
    Files.writeString(folder.resolve("a.csv"), "run,level\none-r1,ONE\n");
    Files.writeString(folder.resolve("b.csv"), "b\n");
  }

  @Test
  void theFirstDifferenceIsShownWithItsPlaceAndTheRemedy() {
    assertThatThrownBy(
            () ->
                Golden.check(
                    folder,
                    Map.of("a.csv", "run,level\none-r1,TWO\nmore\n", "b.csv", "b\n"),
                    false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a.csv differs first in line 2, character 8")
        .hasMessageContaining("golden: one-r1,ONE\\n")
        .hasMessageContaining("now:    one-r1,TWO\\n")
        .hasMessageContaining(Golden.RENEW);
    assertThat(Golden.difference("a\n", "a\nb\n")).contains("line 2", "golden: (end of the file)");
    assertThat(Golden.difference("a\n", "a")).contains("line 1", "golden: a\\n", "now:    a");
    assertThat(Golden.difference("x".repeat(900), "x".repeat(500) + "y"))
        .contains("character 501")
        .hasSizeLessThan(400);
  }

  @Test
  void aFileThatIsMissingOrTooManyIsNamed() {
    assertThatThrownBy(() -> Golden.check(folder, Map.of("c.csv", "c\n"), false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("c.csv is missing", "a.csv is of", "b.csv is of");
  }

  @Test
  void writingLeavesTheFilesThatAreAskedForAndNoOthers() throws Exception {
    Map<String, String> texts = Map.of("a.csv", "now\n", "new/c.csv", "c\n");
    Golden.check(folder, texts, true);
    assertThatCode(() -> Golden.check(folder, texts, false)).doesNotThrowAnyException();
    assertThat(Files.readString(folder.resolve("a.csv"))).isEqualTo("now\n");
    assertThat(folder.resolve("b.csv")).doesNotExist();
  }
}
