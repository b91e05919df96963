package org.calando.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstErrorsTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final FirstErrors errors =
      new FirstErrors(new PrintStream(bytes, true, StandardCharsets.UTF_8));

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aCauseIsPrintedOnce() {
    for (int i = 0; i < 100; i++) {
      errors.note("read", new IllegalStateException("no node\n  answers"));
    }
    assertThat(lines())
        .containsExactly("calando: read failed: IllegalStateException: no node answers");
  }

  @Test
  void causesAreFewAndShort() {
    for (int i = 0; i < 100; i++) {
      errors.note("insert", new IllegalStateException(i + " " + "x".repeat(10_000)));
    }
    assertThat(lines()).hasSize(6).allMatch(line -> line.length() < 600);
    assertThat(lines().get(5)).contains("further causes are not printed");
  }

  @Test
  void aCauseWithoutAMessageIsNamed() {
    errors.note("scan", new IllegalStateException());
    assertThat(lines()).singleElement().asString().contains("scan failed: IllegalStateException");
  }
}
