package org.calando.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.report.ResultsTable;
import org.calando.report.SampleStudy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyComparisonTest {
  @TempDir Path folder;

  @Test
  void sameBlocksArePairedAndARatioThatEveryBlockHasIsDecided() throws IOException {
    StudyComparison comparison = compare(SampleStudy.demo(3), times(SampleStudy.demo(3), 1.5));
    JsonNode json = comparison.json();
    assertThat(json.path("method").asText()).isEqualTo("paired by repeat");
    JsonNode row = quantity(json, "joules_per_kop").path("rows").get(0);
    assertThat(row.path("ratio").asDouble()).isCloseTo(1.5, within(1e-6));
    assertThat(row.path("verdict").asText()).isEqualTo("more");
    assertThat(row.path("low").asDouble()).isCloseTo(1.5, within(1e-5));
    JsonNode throughput = quantity(json, "throughput").path("rows").get(0);
    assertThat(throughput.path("verdict").asText()).isEqualTo("undecided");
    assertThat(json.path("differences")).isEmpty();
    assertThat(json.path("warnings")).isEmpty();
  }

  @Test
  void aColumnThatIsNotThereIsOneOfWhichNothingIsKnown() throws IOException {
    SampleStudy full = SampleStudy.demo(3);
    SampleStudy sparse = SampleStudy.demo(3);
    List<String> empty =
        List.copyOf(sparse.rows().get(0).keySet()).stream()
            .filter(name -> sparse.rows().stream().allMatch(row -> row.get(name).isEmpty()))
            .toList();
    assertThat(empty).contains("dual_reads", "message");
    sparse.rows().forEach(row -> row.keySet().removeAll(empty));
    Path a = full.write(folder.resolve("full"));
    Path b = sparse.write(folder.resolve("sparse"));
    JsonNode json = StudyComparison.of(a, b).json();
    assertThat(json.path("differences")).isEmpty();
    assertThat(json.path("warnings")).isEmpty();
    assertThat(quantity(json, "energy").at("/rows/0/ratio").asDouble()).isEqualTo(1);
    assertThat(ResultsTable.read(b).render(StandardCharsets.UTF_8))
        .isEqualTo(ResultsTable.read(a).render(StandardCharsets.UTF_8));
  }

  @Test
  void anotherSeedIsComparedAsIndependentRuns() throws IOException {
    Path a = SampleStudy.demo(3).write(folder.resolve("a"));
    Path b = SampleStudy.demo(3).write(folder.resolve("b"));
    edit(b, "\"seed\": 42", "\"seed\": 7");
    JsonNode json = StudyComparison.of(a, b).json();
    assertThat(json.path("method").asText()).startsWith("Welch");
    assertThat(json.path("differences").toString()).contains("\"seed\"", "\"42\"", "\"7\"");
  }

  @Test
  void joulesOfDifferentOriginAreShownAndNotCompared() throws IOException {
    SampleStudy measured = SampleStudy.demo(3);
    measured.rows().forEach(row -> row.put("provenance", "measured"));
    StudyComparison comparison = compare(SampleStudy.demo(3), measured);
    JsonNode energy = quantity(comparison.json(), "energy");
    assertThat(energy.path("comparable").asBoolean()).isFalse();
    assertThat(energy.at("/rows/0").has("ratio")).isFalse();
    assertThat(energy.at("/rows/0/verdict").asText()).isEqualTo("not comparable");
    assertThat(quantity(comparison.json(), "throughput").path("comparable").asBoolean()).isTrue();
    assertThat(comparison.render(StandardCharsets.UTF_8))
        .contains("! joules are not comparable: provenance is modelled in the first study,");
  }

  @Test
  void joulesOfOtherNodeProfilesAreComparedWithAWarning() throws IOException {
    for (String origins :
        new String[] {
          "modelled modelled", "simulated simulated", "modelled simulated", "simulated modelled"
        }) {
      String[] origin = origins.split(" ", -1);
      Path a = ofOrigin(origin[0]).write(folder.resolve(origins + " a"));
      Path b = ofOrigin(origin[1]).write(folder.resolve(origins + " b"));
      assertThat(warnings(a, b)).as(origins).doesNotContain("different node profiles");
      edit(b, "\"idleWatts\": 75", "\"idleWatts\": 76");
      assertThat(warnings(a, b)).as(origins).contains("different node profiles");
    }
    Path a = ofOrigin("measured").write(folder.resolve("measured"));
    Path b = ofOrigin("simulated").write(folder.resolve("of a profile"));
    edit(b, "\"idleWatts\": 75", "\"idleWatts\": 76");
    assertThat(warnings(a, b)).doesNotContain("different node profiles");
  }

  private static SampleStudy ofOrigin(String provenance) {
    SampleStudy study = SampleStudy.demo(2);
    study.rows().forEach(row -> row.put("provenance", provenance));
    return study;
  }

  private static String warnings(Path a, Path b) {
    return StudyComparison.of(a, b).json().path("warnings").toString();
  }

  @Test
  void aStudyThatDriftsIsWarnedOf() throws IOException {
    SampleStudy cold = SampleStudy.demo(3);
    cold.rows().stream()
        .filter(row -> row.get("repeat").equals("1"))
        .forEach(
            row ->
                row.put(
                    "joules_per_kop", "" + 2.4 * Double.parseDouble(row.get("joules_per_kop"))));
    assertThat(compare(SampleStudy.demo(3), cold).warnings())
        .singleElement()
        .asString()
        .contains("b: Blocks drift: ");
  }

  @Test
  void anotherScopeIsNotComparedEither() throws IOException {
    SampleStudy host = SampleStudy.demo(2);
    host.rows().forEach(row -> row.put("power_scope", "host"));
    JsonNode json = compare(SampleStudy.demo(2), host).json();
    assertThat(json.path("warnings").toString()).contains("scope is node in the first study");
    assertThat(quantity(json, "joules_per_kop").path("comparable").asBoolean()).isFalse();
  }

  @Test
  void aLoadGeneratorInsideTheEnergyOfOneIsNotCompared() throws IOException {
    Path a = SampleStudy.demo(2).write(folder.resolve("a"));
    Path b = SampleStudy.demo(2).write(folder.resolve("b"));
    edit(b, "outside: its own processes are no node's", "inside");
    JsonNode json = StudyComparison.of(a, b).json();
    assertThat(json.path("warnings").toString()).contains("load generator is outside in the first");
    assertThat(quantity(json, "energy").path("comparable").asBoolean()).isFalse();
  }

  @Test
  void storeAndWorkloadThatDifferAreListedAndWarnedOf() throws IOException {
    Path a = SampleStudy.demo(2).write(folder.resolve("a"));
    Path b = SampleStudy.demo(2).write(folder.resolve("b"));
    Path file = b.resolve("study.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("link-delay: 5ms", "link-delay: 0ms")
            .replace("records: 10000", "records: 500")
            .replace("repeats: 5", "repeats: 9"));
    JsonNode json = StudyComparison.of(a, b).json();
    assertThat(json.path("warnings").toString())
        .contains("the studies were not made alike: store.local.link-delay (5ms, 0ms)")
        .contains("workload.records (10000, 500)");
    assertThat(json.path("differences")).hasSize(2);
    Files.writeString(file, "store: [");
    assertThat(StudyComparison.of(a, b).json().path("differences")).isEmpty();
  }

  @Test
  void aPairOfDifferentProvenanceHasNoEnergyVerdictInStudiesOfBothKinds() throws IOException {
    SampleStudy a = SampleStudy.demo(3);
    SampleStudy b = SampleStudy.demo(3);
    a.rows().stream()
        .filter(row -> !row.get("consistency").equals("ALL"))
        .forEach(row -> row.put("provenance", "measured"));
    b.rows().stream()
        .filter(row -> !row.get("consistency").equals("ONE"))
        .forEach(row -> row.put("provenance", "measured"));
    for (JsonNode row : quantity(compare(a, b).json(), "energy").path("rows")) {
      boolean same = row.path("configuration").asText().equals("QUORUM");
      assertThat(row.path("verdict").asText().equals("not comparable")).isEqualTo(!same);
      assertThat(row.has("ratio")).isEqualTo(same);
    }
  }

  @Test
  void configurationsOfOneStudyAreNamedAndUnevenOperationsWarnedOf() throws IOException {
    SampleStudy other = new SampleStudy(5);
    for (int repeat = 1; repeat <= 2; repeat++) {
      other.run("ONE", "4", "", repeat).put("operations", "40000");
      other.run("ONE", "9", "", repeat);
    }
    JsonNode json = compare(SampleStudy.demo(2), other).json();
    assertThat(json.path("configurations").asInt()).isEqualTo(1);
    assertThat(json.path("only_in_a").toString()).contains("4 thr QUORUM");
    assertThat(json.path("only_in_b").toString()).contains("9 thr ONE");
    assertThat(json.path("warnings").toString()).contains("compare energy per operation");
  }

  @Test
  void oneRepeatHasNoVerdictAndZerosHaveADifference() throws IOException {
    SampleStudy stale = SampleStudy.demo(1);
    for (Map<String, String> row : stale.rows()) {
      row.put("stale_rate", row.get("consistency").equals("QUORUM") ? "0.01" : "0");
    }
    JsonNode json = compare(SampleStudy.demo(1), stale).json();
    for (JsonNode row : quantity(json, "stale_rate").path("rows")) {
      assertThat(row.path("verdict").asText()).isEqualTo("one repeat");
      assertThat(row.has("difference")).isTrue();
    }
  }

  @Test
  void textFitsATerminalAndSpellsInAsciiWhereItMust() throws IOException {
    StudyComparison comparison = compare(SampleStudy.thesis(2), times(SampleStudy.thesis(2), 2));
    for (var charset :
        new java.nio.charset.Charset[] {StandardCharsets.UTF_8, StandardCharsets.US_ASCII}) {
      String text = comparison.render(charset);
      assertThat(text.lines()).allSatisfy(l -> assertThat(l.length()).isLessThanOrEqualTo(79));
      assertThat(charset.newEncoder().canEncode(text)).isTrue();
      assertThat(text).contains("heavy-read", "20 thr QUORUM", "Holm");
    }
  }

  @Test
  void noNumberIsCutAndEnergyIsOfNamedProvenance() throws IOException {
    SampleStudy wide = SampleStudy.demo(3);
    for (Map<String, String> row : wide.rows()) {
      row.put("read_p99_us", row.get("repeat").equals("2") ? "90000000" : "1");
      row.put("provenance", "simulated");
    }
    String text = compare(SampleStudy.demo(3), wide).render(StandardCharsets.UTF_8);
    assertThat(text)
        .contains("Energy of a run, J, gross; A modelled, B simulated\n")
        .contains("<0.001\u2013>999", "\u00D7>999")
        .doesNotContain("\u2026");
  }

  @Test
  void percentilesAreTheMiddleRuns() throws IOException {
    SampleStudy other = SampleStudy.demo(3);
    other.rows().forEach(row -> row.put("read_p99_us", row.get("repeat") + "000"));
    other.rows().stream()
        .filter(row -> row.get("repeat").equals("3"))
        .forEach(row -> row.put("read_p99_us", "1000000"));
    JsonNode json = compare(SampleStudy.demo(3), other).json();
    assertThat(quantity(json, "read_p99").at("/rows/0/b").asDouble()).isEqualTo(2);
  }

  @Test
  void folderThatIsNoStudyIsABadRequest() {
    Path a = SampleStudy.demo(1).write(folder.resolve("a"));
    assertThatThrownBy(() -> StudyComparison.of(a, folder.resolve("none")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no such folder");
    assertThatThrownBy(() -> StudyComparison.of(folder, a))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("results.csv");
  }

  private StudyComparison compare(SampleStudy a, SampleStudy b) throws IOException {
    return StudyComparison.of(a.write(folder.resolve("a")), b.write(folder.resolve("b")));
  }

  private static SampleStudy times(SampleStudy study, double factor) {
    for (Map<String, String> row : study.rows()) {
      for (String column : new String[] {"energy_j", "joules_per_kop"}) {
        row.put(column, Double.toString(Double.parseDouble(row.get(column)) * factor));
      }
    }
    return study;
  }

  private static void edit(Path study, String from, String to) throws IOException {
    Path file = study.resolve("environment.json");
    Files.writeString(file, Files.readString(file).replace(from, to));
  }

  private static JsonNode quantity(JsonNode json, String name) {
    for (JsonNode quantity : json.path("quantities")) {
      if (quantity.path("quantity").asText().equals(name)) {
        return quantity;
      }
    }
    throw new AssertionError(name + " is missing in " + json);
  }
}
