package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.report.column.ResultColumns;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyFolderTest {
  private static final String PRINT = "abc";

  @TempDir Path parent;

  private Path root;

  @BeforeEach
  void name() {
    root = parent.resolve("out").resolve("test");
  }

  @Test
  void whatIsFinishedIsThereForTheResume() throws IOException {
    try (StudyFolder folder = open(false)) {
      assertThat(folder.environment()).isNull();
      begin(folder);
      finish(folder, "one-r1", "ok");
      assertThat(folder.rows()).containsOnlyKeys("one-r1");
    }
    assertThat(names(root)).containsExactly("environment.json", "runs", "study.yaml");
    assertThat(root.resolve("runs/one-r1/ops.csv")).hasContent("second\n");
    try (StudyFolder folder = open(true)) {
      assertThat(folder.rows().get("one-r1").failed()).isFalse();
      assertThat(folder.environment()).isNotNull();
      assertThat(folder.environment().path("fingerprint").asText()).isEqualTo(PRINT);
    }
  }

  @Test
  void finishedRunsAreNotStartedOverUnasked() {
    study("one-r1");
    assertThatThrownBy(() -> open(false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith(root + ": holds a study already")
        .hasMessageContaining("--resume");
  }

  @Test
  void otherSettingsAreNotResumed() throws IOException {
    study("one-r1");
    Files.writeString(root.resolve("study.yaml"), "repeats: 3\nstore: {sim: {nodes: 5}, rf: 3}\n");
    String yaml = "repeats: 3\nseed: 7\nstore: {sim: {nodes: 9}, rf: 3}\n";
    assertThatThrownBy(() -> StudyFolder.open(root, "other", yaml, true))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("other settings than the one to resume: seed, store.sim.nodes differ")
        .hasMessageContaining("study.yaml");
    assertThat(names(root)).doesNotContain(".lock");
  }

  @Test
  void aStartThatFinishedNoRunIsNoObstacleToAnother() throws IOException {
    try (StudyFolder folder = open(false)) {
      begin(folder);
      folder.begin("one-r1");
    }
    try (StudyFolder folder = StudyFolder.open(root, "other", "", false)) {
      assertThat(folder.environment()).as("nothing was measured in it").isNull();
      assertThat(names(root.resolve("runs"))).isEmpty();
    }
  }

  @Test
  void aStartThatWroteNothingLeavesNothing() {
    open(false).close();
    assertThat(root).doesNotExist();
  }

  @Test
  void anEmptyFolderOfTheUsersStays() throws IOException {
    Files.createDirectories(root);
    open(false).close();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void foldersOfOthersAreRefusedAndUntouched() throws IOException {
    for (String file : List.of("study.yaml", "thesis.tex", "runs/mine.txt", ".git/config")) {
      Path foreign = parent.resolve("foreign-" + file.replace('/', '-'));
      TestStudy.write(foreign.resolve(file), "mine");
      TestStudy.write(foreign.resolve(".lock"), "mine too");
      assertThatThrownBy(() -> StudyFolder.open(foreign, PRINT, "", true))
          .as(file)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("holds no study")
          .hasMessageContaining("--out");
      assertThat(foreign.resolve(file)).hasContent("mine");
      assertThat(foreign.resolve(".lock")).hasContent("mine too");
    }
  }

  @Test
  void anEnvironmentOfSomethingElseMakesNoStudy() {
    TestStudy.write(root.resolve("environment.json"), "{\"production\": true}");
    assertThatThrownBy(() -> open(false)).hasMessageContaining("holds no study");
    assertThat(root.resolve("environment.json")).hasContent("{\"production\": true}");
  }

  @Test
  void aFileIsNoFolder() {
    TestStudy.write(root, "text");
    assertThatThrownBy(() -> open(false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is not a folder");
    assertThat(root).hasContent("text");
  }

  @Test
  void whatAKilledProcessLeftIsDiscarded() throws IOException {
    study("one-r1");
    TestStudy.write(root.resolve(".lock"), "of a process that is gone");
    TestStudy.write(root.resolve("runs/.unfinished-all-r1/ops.csv"), "half a li");
    TestStudy.write(root.resolve(".results.csv.new"), "run,eng");
    try (StudyFolder folder = open(true)) {
      assertThat(folder.rows()).containsOnlyKeys("one-r1");
      assertThat(names(root.resolve("runs"))).containsExactly("one-r1");
    }
    assertThat(names(root)).containsExactly("environment.json", "runs", "study.yaml");
  }

  @Test
  void aKillBeforeTheFirstFileIsNoObstacle() {
    TestStudy.write(root.resolve(".lock"), "of a process that is gone");
    TestStudy.write(root.resolve(".environment.json.new"), "{");
    open(false).close();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void aDamagedSummaryIsARunToRepeat() throws IOException {
    study("one-r1", "one-r2", "one-r3", "one-r4");
    Files.writeString(root.resolve("runs/one-r1/summary.json"), "{\"row\": {\"status\": \"o");
    Files.writeString(root.resolve("runs/one-r2/summary.json"), "");
    Files.delete(root.resolve("runs/one-r3/summary.json"));
    try (StudyFolder folder = open(true)) {
      assertThat(folder.rows()).containsOnlyKeys("one-r4");
      finish(folder, "one-r1", "ok");
      assertThat(folder.rows()).containsOnlyKeys("one-r1", "one-r4");
    }
    assertThat(root.resolve("runs/one-r1/summary.json")).content().contains("\"ok\"");
  }

  @Test
  void theTableOfAVersionThatWroteAllColumnsIsMadeAnewWithThoseThatAreFilled() throws IOException {
    study("one-r1");
    Path summary = root.resolve("runs/one-r1/summary.json");
    ObjectNode row = StudyFolder.object();
    ResultColumns.ALL.forEach(column -> row.put(column.name(), ""));
    row.put("run", "one-r1").put("status", "ok").put("gear_shifts", "0").put("gone", "x");
    Files.writeString(summary, StudyFolder.object().set("row", row).toString());
    Files.writeString(root.resolve("results.csv"), "run,status,lost_hints,gear_shifts\n");
    try (StudyFolder folder = open(true)) {
      finish(folder, "one-r2", "ok");
      folder.writeResults(List.copyOf(new TreeMap<>(folder.rows()).values()));
    }
    List<String> lines = Files.readAllLines(root.resolve("results.csv"));
    assertThat(lines.get(0)).startsWith("run,engine,").endsWith(",status,gear_shifts");
    assertThat(lines.get(1)).startsWith("one-r1,").endsWith(",ok,0");
    assertThat(lines.get(2)).startsWith("one-r2,").endsWith(",ok,");
  }

  @Test
  void anAbandonedRunLeavesNothing() throws IOException {
    try (StudyFolder folder = open(false)) {
      begin(folder);
      Path run = folder.begin("one-r1");
      Files.writeString(run.resolve("ops.csv"), "second\n");
      folder.abandon("one-r1");
      assertThat(names(root.resolve("runs"))).isEmpty();
      assertThat(folder.rows()).isEmpty();
    }
  }

  @Test
  void theRepeatOfAFailedRunReplacesIt() throws IOException {
    try (StudyFolder folder = open(false)) {
      begin(folder);
      finish(folder, "one-r1", "failed");
    }
    try (StudyFolder folder = open(true)) {
      assertThat(folder.rows().get("one-r1").failed()).isTrue();
      finish(folder, "one-r1", "ok");
      assertThat(folder.rows().get("one-r1").failed()).isFalse();
    }
  }

  private StudyFolder open(boolean resume) {
    return StudyFolder.open(root, PRINT, "", resume);
  }

  /** A study of which these runs are finished. */
  private void study(String... runs) {
    try (StudyFolder folder = open(false)) {
      begin(folder);
      for (String run : runs) {
        finish(folder, run, "ok");
      }
    }
  }

  private static void begin(StudyFolder folder) {
    folder.writeEnvironment(StudyFolder.object().put("fingerprint", PRINT));
    folder.writeStudy("study: test\n");
  }

  private static void finish(StudyFolder folder, String run, String status) {
    TestStudy.write(folder.begin(run).resolve("ops.csv"), "second\n");
    ObjectNode summary = StudyFolder.object();
    summary.putObject("row").put("run", run).put("status", status);
    folder.finish(run, summary);
  }

  private static List<String> names(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
