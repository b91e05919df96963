package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a study does without a cluster: this one's contact point refuses. */
class StudyRunnerTest {
  @TempDir Path folder;

  @Test
  void aStopBeforeTheFirstRunLeavesNothing() {
    StopSignal stop = new StopSignal();
    stop.request();
    TestStudy study = study(2);
    assertThatThrownBy(() -> study.run(Progress.silent(), stop, false))
        .isInstanceOf(StopSignal.StoppedException.class);
    assertThat(study.out()).doesNotExist();
  }

  @Test
  void aStudyThatIsFinishedNeedsNoClusterAndGetsItsTableAndReportAgain() throws Exception {
    TestStudy study = study(2);
    try (StudyFolder out = StudyFolder.open(study.out(), study.spec().fingerprint(), "", false)) {
      out.writeEnvironment(
          EnvironmentFile.begin(
                  study.request(false),
                  null,
                  "cassandra",
                  List.of(),
                  new MeterChoice(Optional.empty(), List.of(), false),
                  List.of())
              .json());
      RunSummary summaries = new RunSummary(study.spec(), "cassandra", "xeon-x3440", 0);
      for (RunConfig run : RunPlan.of(study.spec())) {
        TestStudy.write(out.begin(run.id()).resolve("ops.csv"), "second,phase\n");
        ObjectNode summary = summaries.failed(run, "", Instant.EPOCH, Instant.EPOCH);
        summary.withObject("/row").put("status", "ok");
        out.finish(run.id(), summary);
      }
    }

    StudyRunner.Result result = study.resume();

    assertThat(result.runs()).isEqualTo(2);
    assertThat(result.failed()).isEmpty();
    assertThat(
            study
                .text("results.csv")
                .lines()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(','))))
        .containsExactlyElementsOf(study.plan());
    assertThat(result.report()).isEqualTo(study.out().resolve("report.html")).isNotEmptyFile();
  }

  @Test
  void aFolderOfSomebodyElseIsRefusedBeforeAnyWork() throws IOException {
    TestStudy study = study(1);
    TestStudy.write(study.out().resolve("thesis.tex"), "mine");
    assertThatThrownBy(study::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(study.out().toString());
    try (var files = Files.list(study.out())) {
      assertThat(files).containsExactly(study.out().resolve("thesis.tex"));
    }
  }

  private TestStudy study(int repeats) {
    return TestStudy.onInventory(
        folder,
        """
        nodes:
          - {name: c1, address: 127.43.0.97, port: 9}
          - {name: c2, address: 127.43.0.98, port: 9}
          - {name: c3, address: 127.43.0.99, port: 9}
        """,
        TestStudy.KEYSPACE,
        """
        workload: {preset: heavy-update, operations: 10}
        matrix: {consistency: [ONE], threads: [1]}
        repeats: %d
        """
            .formatted(repeats));
  }
}
