package org.calando.local.grep;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class GrepSpecTest {
  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(() -> new GrepSpec("/calando", "[a", 0, 1, Duration.ZERO))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("'/calando' is no URI of a folder")
        .hasMessageContaining("'[a' is no regular expression")
        .hasMessageContaining("maps 0")
        .hasMessageContaining("heap of 1 MiB")
        .hasMessageContaining("deadline");
  }

  @Test
  void aPatternThatMatchesEverywhereIsRefused() {
    assertThatThrownBy(() -> GrepSpec.of("hdfs://127.0.0.1:9820/calando", "a*"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("empty text");
  }
}
