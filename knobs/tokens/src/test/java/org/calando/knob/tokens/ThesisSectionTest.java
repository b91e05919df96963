package org.calando.knob.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.report.SampleStudy;
import org.calando.report.page.Chart;
import org.calando.report.page.Parts;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThesisSectionTest {
  @TempDir Path folder;

  @Test
  void everyFigureAndTableOfTheThesisIsThere() {
    Parts parts = render(SampleStudy.thesis(3));
    assertThat(parts.charts())
        .extracting(Chart::id)
        .containsExactly(
            "chart-thesis-10",
            "chart-thesis-11",
            "chart-thesis-12",
            "chart-thesis-13",
            "chart-thesis-14",
            "chart-thesis-15",
            "chart-thesis-18");
    String html = parts.html().toString();
    for (int table = 1; table <= 5; table++) {
      assertThat(html).contains("id=\"thesis-table-" + table + "\"", "As Table " + table + " of");
    }
    assertThat(html).doesNotContain("Not shown").contains("This study has one layout");
  }

  @Test
  void columnsAreTheMeansOfTheRunsAtTheirPoint() {
    SampleStudy study = SampleStudy.thesis(2);
    JsonNode chart = render(study).charts().get(0).data();
    assertThat(chart.path("panels")).hasSize(3);
    JsonNode bar = chart.at("/panels/1/groups/2/bars/0");
    double[] runs =
        study.rows().stream()
            .filter(r -> r.get("workload").equals("moderate"))
            .filter(r -> r.get("threads").equals("40") && r.get("consistency").equals("ONE"))
            .mapToDouble(r -> Double.parseDouble(r.get("energy_j")))
            .toArray();
    assertThat(runs).hasSize(2);
    assertThat(bar.path("label").asText()).isEqualTo("ONE");
    assertThat(bar.path("mean").asDouble()).isEqualTo((runs[0] + runs[1]) / 2);
    assertThat(bar.path("low").asDouble()).isLessThan(Math.min(runs[0], runs[1]));
  }

  @Test
  void eachCaptionCarriesTheOriginOfItsJoules() {
    Parts parts = render(SampleStudy.thesis(1));
    for (Chart chart : parts.charts()) {
      boolean energy = !List.of("chart-thesis-11", "chart-thesis-13").contains(chart.id());
      assertThat(chart.note().contains("ORIGIN")).as(chart.id()).isEqualTo(energy);
      assertThat(chart.note()).startsWith("As Figure");
    }
  }

  @Test
  void layoutsAreColumnsOfTheirOwn() {
    SampleStudy study = new SampleStudy(3);
    for (String layout : List.of("even", "1/2 warm", "1/3 warm")) {
      study.run("ONE", "4", "", 1).put("layout", layout);
      study.run("ALL", "4", "", 1).put("layout", layout);
    }
    Parts parts = render(study);
    Chart layouts = parts.charts().get(parts.charts().size() - 1);
    assertThat(layouts.legend()).containsExactly("even", "1/2 warm", "1/3 warm");
    assertThat(layouts.data().at("/panels/0/groups/0/bars")).hasSize(3);
    assertThat(layouts.note()).doesNotContain("one column");
  }

  @Test
  void whatDoesNotApplyIsSaid() {
    SampleStudy study = new SampleStudy(3);
    for (String column : List.of("energy_j", "energy_net_j", "joules_per_kop", "power_mean_w")) {
      study.run("ONE", "", "400/s", 1).put(column, "");
      study.rows().get(0).put(column, "");
    }
    study.rows().subList(1, study.rows().size()).clear();
    study.rows().get(0).put("power_cv", "");
    String html = render(study).html().toString();
    assertThat(html)
        .contains("Not shown: Figure 10 (energy by level): no run has an energy figure.")
        .contains("Not shown: Figure 12 (energy by access pattern): the study has one workload.")
        .contains("there is one scenario")
        .contains("Not shown: Table 2");
  }

  @Test
  void noRunThatSucceededMeansNoSection() throws IOException {
    SampleStudy study = SampleStudy.thesis(1);
    study.rows().forEach(row -> SampleStudy.fail(row, "disk full"));
    assertThat(page(study, "failed")).doesNotContain("id=\"thesis\"");
  }

  @Test
  void theThesissFiguresAreThoseOfStudiesThatRepeatIt() throws IOException {
    assertThat(page(SampleStudy.demo(2), "demo"))
        .doesNotContain("id=\"thesis\"", "Li 2013", "T. Li");
    assertThat(page(SampleStudy.thesis(2), "thesis")).contains("id=\"thesis\"", "As Figure 10");
  }

  @Test
  void aLargeStudysThroughputAndStaleReadsStandInItsFiguresOnly() throws IOException {
    assertThat(page(SampleStudy.thesis(1), "thesis"))
        .contains("id=\"chart-energy\"")
        .doesNotContain("id=\"chart-throughput\"", "id=\"chart-stale\"");
  }

  private String page(SampleStudy study, String name) throws IOException {
    return Files.readString(ReportWriter.write(study.write(folder.resolve(name))));
  }

  private static Parts render(SampleStudy study) {
    Parts parts = new Parts();
    new ThesisParts(study.results()).write(parts, "ORIGIN");
    return parts;
  }
}
