package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.calando.control.DecisionFile;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study on a real HBase: writes one by one, and deferred. */
class HBaseStudyIT {
  private static final int OPERATIONS = 4_000;

  @TempDir Path folder;

  @Test
  void deferredWritesAreCheaperAndSeenLaterAndNoneIsLost() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: test
            store: {engine: hbase, local: {nodes: 1, heap: 320MB}}
            power: {baseline: 0s}
            promise: {fresh: 10ms}
            workload: {records: 300}
            matrix:
              - workload: [{preset: gr-write-heavy, fields: 1, field-size: 1000}]
                consistency: [ONE]
                threads: [8]
                operations: %d
                write-buffer:
                  - strong
                  - {deferred: 200KB}
                  - {deferred: {bytes: 12MB, delay: 50ms, shared: true, read-your-writes: true}}
              - workload: [{preset: gr-write-heavy, fields: 1, field-size: 1000}]
                consistency: [ONE]
                threads: [8]
                duration: 4s
                write-buffer: [{fresh: {promise: 500ms, at-risk: 20000}}]
            repeats: 1
            """
                .formatted(OPERATIONS));

    study.runWell();

    assertThat(study.plan()).hasSize(4);
    JsonNode strong = row(study, "strong");
    JsonNode small = row(study, "deferred 200KB");
    JsonNode shared = row(study, "deferred 12MB 50ms shared read-your-writes");
    for (JsonNode row : List.of(strong, small, shared)) {
      assertThat(row.path("engine").asText()).isEqualTo("hbase");
      assertThat(row.path("operations").asInt()).isEqualTo(OPERATIONS);
      assertThat(row.path("errors").asText()).isEqualTo("0");
      assertThat(row.path("lost_writes").asText()).isEqualTo("0");
      assertThat(row.path("cpu_s").asDouble()).isPositive();
      assertThat(row.path("ops_per_joule").asDouble()).isPositive();
      assertThat(row.path("promised_ms").asText()).isEqualTo("10");
      assertThat(row.path("fresh_share").asDouble()).isBetween(0.0, 1.0);
    }
    // A row is on one server: what it has acknowledged is read.
    assertThat(strong.path("stale_reads").asText()).isEqualTo("0");
    assertThat(strong.path("flushes").asText()).isEqualTo("0");
    assertThat(strong.path("at_risk").asDouble()).isZero();
    // With 300 keys hardly a read meets a key that none of eight buffers has a write of.
    assertThat(small.path("stale_reads").asLong()).isPositive();
    assertThat(small.path("flushes").asLong()).isGreaterThanOrEqualTo(8);
    assertThat(small.path("at_risk").asDouble()).isPositive();
    assertThat(small.path("at_risk_max").asDouble())
        .isGreaterThan(small.path("at_risk").asDouble());
    // The clients of one process see each other's unsent writes, if they wish.
    assertThat(shared.path("stale_reads").asText()).isEqualTo("0");
    assertThat(shared.path("freshness_max_ms").asDouble()).isGreaterThan(50);
    // Writes wait up to 50 ms, so a promise of 10 ms is broken, and worth nothing at any price.
    assertThat(shared.path("fresh_share").asDouble()).isBetween(0.0, 0.9);
    assertThat(shared.path("sla_per_budget").asText()).isEqualTo("0");
    assertThat(small.path("freshness_p99_ms").asDouble())
        .isGreaterThan(small.path("freshness_p50_ms").asDouble());
    theFreshRunDidAsItDecided(study);
  }

  /** Writes were deferred as its recorded decisions say, and all of them were waited for. */
  private static void theFreshRunDidAsItDecided(TestStudy study) throws Exception {
    String label = "fresh 500ms at-risk 20000";
    JsonNode row = row(study, label);
    assertThat(row.path("lost_writes").asText()).isEqualTo("0");
    assertThat(row.path("errors").asText()).isEqualTo("0");
    assertThat(row.path("flushes").asLong()).isPositive();
    // Whether it is kept depends on the machine: bench/freshness looks at that.
    assertThat(row.path("freshness_p99_ms").asDouble()).isPositive();
    assertThat(row.path("at_risk_max").asLong()).isBetween(2L, 20_000L);
    // What was deferred when the time was over has been waited for, and counts.
    assertThat(row.path("duration_s").asDouble()).isGreaterThanOrEqualTo(4);

    Path run = study.out().resolve("runs").resolve(idOf(study, label));
    DecisionFile decisions = study.decisions(idOf(study, label));
    List<String> measured =
        decisions.rows().stream()
            .filter(each -> each.phase().equals("measured"))
            .map(each -> each.cell("in_force"))
            .toList();
    assertThat(measured).hasSizeGreaterThanOrEqualTo(2);
    assertThat(measured).anyMatch(set -> !set.equals("strong"));
    assertThat(measured)
        .allMatch(
            set ->
                set.equals("strong")
                    || Long.parseLong(set.replaceAll(".* B (\\d+) ns", "$1")) <= 500_000_000L);
    FreshBufferPolicy policy =
        new FreshBufferPolicy(new FreshPromise(500_000_000L, 20_000), FreshLimits.DEFAULT);
    assertThat(decisions.differences(policy)).isEmpty();
    // Taken back and given back.
    assertThat(run.resolve("knobs")).doesNotExist();
    assertThat(study.summary(idOf(study, label)).path("notes").toString())
        .contains("write buffer set");
  }

  private static String idOf(TestStudy study, String writeBuffer) {
    return study.plan().stream()
        .filter(run -> study.row(run).path("write_buffer").asText().equals(writeBuffer))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode row(TestStudy study, String writeBuffer) throws Exception {
    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      if (row.path("write_buffer").asText().equals(writeBuffer)) {
        assertThat(row.path("status").asText()).as(row.toPrettyString()).isEqualTo("ok");
        return row;
      }
    }
    throw new AssertionError("no run of " + writeBuffer + " in " + study.plan());
  }
}
