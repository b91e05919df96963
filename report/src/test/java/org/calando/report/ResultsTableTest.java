package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTableTest {
  @Test
  void netBelowZeroIsExplained() {
    SampleStudy study = SampleStudy.demo(2);
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .doesNotContain("below 0");
    study.rows().forEach(row -> row.put("energy_net_j", "-12"));
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
        .contains(Results.WHY_NET_IS_NEGATIVE);
  }

  @Test
  void labelsOfATableDiffer() {
    SampleStudy study = new SampleStudy(1);
    for (String clock : List.of("all-low-power", "all-base-clock", "all-base-turbo")) {
      study.run("ONE", "4", "", 1).put("clock", clock);
    }
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .contains("all-low-power ", "\u2026l-base-clock ", "All rows: ONE, clock.");
  }

  @Test
  void aKnobsShortLabelIsNotTakenWhereRowsWouldBeCalledAlike() {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1);
    study.run("TWO", "4", "", 1);
    List<Configuration> all =
        Results.of(study.rows().stream().map(RunRow::new).toList()).configurations();
    Function<Configuration, String> alike = c -> "alike";
    Function<Configuration, String> apart = c -> c.label() + "!";
    assertThat(all.stream().map(ResultsTable.label(all, List.of(alike)))).contains("ONE", "TWO");
    assertThat(all.stream().map(ResultsTable.label(all, List.of(alike, apart))))
        .contains("ONE!", "TWO!");
  }

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
  void figuresThatAreTooWideAreShortenedAndNeverCut() {
    SampleStudy study = new SampleStudy(1);
    for (int repeat = 1; repeat <= 2; repeat++) {
      Map<String, String> row = study.run("ONE", "1024", "", repeat);
      row.put("operations", "1000000");
      row.put("errors", "0");
      row.put("joules_per_kop", repeat == 1 ? "1018.05" : "1018.11");
      row.put("energy_j", repeat == 1 ? "1018050" : "1018110");
      row.put("energy_net_j", "123456789");
      row.put("power_mean_w", "15000");
      row.put("throughput_ops_s", "12345678");
    }
    assertThat(ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8))
        .contains("1018.1 \u00B1 0.4", " 123k ", "15.0k", "12.3M", "1024 thr")
        .doesNotContain("\u2026");
  }

  @Test
  void thePercentileIsTheMiddleRunsAndTheNoteSaysSo() {
    SampleStudy study = new SampleStudy(1);
    for (int repeat = 1; repeat <= 4; repeat++) {
      study.run("ONE", "4", "", repeat).put("read_p99_us", repeat + "000");
    }
    String text = ResultsTable.of(study.rows()).render(StandardCharsets.UTF_8);
    assertThat(text.replaceAll("\\s+", " ")).contains(" 3.00 ", "upper middle one's");
  }

  @Test
  void theNoteNamesTheProfileThatJoulesAreModelledWith(@TempDir Path folder) throws IOException {
    Path study = SampleStudy.demo(1).write(folder.resolve("study"));
    Path file = study.resolve("environment.json");
    String text = Files.readString(file);
    Files.writeString(file, text.replace("idleWatts", "idle_w").replace("busyWatts", "busy_w"));
    assertThat(ResultsTable.read(study).render(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
        .contains("modelled by meter model (profile xeon-x3440: 75 W idle, 150 W busy), gross;");
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
