package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.calando.report.ResultsTable;
import org.calando.report.SampleStudy;
import org.calando.report.StudyText;
import org.junit.jupiter.api.Test;

class FallbackWarningTest {
  @Test
  void theWarmUpThatIsMissingIsNamed() {
    assertThat(warning("monitor: {period: 500ms, window: 10s}"))
        .endsWith("give workload.warm-up 23s.");
    assertThat(warning("workload: {warm-up: 20s}")).endsWith("give workload.warm-up more time.");
  }

  @Test
  void theTableForTerminalsHasIt() {
    assertThat(ResultsTable.of(sample().rows()).render(StandardCharsets.UTF_8))
        .containsPattern("WARNING: ONE was at its fallback for 50 % of its\\s+decisions");
    assertThat(ResultsTable.of(SampleStudy.demo(2).rows()).render(StandardCharsets.UTF_8))
        .doesNotContain("fallback");
  }

  private static String warning(String yaml) {
    return new FallbackWarning().of(sample().results(), StudyText.of(yaml)).get(0);
  }

  private static SampleStudy sample() {
    SampleStudy sample = SampleStudy.demo(2);
    sample.rows().forEach(row -> row.put("fallback_share", "0.5"));
    return sample;
  }
}
