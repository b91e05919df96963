package org.calando.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.report.SampleStudy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportWriterTest {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&|";

  @TempDir Path folder;

  @Test
  void pageHasEveryPartAndLeavesNoOtherFile() throws IOException {
    String page = page(SampleStudy.demo(3).write(folder));
    for (String id :
        List.of(
            "results",
            "charts",
            "tradeoff",
            "details",
            "provenance",
            "summary",
            "figures",
            "comparisons",
            "nodes",
            "balance",
            "runs",
            "chart-energy",
            "chart-throughput",
            "chart-stale",
            "chart-tradeoff-closed",
            "chart-tradeoff-open")) {
      assertThat(page).containsOnlyOnce(" id=\"" + id + "\"");
    }
    assertThat(page)
        .contains("xeon-x3440", "./calando demo", "10 ms of CPU time", "invented for tests");
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "results.csv", "study.yaml", "environment.json", "runs", "report.html");
    }
  }

  @Test
  void pageLoadsNothing() throws IOException {
    String page = markup(page(SampleStudy.demo(2).write(folder)));
    assertThat(page).contains("default-src &#39;none&#39;");
    assertThat(page).doesNotContainPattern("(?i)<(link|iframe|img|object|embed|base|form)\\b");
    assertThat(page).doesNotContainPattern("(?i)\\s(src|srcset|action|poster)\\s*=");
    assertThat(page).doesNotContainPattern("(?i)@import|url\\(");
    Matcher links = Pattern.compile("href=\"([^\"]*)\"").matcher(page);
    while (links.find()) {
      assertThat(links.group(1)).startsWith("#");
    }
    for (String script : Page.SCRIPTS) {
      assertThat(Resources.text(script))
          .doesNotContain("http", "fetch(", "XMLHttpRequest", "import(");
    }
  }

  @Test
  void everyTableHasACaptionAndScopesAndEveryChartWords() throws IOException {
    String page = markup(page(SampleStudy.thesis(2).write(folder)));
    assertThat(count(page, "<table ")).isGreaterThan(8).isEqualTo(count(page, "<caption>"));
    assertThat(page).doesNotContain("<th>").doesNotContainPattern("<th (?!scope=)");
    assertThat(count(page, "class=\"chart\"")).isGreaterThan(6);
    assertThat(page)
        .doesNotContainPattern("class=\"chart\" id=\"[^\"]*\" role=\"img\" aria-label=\"\"");
    assertThat(count(page, "role=\"img\" aria-label=\"")).isGreaterThanOrEqualTo(5);
  }

  @Test
  void everyEnergyColumnCarriesItsProvenance() throws IOException {
    String page = page(SampleStudy.demo(2).write(folder));
    Matcher heads = Pattern.compile("<th [^>]*data-csv=\"([^\"|]*)[^>]*>(.*?)</th>").matcher(page);
    int energies = 0;
    while (heads.find()) {
      if (heads.group(1).matches("energy_.*|.*joules_per_kop|power_mean_w|power_max_min|idle_w")) {
        energies++;
        assertThat(heads.group(2)).contains("modelled");
      }
    }
    assertThat(energies).isGreaterThan(10);
  }

  @Test
  void mixedProvenanceStandsBesideEachFigure() throws IOException {
    SampleStudy study = SampleStudy.demo(2);
    study.rows().stream()
        .filter(row -> row.get("consistency").equals("ALL"))
        .forEach(row -> row.put("provenance", "measured"));
    String page = page(study.write(folder));
    assertThat(page).contains("<small>measured</small>", "<small>modelled</small>");
    assertThat(page).contains("mixed provenance");
  }

  @Test
  void textOfAStudyIsNeverMarkup() throws IOException {
    SampleStudy study = SampleStudy.demo(1);
    Map<String, String> row = study.run(HOSTILE, "4", "", 1);
    row.put("workload", HOSTILE);
    row.put(HOSTILE, HOSTILE);
    SampleStudy.fail(study.run("ALL", "4", "", 2), HOSTILE);
    study.write(folder);
    study.rows().forEach(r -> r.putIfAbsent(HOSTILE, ""));
    study.writeResults(folder);
    Files.writeString(folder.resolve("study.yaml"), HOSTILE);
    Files.writeString(
        folder.resolve("environment.json"),
        "{\"engine\":\"<img src=y>\",\"notes\":[\"<img src=z>\\ud800\"],\"power\":{\"<img>\":{\"a\":[]}}}");
    String page = page(folder);
    assertThat(markup(page)).doesNotContain("<img").contains("&lt;img src=x");
    assertThat(count(page, "</script>")).isEqualTo(count(page, "<script"));
  }

  @Test
  void failedRunsAreShownWithTheirMessage() throws IOException {
    SampleStudy study = SampleStudy.demo(1);
    SampleStudy.fail(study.rows().get(0), "node n2 died");
    String page = page(study.write(folder));
    assertThat(page).contains("Failed runs", "node n2 died", "class=\"bad\"");
  }

  @Test
  void studyWithoutRunsOrOtherFilesStillHasAPage() throws IOException {
    new SampleStudy(1).writeResults(folder);
    String page = page(folder);
    assertThat(page).contains("This study has no runs yet.", "environment.json is missing");
    Files.writeString(folder.resolve("results.csv"), "");
    assertThat(page(folder)).contains("This study has no runs yet.");
  }

  @Test
  void missingColumnsAreBlankNotZero() throws IOException {
    Files.writeString(
        folder.resolve("results.csv"), "run,consistency,status\na,ONE,ok\nb,ALL,ok\n");
    String page = page(folder);
    assertThat(page).contains("No run has an energy figure.", "provenance not stated");
    assertThat(page).doesNotContain("id=\"chart-energy\"").doesNotContain("NaN\"");
  }

  @Test
  void hundredsOfRunsKeepTheChartsBounded() throws IOException {
    SampleStudy study = new SampleStudy(7);
    for (int threads = 1; threads <= 150; threads++) {
      study.run("ONE", Integer.toString(threads), "", 1);
      study.run("ALL", Integer.toString(threads), "", 1);
    }
    study.writeResults(folder);
    assertThat(page(folder)).contains("The first 80 of 300 configurations; the table has all.");
  }

  @Test
  void repeatingNamesTheFolderAsGivenAndNoCopyOfAnOwnClustersStudy() throws IOException {
    SampleStudy.demo(1).write(folder);
    Path environment = folder.resolve("environment.json");
    Files.writeString(
        environment,
        Files.readString(environment)
            .replace("\"seed\": 42", "\"seed\": 42, \"out\": \"my out/x\", \"allow_load\": true"));
    assertThat(page(folder))
        .contains("./calando report &#39;my out/x&#39;")
        .contains("/study.yaml&#39; --out &#39;my out/x-again&#39; --allow-load");
    Files.writeString(folder.resolve("study.yaml"), "store: {inventory: {nodes: [a]}}");
    assertThat(page(folder)).contains("./calando demo").doesNotContain("-again");
  }

  @Test
  void legendOfCurvesNamesThemSoAndShowsTheirSymbols() throws IOException {
    assertThat(page(SampleStudy.demo(1).write(folder)))
        .contains("Curves, by colour and symbol", "swatch tone1 shape1");
  }

  @Test
  void tableOfNodesIsBoundedAndPointsToTheRest() throws IOException {
    SampleStudy study = SampleStudy.demo(1);
    study.write(folder);
    Path run = folder.resolve("runs").resolve(study.rows().get(0).get("run"));
    StringBuilder nodes = new StringBuilder();
    for (int node = 0; node < RunTables.MOST_NODE_ROWS; node++) {
      nodes.append(node == 0 ? "" : ",").append("{\"node\":\"many").append(node).append("\"}");
    }
    Files.writeString(run.resolve("summary.json"), "{\"energy\":{\"nodes\":[" + nodes + "]}}");
    assertThat(page(folder)).contains("of 6 configurations; every node").doesNotContain("many0");
  }

  @Test
  void unfinishedRunFilesAreNotedNotFatal() throws IOException {
    SampleStudy study = SampleStudy.demo(1);
    study.write(folder);
    Path run = folder.resolve("runs").resolve(study.rows().get(0).get("run"));
    Files.writeString(run.resolve("summary.json"), "{\"energy\":");
    Files.writeString(run.resolve("ops.csv"), "second,\"pha");
    assertThat(page(folder)).contains("summary.json is not valid JSON", "ops.csv is not valid CSV");
  }

  @Test
  void whatIsNoStudyIsABadRequest() throws IOException {
    assertThatThrownBy(() -> ReportWriter.write(folder.resolve("none")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no such folder")
        .hasMessageContaining("remedy");
    assertThatThrownBy(() -> ReportWriter.write(folder))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("results.csv");
    Files.writeString(folder.resolve("results.csv"), "a,b\n1,2\n");
    assertThatThrownBy(() -> ReportWriter.write(folder))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("results.csv:1")
        .hasMessageContaining("\"run\"");
    Files.writeString(folder.resolve("results.csv"), "run\n1\n");
    Files.writeString(folder.resolve("environment.json"), "{\n\"a\":}");
    assertThatThrownBy(() -> ReportWriter.write(folder))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("environment.json")
        .hasMessageContaining("line 2");
  }

  @Test
  void runNamesCannotLeaveTheFolder() throws IOException {
    Files.writeString(folder.resolve("results.csv"), "run,status\n../../secret,ok\n..,ok\n");
    assertThat(page(folder)).contains("has a name that no folder can have");
  }

  @Test
  void aReportThatCannotBeReplacedLeavesNothingBehind() throws IOException {
    SampleStudy.demo(1).writeResults(folder);
    Files.createDirectories(folder.resolve("report.html").resolve("in the way"));
    assertThatThrownBy(() -> ReportWriter.write(folder))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("report.html");
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("results.csv", "report.html");
    }
  }

  @Test
  void chartingLibraryIsWholeAndHasItsLicence() {
    assertThat(Resources.echarts())
        .startsWith("\n/*\n* Licensed to the Apache Software Foundation");
    assertThat(Resources.echarts()).contains("registerPainter(\"svg\"");
    assertThat(Resources.text("echarts-notice.txt")).contains("ECharts", "zrender", "BSD 3-Clause");
  }

  private static String page(Path folder) throws IOException {
    return Files.readString(ReportWriter.write(folder));
  }

  /** The page without the insides of its scripts. */
  private static String markup(String page) {
    return page.replaceAll("(?s)<script([^>]*)>.*?</script>", "<script$1></script>");
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
