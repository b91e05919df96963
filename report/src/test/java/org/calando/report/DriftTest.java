package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriftTest {
  @Test
  void aFirstBlockThatIsDearerForAllAlikeIsAWarningInReportAndTerminal() {
    SampleStudy study = SampleStudy.demo(3);
    cold(study, 1, 2);
    assertThat(drift(study))
        .hasSize(4)
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith(
                        "Blocks drift: in closed loops, joules per operation of block 1 were ")
                    .contains("times those of block ")
                    .endsWith("over 3 configurations."))
        .anySatisfy(text -> assertThat(text).contains("operations per second of block"))
        .anySatisfy(text -> assertThat(text).contains("workload.warm-up"));
    Results results = results(study);
    assertThat(Answer.of(results, Comparison.all(results))).containsAll(drift(study));
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .contains("WARNING: Blocks drift");
  }

  @Test
  void joulesOfOpenLoopsDoNotHideADriftOfClosedOnes() {
    SampleStudy study = SampleStudy.demo(3);
    study.rows().stream()
        .filter(row -> row.get("repeat").equals("1") && row.get("rate").isEmpty())
        .forEach(
            row ->
                row.put(
                    "joules_per_kop", "" + 2.4 * Double.parseDouble(row.get("joules_per_kop"))));
    assertThat(drift(study))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("Blocks drift: in closed loops, joules per operation of block 1 were ");
  }

  @Test
  void blocksThatDifferByChanceOrByOneConfigurationDoNotDrift() {
    assertThat(drift(SampleStudy.demo(5))).isEmpty();
    SampleStudy study = SampleStudy.demo(3);
    study.rows().stream()
        .filter(row -> row.get("repeat").equals("1") && row.get("consistency").equals("ONE"))
        .forEach(row -> row.put("joules_per_kop", "9999"));
    assertThat(drift(study)).isEmpty();
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .doesNotContain("WARNING");
  }

  @Test
  void oneConfigurationMustDifferByMore() {
    for (double factor : List.of(1.15, 2.4)) {
      SampleStudy study = new SampleStudy(1);
      for (int repeat = 1; repeat <= 3; repeat++) {
        study
            .run("ONE", "", "400/s", repeat)
            .put("joules_per_kop", repeat == 1 ? "" + 500 * factor : "500");
      }
      assertThat(drift(study).isEmpty()).as("times %s", factor).isEqualTo(factor < 2);
    }
  }

  @Test
  void simulatedBlocksHaveNoMachineThatDrifts() {
    SampleStudy study = SampleStudy.demo(3);
    cold(study, 1, 2);
    study.rows().forEach(row -> row.put("provenance", "simulated"));
    assertThat(drift(study)).isEmpty();
  }

  @Test
  void runsThatAreDearerAfterAResumeInsideOfABlockAreAWarning() {
    // 12 runs, resumed after 5: in one configuration both runs came later.
    SampleStudy study = SampleStudy.demo(2);
    double[] factors = {1.9, 2.4, 3.4, 2.0, 1.1};
    for (int i = 0; i < study.rows().size(); i++) {
      Map<String, String> row = study.rows().get(i);
      row.put("resumes", i < 5 ? "0" : "1");
      row.put("rate", "");
      row.put("threads", "" + (4 + i % 6));
      if (i > 5) {
        double dearer = factors[Math.min(i - 6, 4)];
        row.put("joules_per_kop", "" + 500 * dearer);
      } else {
        row.put("joules_per_kop", "500");
      }
    }
    assertThat(drift(study))
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("A resume drifts: in closed loops, joules per operation after")
                    .contains("resume 1 were 2.")
                    .endsWith("over 5 configurations."))
        .anySatisfy(text -> assertThat(text).contains("before and after a resume"));
    study.rows().forEach(row -> row.put("resumes", ""));
    assertThat(drift(study)).noneMatch(text -> text.startsWith("A resume"));
  }

  @Test
  void aResumeThatChangesNothingIsNoDrift() {
    SampleStudy study = SampleStudy.demo(4);
    for (int i = 0; i < study.rows().size(); i++) {
      study.rows().get(i).put("resumes", i < 9 ? "0" : "1");
    }
    assertThat(drift(study)).isEmpty();
  }

  @Test
  void oneBlockOrNoneTellsNothing() {
    assertThat(drift(SampleStudy.demo(1))).isEmpty();
    assertThat(drift(new SampleStudy(1))).isEmpty();
  }

  private static void cold(SampleStudy study, int repeat, double factor) {
    for (Map<String, String> row : study.rows()) {
      if (row.get("repeat").equals("" + repeat)) {
        row.put("joules_per_kop", "" + Double.parseDouble(row.get("joules_per_kop")) * factor);
        row.put("throughput_ops_s", "" + Double.parseDouble(row.get("throughput_ops_s")) / factor);
      }
    }
  }

  private static List<String> drift(SampleStudy study) {
    return Drift.of(results(study));
  }

  private static Results results(SampleStudy study) {
    return Results.of(study.rows().stream().map(RunRow::new).toList());
  }
}
