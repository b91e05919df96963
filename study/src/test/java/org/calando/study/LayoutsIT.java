package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study whose cluster starts anew for each token layout. */
class LayoutsIT {
  @TempDir Path folder;

  @Test
  void everyLayoutOfABlockHasAClusterOfItsOwn() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: layouts
            store:
              engine: cassandra
              local:
                {nodes: 2, racks: 1, rf: 1, loopback: "127.47",
                 ports: {cql: 9147, storage: 7147, jmx: 7580}}
            workload: {preset: heavy-update, records: 50, operations: 100}
            matrix: {layout: [even, half], consistency: [ONE], threads: [1, 2]}
            repeats: 1
            power: {meter: model, profile: xeon-x3440, baseline: 0s}
            """);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(lines, true, StandardCharsets.UTF_8);

    StudyRunner.Result result =
        study.run(new Progress(stream, false, 200), new StopSignal(), false);

    assertThat(result.failed()).as(lines.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(study.plan()).hasSize(4);
    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      assertThat(row.path("status").asText()).as(run).isEqualTo("ok");
      assertThat(row.path("layout").asText()).isEqualTo(run.substring(0, run.indexOf('-')));
      assertThat(row.path("errors").asText()).isEqualTo("0");
    }
    List<String> told = lines.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(told).containsOnlyOnce("Starting 2 Cassandra nodes, layout even ...");
    assertThat(told).containsOnlyOnce("Starting 2 Cassandra nodes, layout half ...");
    for (int number = 1; number <= 4; number++) {
      String heading = "[%d/4]".formatted(number);
      assertThat(told).anyMatch(line -> line.startsWith(heading));
    }
    assertThat(told).filteredOn(line -> line.startsWith("Energy: ")).hasSize(1);
    assertThat(study.environment().path("finished").asText()).isNotEmpty();
    assertThat(study.environment().path("notes").toString()).doesNotContain("resumed");
    assertThat(study.text("report.html")).contains("half");
    assertThat(study.resume().runs()).isEqualTo(4);
  }
}
