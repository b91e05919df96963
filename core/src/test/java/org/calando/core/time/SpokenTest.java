package org.calando.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpokenTest {
  @Test
  void timesAreSaidAsPeopleSayThem() {
    assertThat(Spoken.of(Duration.ofMillis(-5))).isEqualTo("0 s");
    assertThat(Spoken.of(Duration.ofMillis(44_600))).isEqualTo("45 s");
    assertThat(Spoken.of(Duration.ofMillis(59_700))).isEqualTo("1 min 0 s");
    assertThat(Spoken.of(Duration.ofSeconds(200))).isEqualTo("3 min 20 s");
    assertThat(Spoken.of(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
  }
}
