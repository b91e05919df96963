package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.calando.report.Figures;
import org.calando.report.ResultsFolder;
import org.calando.report.SampleStudy;
import org.calando.report.page.Chart;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Parts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdaptiveSectionTest {
  @TempDir Path folder;

  @Test
  void studyWithoutPoliciesHasNoSection() {
    SampleStudy.demo(2).write(folder);
    assertThat(render().contents()).isEmpty();
  }

  @Test
  void eachPolicyIsSetAgainstItsPromiseAndStaticLevels() {
    AdaptiveSample.of(3).write(folder);
    Parts parts = render();
    assertThat(parts.contents()).extracting(Parts.Entry::id).containsExactly("adaptive");
    String html = parts.html().toString();
    assertThat(html)
        .contains("id=\"adaptive-promises\"", "id=\"adaptive-against\"", "id=\"adaptive-monitor\"")
        .contains("<small>always strong: not adaptive</small>")
        .contains(">kept<")
        .contains("ALL/ONE");
    assertThat(parts.charts())
        .extracting(Chart::id)
        .containsExactly(
            "chart-decisions",
            "chart-harmony-4a-closed",
            "chart-harmony-5-closed",
            "chart-harmony-6-closed",
            "chart-harmony-4b-closed",
            "chart-harmony-4b-energy-closed",
            "chart-harmony-4a-open",
            "chart-harmony-5-open",
            "chart-harmony-6-open",
            "chart-harmony-4b-open",
            "chart-harmony-4b-energy-open",
            "chart-adaptive-estimators");
  }

  @Test
  void aPolicyThatDecidedForOneIsNotCalledAlwaysStrong() {
    AdaptiveSample sample = AdaptiveSample.of(3);
    sample.study().rows().stream()
        .filter(row -> row.getOrDefault("one_share", "").equals("0"))
        .forEach(row -> row.put("one_share", "0.18"));
    sample.write(folder);
    assertThat(render().html().toString())
        .contains("<small>strong in 82\u00A0% of decisions</small>")
        .doesNotContain("not adaptive");
  }

  @Test
  void eventsAreFollowedByEachPolicyOverTheRepeats() {
    AdaptiveSample.of(3, List.of("800/s")).write(folder);
    String html = render().html().toString();
    String table = html.substring(html.indexOf("id=\"adaptive-events\""));
    assertThat(table.substring(0, table.indexOf("</table>")))
        .contains("Open loop, 800/s: link delay 5ms -&gt; 50ms, at 20 s")
        .contains("Open loop, 800/s: link delay 50ms -&gt; 5ms, at 40 s")
        .contains("harmony-exact(5%)/ONE", "3 of 3");
  }

  @Test
  void staticRunsWithEstimatesShowTheModelsErrorsOnly() {
    AdaptiveSample sample = AdaptiveSample.of(1, List.of("4"));
    sample.study().rows().removeIf(row -> !row.getOrDefault("policy", "").isEmpty());
    sample.write(folder);
    Parts parts = render();
    assertThat(parts.charts())
        .extracting(Chart::id)
        .contains("chart-adaptive-estimators", "chart-harmony-4a-closed")
        .doesNotContain("chart-decisions");
    assertThat(parts.html().toString())
        .contains("id=\"adaptive-errors\"", "the correction by the canary is not part of it")
        .doesNotContain("adaptive-promises");
  }

  @Test
  void everyFigureNamesThePapersAndWhetherDualReadsWereOn() {
    AdaptiveSample.of(1, List.of("4", "20")).write(folder);
    List<Chart> charts = render().charts();
    for (String number : List.of("4a", "5", "6", "4b")) {
      Chart chart =
          charts.stream()
              .filter(c -> c.id().equals("chart-harmony-" + number + "-closed"))
              .findFirst()
              .orElseThrow();
      assertThat(chart.note())
          .startsWith("As Figure " + number.charAt(0))
          .contains("Chihoub et al. 2012", "Dual reads: off.");
    }
    assertThat(charts)
        .filteredOn(c -> c.id().equals("chart-harmony-4b-energy-closed"))
        .singleElement()
        .satisfies(c -> assertThat(c.note()).endsWith("ORIGIN"));
    Chart fifth = charts.stream().filter(c -> c.id().contains("-5-")).findFirst().orElseThrow();
    // No interval: percentiles are not averaged.
    assertThat(fifth.data().at("/panels/0/groups/0/bars/0").has("low")).isFalse();
    assertThat(fifth.data().path("panels")).hasSize(3);
  }

  @Test
  void oneBlockIsUndecidedAndSaysWhy() {
    AdaptiveSample.of(1).write(folder);
    assertThat(render().html().toString())
        .contains(">undecided <small>one block</small>")
        .doesNotContain(">kept<");
  }

  @Test
  void changeHasASign() {
    assertThat(AdaptiveTables.signed(-0.8)).isEqualTo("\u221280\u00A0%");
    assertThat(AdaptiveTables.signed(0.45)).isEqualTo("+45\u00A0%");
    assertThat(AdaptiveTables.signed(0.004)).isEqualTo("+0.4\u00A0%");
    assertThat(AdaptiveTables.signed(100508878.26)).isEqualTo("> +99,900\u00A0%");
    assertThat(AdaptiveTables.signed(-0.0001)).isEqualTo("0\u00A0%");
    assertThat(AdaptiveTables.signed(Double.NaN)).isEqualTo(Figures.NONE);
  }

  private Parts render() {
    Parts parts = new Parts();
    ResultsFolder read = ResultsFolder.read(folder);
    PageStudy study = new PageStudy(read, List.of(), List.of(), "ORIGIN", Set.of());
    new AdaptiveSection().render(study, parts);
    return parts;
  }
}
