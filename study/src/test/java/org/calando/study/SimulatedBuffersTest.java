package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.calando.control.DecisionFile;
import org.calando.control.DecisionRow;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code matrix.write-buffer} in whole studies on the simulator. */
class SimulatedBuffersTest {
  private static final String STUDY =
      """
      study: test
      store: {engine: sim, sim: {nodes: 3, rf: 1, write-buffer: {cost-share: 20%%}}}
      repeats: 1
      workload: {preset: gr-write-heavy, records: 500, fields: 1, field-size: 1000, %s}
      matrix:
        consistency: [ONE]
        %s
        write-buffer: [strong, {deferred: 20KB}, {deferred: {bytes: 1MB, delay: 50ms, shared: true}}, {fresh: 500ms}, {fresh: {promise: 100ms, at-risk: 30}}]
      """;

  @TempDir Path folder;

  private TestStudy run(String name, String length, String load) throws Exception {
    TestStudy study = TestStudy.at(folder, folder.resolve(name), STUDY.formatted(length, load));
    study.runWell();
    assertThat(study.plan()).hasSize(5);
    return study;
  }

  private static String idOf(TestStudy study, String writeBuffer) {
    return study.plan().stream()
        .filter(run -> study.row(run).path("write_buffer").asText().equals(writeBuffer))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode row(TestStudy study, String writeBuffer) {
    return study.row(idOf(study, writeBuffer));
  }

  @Test
  void writesAreDeferredAsTheMatrixSaysAndAllOfThemAreWaitedFor() throws Exception {
    TestStudy study = run("open", "duration: 10s", "rate: [{poisson: 500/s}]");

    JsonNode strong = row(study, "strong");
    JsonNode own = row(study, "deferred 20KB");
    JsonNode aged = row(study, "deferred 1MB 50ms shared");
    JsonNode fresh = row(study, "fresh 500ms");
    JsonNode bounded = row(study, "fresh 100ms at-risk 30");
    assertThat(strong.path("at_risk").asDouble()).isZero();
    assertThat(strong.path("flushes").asText()).isEqualTo("0");
    assertThat(strong.path("freshness_p99_ms").asDouble()).isBetween(0.5, 50.0);
    assertThat(strong.path("stale_reads").asText()).isEqualTo("0");
    assertThat(own.path("flushes").asLong()).isPositive();
    assertThat(own.path("stale_reads").asLong()).isPositive();
    assertThat(aged.path("freshness_max_ms").asDouble()).isBetween(50.0, 100.0);
    assertThat(fresh.path("freshness_p99_ms").asDouble()).isBetween(50.0, 500.0);
    assertThat(bounded.path("freshness_p99_ms").asDouble()).isLessThanOrEqualTo(100);
    assertThat(bounded.path("at_risk_max").asLong()).isBetween(2L, 30L);
    for (JsonNode row : List.of(own, aged, fresh, bounded)) {
      assertThat(row.path("lost_writes").asText()).isEqualTo("0");
      assertThat(row.path("at_risk").asDouble()).isPositive();
      // What was in buffers when the time was over has been waited for.
      assertThat(row.path("duration_s").asDouble()).isGreaterThan(10);
      assertThat(row.path("cpu_s").asDouble()).isLessThan(strong.path("cpu_s").asDouble());
    }
  }

  @Test
  void decisionsAreRecordedAndCanBeMadeAgain() throws Exception {
    TestStudy study = run("open", "duration: 10s", "rate: [{poisson: 500/s}]");

    String id = idOf(study, "fresh 500ms");
    DecisionFile decisions = study.decisions(id);
    List<DecisionRow> measured =
        decisions.rows().stream().filter(row -> row.phase().equals("measured")).toList();
    assertThat(measured).hasSizeBetween(39, 43);
    assertThat(measured).anyMatch(row -> !row.cell("in_force").equals("strong"));
    FreshBufferPolicy policy =
        new FreshBufferPolicy(
            new FreshPromise(500_000_000L, FreshPromise.ANY), FreshLimits.DEFAULT);
    assertThat(decisions.differences(policy)).isEmpty();
    long changes = 0;
    String before = "strong";
    for (DecisionRow row : decisions.rows()) {
      changes += measured.contains(row) && !row.cell("in_force").equals(before) ? 1 : 0;
      before = row.cell("in_force");
    }
    assertThat(study.summary(id).path("notes").toString())
        .contains("write buffer set %d times by %d decisions".formatted(changes, measured.size()));
    String strong = idOf(study, "strong");
    assertThat(study.out().resolve("runs").resolve(strong).resolve("decisions.csv")).doesNotExist();
  }

  @Test
  void aRunOfAnumberOfOperationsOnManyThreadsEndsWhenAllIsWritten() throws Exception {
    TestStudy study = run("closed", "operations: 5000", "threads: [8]");

    JsonNode strong = row(study, "strong");
    JsonNode own = row(study, "deferred 20KB");
    assertThat(own.path("operations").asText()).isEqualTo("5000");
    assertThat(own.path("lost_writes").asText()).isEqualTo("0");
    assertThat(own.path("throughput_ops_s").asDouble())
        .isGreaterThan(strong.path("throughput_ops_s").asDouble());
    assertThat(row(study, "fresh 500ms").path("freshness_p99_ms").asDouble())
        .isLessThanOrEqualTo(500);
  }

  @Test
  void aPromiseThatWasNotKeptIsTold() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: test
            store: {engine: sim, sim: {nodes: 1, rf: 1, service: {write: 30ms}}}
            repeats: 1
            workload: {preset: gr-write-heavy, records: 100, duration: 5s}
            matrix: {consistency: [ONE], rate: [{poisson: 100/s}], write-buffer: [{fresh: 20ms}]}
            """);
    study.runWell();
    assertThat(study.summary(study.plan().get(0)).path("notes").toString())
        .contains("the promised freshness of 20 ms was not kept")
        .containsPattern(
            "fresh 20 ms is not to be had here: more than one request in 100 takes \\d+ ms"
                + " \\(95 % confidence\\): in \\d+ of \\d+ decisions");
  }

  @Test
  void theSameRunGivesTheSameBytes() throws Exception {
    TestStudy first = run("first", "duration: 3s", "rate: [{poisson: 500/s}]");
    TestStudy second = run("second", "duration: 3s", "rate: [{poisson: 500/s}]");
    String file = "runs/" + idOf(first, "fresh 500ms") + "/decisions.csv";
    assertThat(second.text(file)).isEqualTo(first.text(file));
    assertThat(second.text("results.csv")).isEqualTo(first.text("results.csv"));
  }
}
