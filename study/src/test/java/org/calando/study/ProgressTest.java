package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

  @Test
  void withoutATerminalThereAreLinesAndNoControlCharacters() {
    try (Progress progress = progress(false)) {
      progress.line("Starting 3 Cassandra nodes ...");
      progress.status("[1/9] loading");
      progress.status("[1/9] 100 operations");
      progress.line("[1/9] done");
    }
    assertThat(text().lines()).containsExactly("Starting 3 Cassandra nodes ...", "[1/9] done");
    assertThat(text().replace(System.lineSeparator(), "").chars())
        .noneMatch(c -> Character.isISOControl(c));
  }

  @Test
  void aStatusStaysWithinTheTerminalsWidth() {
    progress(true).status("x".repeat(200));
    assertThat(text()).isEqualTo("\r" + "x".repeat(79));
  }

  @Test
  void aShorterStatusLeavesNothingOfALongerOne() {
    Progress progress = progress(true);
    progress.status("12345678");
    progress.status("abc");
    assertThat(screen()).isEqualTo("abc     ");
    progress.status("12345");
    assertThat(screen()).startsWith("12345").hasSize(8);
  }

  @Test
  void aLineAndTheEndWipeTheStatusAway() {
    Progress progress = progress(true);
    progress.status("12345678");
    progress.line("done");
    assertThat(text()).endsWith("\r        \rdone" + System.lineSeparator());
    progress.status("123");
    progress.close();
    assertThat(text()).endsWith("\r123\r   \r");
  }

  @Test
  void theTimeLeftIsWhatRunsTookForThoseThatAreLeft() {
    assertThat(RunSeries.timeLeft(90_000_000_000L, 2, 3)).isEqualTo(" (about 2 min 15 s left)");
    assertThat(RunSeries.timeLeft(90_000_000_000L, 2, 0)).isEmpty();
  }

  private Progress progress(boolean terminal) {
    return new Progress(new PrintStream(told, true, StandardCharsets.UTF_8), terminal, 80);
  }

  private String text() {
    return told.toString(StandardCharsets.UTF_8);
  }

  /** What is in the terminal's last line. */
  private String screen() {
    StringBuilder line = new StringBuilder();
    int column = 0;
    for (char c : text().toCharArray()) {
      if (c == '\r') {
        column = 0;
      } else {
        line.replace(column, Math.min(line.length(), column + 1), String.valueOf(c));
        column++;
      }
    }
    return line.toString();
  }
}
