package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FirstErrorsTest {
  private enum Kind {
    READ,
    WRITE,
    SCAN
  }

  private final FirstErrors errors = new FirstErrors();

  @Test
  void onlyTheFirstOfASortIsKeptInItsOwnWords() {
    errors.note(Kind.READ, Outcome.FAILED, new CompletionException(new IllegalStateException("a")));
    errors.note(Kind.READ, Outcome.FAILED, new IllegalStateException("b"));
    errors.note(Kind.WRITE, Outcome.REFUSED, new IllegalStateException("c"));
    assertThat(errors.texts())
        .containsExactlyInAnyOrder(
            "first read that was failed: IllegalStateException: a",
            "first write that was refused: IllegalStateException: c");
  }

  @Test
  void aLongMessageIsCut() {
    errors.note(Kind.SCAN, Outcome.FAILED, new IllegalStateException("x".repeat(10_000)));
    assertThat(errors.texts()).singleElement().asString().hasSizeLessThan(300).endsWith("...");
  }
}
