package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies under which a node dies or the disk runs full. */
class StudyFailureIT {
  @TempDir Path folder;

  @Test
  void aNodeThatDiesFailsItsRunAndServesTheNext() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: node-death
            store:
              engine: cassandra
              local:
                {nodes: 3, racks: 3, rf: 3, loopback: "127.43",
                 ports: {cql: 9143, storage: 7143, jmx: 7550}}
            workload: {preset: heavy-update, records: 100, duration: 6s}
            matrix: {consistency: [QUORUM], threads: [2]}
            repeats: 2
            power: {baseline: 0s}
            """);
    Progress progress = TestStudy.when("\\[1/2\\].* operations", StudyFailureIT::killSecondNode);

    StudyRunner.Result result = study.run(progress, new StopSignal(), false);

    String first = study.plan().get(0);
    String second = study.plan().get(1);
    assertThat(result.failed()).containsExactly(first);
    assertThat(result.runs()).isEqualTo(2);
    JsonNode failed = study.row(first);
    assertThat(failed.path("status").asText()).isEqualTo("failed");
    assertThat(failed.path("message").asText()).contains("node n2").contains("137");
    assertThat(failed.path("energy_j").asText()).isEmpty();
    // The end of its log: how many lines it wrote since it started differs from machine to machine,
    // but the table of the load came last.
    assertThat(study.text("runs/" + first + "/n2.log").lines())
        .hasSizeBetween(1, 200)
        .anyMatch(line -> line.contains("Initializing calando."));
    assertThat(study.row(second).path("status").asText()).isEqualTo("ok");
    assertThat(study.row(second).path("errors").asText()).isEqualTo("0");
    assertThat(study.row(second).path("energy_j").asDouble()).isPositive();
    assertThat(study.out().resolve("runs/" + second + "/n2.log")).doesNotExist();
    assertThat(study.text("results.csv").lines()).hasSize(3);
    assertThat(study.text("report.html")).contains(first).contains(second);
  }

  /** The node of our own cluster: a child of this JVM with that node's JMX port. */
  private static void killSecondNode() {
    ProcessHandle node =
        ProcessHandle.current()
            .descendants()
            .filter(process -> commandLine(process).contains("cassandra.jmx.local.port=7552\0"))
            .findFirst()
            .orElseThrow();
    assertThat(node.destroyForcibly()).isTrue();
  }

  private static String commandLine(ProcessHandle process) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/cmdline"));
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return ""; // it ended meanwhile
    }
  }
}
