package org.calando.control.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
  private static final Noted NOTED =
      new Noted("n2", List.of(10_800_000L, 7L), Optional.empty(), 0.25, true);
  private static final StateFile<Noted> FILE =
      new StateFile<>(
          new Noted("", List.of(), Optional.empty(), 0, false), "state of nodes", "restore it");

  @TempDir Path folder;

  private Path file;

  private record Noted(
      String node, List<Long> windowMillis, Optional<String> left, double share, boolean off) {}

  @BeforeEach
  void write() {
    file = folder.resolve("state.json");
    FILE.write(NOTED, file);
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    assertThat(FILE.read(file)).isEqualTo(NOTED);
    // As a formatter of JSON would leave it.
    Files.writeString(file, Files.readString(file).replace(" ", "").replace("\n", ""));
    assertThat(FILE.read(file)).isEqualTo(NOTED);
    assertThat(FILE.read(folder.resolve("none.json")).windowMillis()).isEmpty();
  }

  @Test
  void aChangedDigitOfAnyFigureIsRefused() throws IOException {
    String whole = Files.readString(file);
    int digits = 0;
    for (int i = whole.indexOf("node"); i < whole.length(); i++) {
      char c = whole.charAt(i);
      if (Character.isDigit(c)) {
        digits++;
        char other = c == '9' ? '8' : (char) (c + 1);
        Files.writeString(file, whole.substring(0, i) + other + whole.substring(i + 1));
        assertThatThrownBy(() -> FILE.read(file))
            .as("digit %d", i)
            .isInstanceOf(BadRequestException.class)
            .hasMessageContaining("was changed since it was written")
            .hasMessageContaining(file.toString())
            .hasMessageContaining("restore it");
      }
    }
    assertThat(digits).isGreaterThan(12);
  }

  @Test
  void whatLacksAPartIsRefused() throws IOException {
    String whole = Files.readString(file);
    for (String line : whole.lines().filter(each -> each.contains("\"")).toList()) {
      String rest = whole.replace(line + "\n", "").replaceFirst(",(\\s*})", "$1");
      Files.writeString(file, rest);
      assertThatThrownBy(() -> FILE.read(file))
          .as("without %s", line)
          .isInstanceOfAny(BadRequestException.class, FailedWorkException.class)
          .hasMessageContaining(file.toString());
    }
  }
}
