package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.report.column.RunRecord;
import org.calando.study.event.ClusterWatch;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunProcedureTest {
  private static final StudySpec STUDY =
      StudyFile.parse(
          "{study: s, store: {engine: sim}, workload: {preset: ycsb-c, records: 10, operations:"
              + " 10}, matrix: {consistency: [ONE], threads: [1]}}",
          "study.yaml",
          Path.of(""),
          List.of());

  @TempDir Path folder;
  private final List<String> calls = new ArrayList<>();
  private final StopSignal stop = new StopSignal();

  @Test
  void aRunGoesThroughItsCourseAndIsRestoredOnceItsPartsAreClosed() throws Exception {
    RunRecord found = execute(cluster -> {});
    assertThat(calls)
        .containsExactly(
            "prepare", "begin", "carry out", "end", "record", "close", "restore", "watched");
    assertThat(found.failed()).isFalse();
  }

  @Test
  void whatHappenedToTheClusterIsWhyItFailed() throws Exception {
    RunRecord found = execute(cluster -> cluster.failed("node n2 ended"));
    assertThat(found.notes()).containsExactly("node n2 ended");
    assertThatThrownBy(
            () ->
                execute(
                    cluster -> {
                      cluster.failed("node n2 ended");
                      throw new FailedWorkException("no answer", "table", "");
                    }))
        .hasMessageContaining("node n2 ended")
        .hasCauseInstanceOf(FailedWorkException.class);
    assertThat(calls).endsWith("close", "watched");
  }

  @Test
  void whatFailsOnceTheUserEndsTheStudyIsNoFailure() {
    assertThatThrownBy(
            () ->
                execute(
                    cluster -> {
                      stop.request();
                      throw new InterruptedException();
                    }))
        .isInstanceOf(StopSignal.StoppedException.class);
    assertThat(calls).endsWith("close", "watched");
  }

  private interface Load {
    void go(ClusterWatch cluster) throws InterruptedException;
  }

  private RunRecord execute(Load load) throws InterruptedException {
    try (RunFiles files = RunFiles.open(folder)) {
      return new RunProcedure(
              STUDY,
              (task, watching) -> {
                watching.closes(() -> calls.add("watched"));
                return new Work(task.cluster(), load);
              },
              stop,
              Progress.silent())
          .execute(RunPlan.of(STUDY).get(0), files, "");
    }
  }

  private final class Work implements RunProcedure.Work {
    private final ClusterWatch cluster;
    private final Load load;

    Work(ClusterWatch cluster, Load load) {
      this.cluster = cluster;
      this.load = load;
    }

    @Override
    public void prepare(RunParts parts) {
      calls.add("prepare");
    }

    @Override
    public void begin(RunParts parts) {
      calls.add("begin");
    }

    @Override
    public void carryOut(RunParts parts) throws InterruptedException {
      calls.add("carry out");
      load.go(cluster);
    }

    @Override
    public void end() {
      calls.add("end");
    }

    @Override
    public void record(RunRecord found) {
      calls.add("record");
    }

    @Override
    public void close() {
      calls.add("close");
    }

    @Override
    public void restore(RunRecord found) {
      calls.add("restore");
    }
  }
}
