package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class PromiseOptionsTest {
  @Test
  void wordsHaveDefaults() {
    PromiseOptions options = PromiseOptions.parse(List.of());
    assertThat(options.what()).isEqualTo("cells");
    assertThat(options.pattern().matcher("any").find()).isTrue();
    assertThat(options.seconds()).isEqualTo(45);
    assertThat(options.atOnce()).isEqualTo(1);
    PromiseOptions steps =
        PromiseOptions.parse(List.of("steps", "--cells", "^kill", "--seed", "7", "--resume", "f"));
    assertThat(steps.what()).isEqualTo("steps");
    assertThat(steps.pattern().matcher("a kill").find()).isFalse();
    assertThat(steps.seed()).isEqualTo(7);
    assertThat(steps.folder()).isEqualTo(Path.of("f"));
  }

  @Test
  void wrongWordsAreRefused() {
    for (List<String> words :
        List.of(
            List.of("--what", "1"),
            List.of("--seconds"),
            List.of("--seconds", "0"),
            List.of("--cells", "("))) {
      assertThatThrownBy(() -> PromiseOptions.parse(words)).isInstanceOf(BadRequestException.class);
    }
  }

  @Test
  void tablesAreMadeOfRows() {
    Map<String, String> row =
        Map.of("cell", "a", "verdict", "kept", "stale_rate", "0.012", "touched", "3");
    assertThat(CellTable.row(row))
        .hasSameSizeAs(CellTable.HEADER)
        .startsWith("a", "kept; 3 reads touched")
        .contains("1.20 [NaN, NaN]");
    Map<String, String> one = Map.of("server_requests_s", "50", "own_requests_s", "100");
    Map<String, String> ten = Map.of("server_requests_s", "75", "own_requests_s", "100");
    assertThat(InstancesRun.cells(one, ten))
        .hasSameSizeAs(InstancesRun.TABLE)
        .containsSubsequence("75", "1.50", "100", "1.00");
    assertThat(StepRow.cells(Map.of("step", "a", "met", "true"))).hasSameSizeAs(StepRow.TABLE);
  }
}
