package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;

class RateStepsTest {
  private static List<RateSteps.Change> changes(String load) {
    String yaml =
        "study: steps\n"
            + "store: {engine: cassandra, local: {nodes: 3, rf: 3}}\n"
            + "workload: {preset: heavy-update, records: 10, duration: 10s}\n"
            + "matrix: {consistency: [ONE], "
            + load
            + "}\n";
    return RateSteps.of(
        RunPlan.of(StudyFile.parse(yaml, "steps.yaml", Path.of(""), List.of())).get(0));
  }

  @Test
  void eachStepButTheFirstIsAChange() {
    assertThat(
            changes(
                "rate: [{steps: [{rate: 200/s, for: 20s}, {rate: 500/s, for: 10s},"
                    + " {rate: 200/s, for: 1s}]}]"))
        .containsExactly(
            new RateSteps.Change(20_000_000_000L, "rate 200/s -> 500/s"),
            new RateSteps.Change(30_000_000_000L, "rate 500/s -> 200/s"));
  }

  @Test
  void otherLoadsDoNotChange() {
    assertThat(changes("rate: [200/s]")).isEmpty();
    assertThat(changes("threads: [2]")).isEmpty();
  }
}
