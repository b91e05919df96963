package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study on a real master and its replica. */
class RedisStudyIT {
  private static final int OPERATIONS = 300;

  /** Each workload's kinds of operations; a read-modify-write is two more. */
  private static final Map<String, Set<String>> KINDS =
      Map.of(
          "ycsb-a", Set.of("read", "update"),
          "ycsb-d", Set.of("read", "insert"),
          "ycsb-e", Set.of("scan", "insert"),
          "ycsb-f", Set.of("read", "read_modify_write", "rmw_read", "rmw_write"),
          "memtier-set", Set.of("update"),
          "memtier-get", Set.of("read"));

  @TempDir Path folder;

  @Test
  void everyKindOfOperationOfYcsbAndMemtierRuns() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: test
            store: {engine: redis, local: {nodes: 2}}
            power: {baseline: 0s}
            workload: {records: 200, operations: %d}
            matrix:
              workload:
                - ycsb-a
                - ycsb-d
                - {preset: ycsb-e, max-scan: 10}
                - ycsb-f
                - {preset: memtier-set, field-size: 248B}
                - memtier-get
              consistency: [{read: master, write: WAIT 0}]
              threads: [8]
            repeats: 1
            """
                .formatted(OPERATIONS));

    study.runWell();

    assertThat(study.plan()).hasSize(KINDS.size());
    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      assertThat(row.path("status").asText()).as(run).isEqualTo("ok");
      assertThat(row.path("operations").asInt()).as(run).isEqualTo(OPERATIONS);
      assertThat(row.path("errors").asText()).as(run).isEqualTo("0");
      // Nobody else writes, and the master has what it acknowledged.
      assertThat(row.path("stale_reads").asText()).as(run).isEqualTo("0");
      Map<String, Long> counts = counts(study.summary(run).path("latency"));
      assertThat(counts.keySet()).as(run).isEqualTo(KINDS.get(row.path("workload").asText()));
      assertThat(counts.values()).as(run).allMatch(count -> count > 0);
      assertThat(counts.remove("rmw_read")).isEqualTo(counts.get("read_modify_write"));
      assertThat(counts.remove("rmw_write")).isEqualTo(counts.get("read_modify_write"));
      assertThat(counts.values().stream().mapToLong(Long::longValue).sum())
          .as(run)
          .isEqualTo(OPERATIONS);
    }
  }

  private static Map<String, Long> counts(JsonNode latency) {
    Map<String, Long> counts = new TreeMap<>();
    latency.properties().forEach(e -> counts.put(e.getKey(), e.getValue().path("count").asLong()));
    return counts;
  }
}
