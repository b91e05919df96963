package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.LoadBounds;
import org.calando.engine.Target;
import org.calando.report.RunRow;
import org.calando.report.column.RunColumns;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSeriesTest {
  private static final String STUDY =
      """
      study: refused
      store: {engine: sim, sim: {nodes: 3, rf: 3}}
      workload: {preset: heavy-update, records: 100}
      matrix: {consistency: [ONE, TWO, ALL], threads: [2], duration: 8s}
      repeats: 1
      """;

  @TempDir Path base;

  private int runs;

  @Test
  void aRunThatIsRefusedDoesNotStopTheOthers() throws InterruptedException {
    Map<String, RunRow> rows = rows(2);
    assertThat(rows).hasSize(3);
    assertThat(rows.values()).filteredOn(RunRow::failed).hasSize(3);
    assertThat(rows.values())
        .filteredOn(row -> row.text(RunColumns.MESSAGE).contains("has another owner"))
        .hasSize(1);
  }

  @Test
  void whereTheFirstIsRefusedNothingIsRecorded() {
    assertThatThrownBy(() -> rows(1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("has another owner");
    assertThat(runs).isEqualTo(1);
  }

  private Map<String, RunRow> rows(int refused) throws InterruptedException {
    StudySpec study = TestStudy.of(base, STUDY).spec();
    StopSignal stop = new StopSignal();
    RunProcedure.Works works =
        (task, watching) -> {
          runs++;
          if (runs == refused) {
            throw new BadRequestException("has another owner", "knob dial", "end it");
          }
          throw new FailedWorkException("a test", "", "");
        };
    try (StudyFolder folder =
        StudyFolder.open(base.resolve("out"), study.fingerprint(), study.canonicalText(), false)) {
      new RunSeries(
              new RunKeeper(folder),
              new Nowhere(),
              new RunProcedure(study, works, stop, Progress.silent()),
              new RunSummary(study, "sim", "", 0),
              Progress.silent(),
              stop,
              false)
          .carryOut(RunPlan.of(study), 0, 0, () -> {});
      return Map.copyOf(folder.rows());
    }
  }

  /** A cluster without a node. */
  private static final class Nowhere implements Target {
    @Override
    public List<Node> nodes() {
      return List.of();
    }

    @Override
    public KeyValueStore connect(LoadBounds bounds) {
      throw new IllegalStateException("a test");
    }

    @Override
    public List<String> heal() {
      return List.of();
    }

    @Override
    public void onProcessEnd(Consumer<String> listener) {}

    @Override
    public Optional<ClusterControl> control() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
