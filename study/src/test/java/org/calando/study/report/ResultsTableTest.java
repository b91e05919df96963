package org.calando.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTableTest {
  @Test
  void fitsEightyColumnsWithLongLabelsLargeFiguresAndFailures() {
    SampleStudy study = SampleStudy.demo(3);
    study.run("a policy with a very long name indeed", "1024", "", 1);
    study.run("ONE", "", "1234567/s", 1).put("joules_per_kop", "123456789.123");
    SampleStudy.fail(study.run("ALL", "64", "", 1), "word ".repeat(60) + "x".repeat(200));
    String text = ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8);
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    assertThat(text).contains("QUORUM").contains("modelled").contains("FAIL").contains("\u00B1");
  }

  @Test
  void asciiTerminalsGetAscii() {
    String text = ResultsTable.of(SampleStudy.demo(2).rows()).render(StandardCharsets.US_ASCII);
    assertThat(text)
        .isEqualTo(new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII));
    assertThat(text).contains("+-").doesNotContain("?");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
  }

  @Test
  void noRunsAreNoError() {
    assertThat(ResultsTable.of(List.of()).render(StandardCharsets.UTF_8)).contains("no runs");
  }

  @Test
  void aStudysTextCannotSteerTheTerminal() {
    SampleStudy study = new SampleStudy(1);
    SampleStudy.fail(study.run("ONE", "4", "", 1), "\u001B[2Jgone");
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .doesNotContain("\u001B");
  }
}
