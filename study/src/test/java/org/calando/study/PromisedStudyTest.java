package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a promise of freshness comes to in whole studies on the simulator. */
class PromisedStudyTest {
  private static final String STUDY =
      """
      study: test
      store: {engine: sim, sim: {nodes: 3, rf: 1, write-buffer: {cost-share: 20%}}}
      repeats: 2
      workload: {preset: gr-write-heavy, records: 500, fields: 1, field-size: 1000, duration: 10s}
      matrix:
        consistency: [ONE]
        rate: [{poisson: 500/s}]
        write-buffer: [strong, {deferred: 1MB}, {fresh: 500ms}]
      """;

  @TempDir Path folder;

  @Test
  void aStudysPromiseHoldsForAllRunsAndTheBrokenAreWorthNothing() throws Exception {
    TestStudy study = TestStudy.of(folder, STUDY + "promise: {fresh: 60ms}\n");
    study.runWell();
    JsonNode strong = row(study, "strong");
    JsonNode deferred = row(study, "deferred 1MB");
    for (JsonNode row : List.of(strong, deferred, row(study, "fresh 500ms"))) {
      assertThat(row.path("promised_ms").asText()).isEqualTo("60");
      double done = row.path("operations").asDouble() - row.path("errors").asDouble();
      assertThat(row.path("ops_per_joule").asDouble())
          .isCloseTo(done / row.path("energy_j").asDouble(), within(1e-4));
    }
    double share = strong.path("fresh_share").asDouble();
    assertThat(share).isBetween(0.99, 1.0);
    assertThat(strong.path("sla_per_budget").asDouble())
        .isCloseTo(share / strong.path("joules_per_kop").asDouble(), within(1e-6));
    assertThat(deferred.path("fresh_share").asDouble()).isLessThan(0.5);
    assertThat(deferred.path("sla_per_budget").asText()).isEqualTo("0");

    String page = Files.readString(ReportWriter.write(study.out()));
    assertThat(page)
        .contains("id=\"buffers-fresh\"", "Fewer than 20 flushes: deferred 1MB, open loop");
  }

  @Test
  void withoutOneOnlyApolicysOwnPromiseIsTold() throws Exception {
    TestStudy study = TestStudy.of(folder, STUDY);
    study.runWell();
    JsonNode fresh = row(study, "fresh 500ms");
    assertThat(fresh.path("promised_ms").asText()).isEqualTo("500");
    assertThat(fresh.path("fresh_share").asDouble()).isBetween(0.99, 1.0);
    assertThat(fresh.path("sla_per_budget").asDouble()).isPositive();
    JsonNode strong = row(study, "strong");
    assertThat(strong.path("promised_ms").asText()).isEmpty();
    assertThat(strong.path("fresh_share").asText()).isEmpty();
    assertThat(strong.path("sla_per_budget").asText()).isEmpty();
  }

  private static JsonNode row(TestStudy study, String writeBuffer) {
    return study.plan().stream()
        .map(study::row)
        .filter(row -> row.path("write_buffer").asText().equals(writeBuffer))
        .findFirst()
        .orElseThrow();
  }
}
