package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Studies of gears on a real HDFS of three nodes. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HdfsStudyIT {
  /** A day in 14 s: with two nodes from 03:00 to 15:00, which is 1.75 s to 8.75 s. */
  private static final String STUDY =
      """
      study: test
      store: {engine: hdfs, local: {nodes: 3, gears: [2, 3], layout: rabbit, capacity: 100/s}}
      workload: {files: {files: 2, file-size: 1MB, block-size: 128KB, read-size: 32KB,
        streams: 1, stream-rate: 256KB, stream-file-size: 256KB}}
      matrix:
        - {gear: [1, 2], threads: [1], duration: 2s}
        - {gear: [{schedule: [{at: "03:00", gear: 1}, {at: "15:00", gear: 2}]}],
           rate: [{days: {peak: 30/s, number: 1, shape: steep, compress: 6171}}], duration: 14s}
      repeats: 1
      monitor: {period: 500ms}
      power: {baseline: 0s, meter: model,
        profile: {name: small, off: 5, idle: 50, busy: 100, cores: 4, boot-seconds: 1, boot-watts: 70}}
      """;

  @TempDir Path folder;

  @Test
  void gearsAndTheirPolicyRunOnOneCluster() throws Exception {
    TestStudy study = TestStudy.of(folder, STUDY);
    study.runWell();
    JsonNode low = row(study, "gear-1");
    JsonNode high = row(study, "gear-2");
    // One of three nodes is off, and those that are left draw 50 W to 100 W each.
    assertThat(number(low, "power_mean_w")).isBetween(105.0, 205.0);
    assertThat(number(low, "power_max_min")).isGreaterThanOrEqualTo(45.0);
    assertThat(number(high, "power_mean_w")).isBetween(150.0, 300.0);
    assertThat(number(high, "power_max_min")).isLessThan(45.0);
    for (JsonNode row : List.of(low, high)) {
      assertThat(number(row, "errors")).isZero();
      assertThat(number(row, "read_bytes")).isPositive();
      assertThat(number(row, "written_bytes")).isPositive();
      assertThat(number(row, "joules_per_mb"))
          .isCloseTo(
              number(row, "energy_j")
                  / ((number(row, "read_bytes") + number(row, "written_bytes")) / 1e6),
              within(0.001 * number(row, "joules_per_mb")));
      assertThat(row.path("stale_rate").asText() + row.path("consistency").asText()).isEmpty();
    }
    assertThat(number(high, "gear_shifts")).isZero();
    assertThat(number(low, "gear_shifts")).isEqualTo(2);
    JsonNode shifts = study.summary(id(study, "gear-1")).path("shifts");
    assertThat(shifts).hasSize(2);
    JsonNode up = shifts.get(1);
    assertThat(up.path("to").asInt()).isEqualTo(2);
    // What has its home on the third node was written elsewhere.
    assertThat(up.path("moved_bytes").asLong())
        .isPositive()
        .isLessThanOrEqualTo(up.path("predicted_bytes").asLong());
    assertThat(up.path("joules").asDouble()).isGreaterThan(70 + 50 * up.path("seconds").asDouble());
    policy(study);
    assertThat(study.out().resolve("report.html"))
        .content()
        .contains("Shifts one by one", "gear 2 to 1", "gear 1 to 2");
    keepReport(study);
  }

  private static void policy(TestStudy study) throws Exception {
    JsonNode row = row(study, "gear-schedule");
    assertThat(number(row, "gear_shifts")).isEqualTo(2);
    assertThat(number(row, "errors")).isZero();
    assertThat(number(row, "shift_energy_j")).isGreaterThan(70);
    assertThat(study.decisions(id(study, "gear-schedule")).rows())
        .extracting(decision -> decision.cell("in_force") + " -> " + decision.cell("settings"))
        .anyMatch(line -> line.startsWith("gear 2 -> ") && line.endsWith("=1"))
        .anyMatch(line -> line.startsWith("gear 1 -> ") && line.endsWith("=2"));
  }

  /** For whoever wants to look at it: the folder of the test is removed. */
  private static void keepReport(TestStudy study) throws Exception {
    String kept = System.getProperty("calando.keep.report", "");
    if (!kept.isEmpty()) {
      Files.copy(study.out().resolve("report.html"), Path.of(kept));
    }
  }

  private static String id(TestStudy study, String start) {
    return study.plan().stream().filter(each -> each.startsWith(start)).findFirst().orElseThrow();
  }

  private static JsonNode row(TestStudy study, String start) throws Exception {
    return study.summary(id(study, start)).path("row");
  }

  private static double number(JsonNode row, String column) {
    return Double.parseDouble(row.path(column).asText());
  }
}
