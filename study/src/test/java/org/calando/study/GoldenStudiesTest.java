package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.calando.control.file.AtomicFiles;
import org.calando.core.BadRequestException;
import org.calando.studyfile.Golden;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What comes of every study on the simulator, shortened: its files, or the reason why it is
 * refused. A refused study asks for what only the real engine has.
 */
@Tag(Golden.TAG)
class GoldenStudiesTest {
  private static final Path RESULTS = TestStudy.MODULE.resolve("src/test/golden/studies");

  /** Runs at once; what comes of a run does not depend on their number. */
  private static final int JOBS = Integer.getInteger("calando.golden.jobs", 2);

  /** What is replaced in a study beside its engine and the number of repeats. */
  private static final Map<String, List<String>> SHORTER =
      Map.of(
          "deferred-writes",
          List.of(
              "store.local=",
              "store.sim={nodes: 2, rf: 2}",
              "workload.records=2000",
              "workload.duration=2s",
              "workload.warm-up=500ms"),
          "concerto-sim",
          List.of("workload.records=1000", "workload.operations=4000"),
          "energy-of-consistency",
          List.of("workload.records=1000", "workload.operations=2000", "repeats=2"),
          "harmony-2012-ec2",
          List.of(
              "workload.records=2000",
              "workload.duration=300ms",
              "workload.warm-up=300ms",
              "matrix[0].threads=[15]",
              "matrix[1].threads=[40]"),
          "harmony-2012-grid5000",
          List.of(
              "workload.records=2000",
              "workload.duration=200ms",
              "workload.warm-up=300ms",
              "matrix[0].threads=[15]",
              "matrix[1].threads=[40]"),
          "joint-sim",
          List.of("matrix.duration=60s"),
          "layouts",
          List.of("workload.records=1000", "matrix[0].operations=2000", "repeats=2"),
          "li-2013",
          List.of(
              "workload.records=2000",
              "workload.operations=400",
              "workload.warm-up=100",
              "matrix.threads=[70]",
              "matrix.layout=[even, half, two-thirds]"));

  /** Where the whole folders stay, to compare with those of another version. */
  private static final Path FOLDERS = TestStudy.MODULE.resolve("target/golden");

  static List<String> studies() throws IOException {
    return GoldenPlansTest.names(GoldenPlansTest.STUDIES);
  }

  @Test
  void thereAreNoFilesOfOtherStudies() throws IOException {
    try (Stream<Path> folders = Files.list(RESULTS)) {
      assertThat(folders.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(studies());
    }
    assertThat(studies()).containsAll(SHORTER.keySet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("studies")
  void everyStudyComesOutAsEver(String name) throws Exception {
    Golden.check(RESULTS.resolve(name), filesOf(name));
  }

  private Map<String, String> filesOf(String name) throws IOException, InterruptedException {
    List<String> overrides = new ArrayList<>(List.of("store.engine=sim", "repeats=1"));
    overrides.addAll(SHORTER.getOrDefault(name, List.of()));
    String file = name + ".yaml";
    String text = Files.readString(GoldenPlansTest.STUDIES.resolve(file));
    StudySpec study;
    try {
      study = StudyFile.parse(text, "studies/" + file, GoldenPlansTest.STUDIES, overrides);
    } catch (BadRequestException refused) {
      return Map.of("refused.txt", refused.getMessage() + "\n");
    }
    Path out = FOLDERS.resolve(name);
    AtomicFiles.deleteTree(out);
    StudyRunner.Request request =
        new StudyRunner.Request(
            study,
            study.canonicalText(),
            FOLDERS,
            out,
            false,
            false,
            "./calando study " + file,
            OptionalInt.of(JOBS));
    try {
      StudyRunner.Result result =
          new StudyRunner(request, Progress.silent(), new StopSignal()).run();
      assertThat(result.failed()).isEmpty();
    } catch (BadRequestException refused) {
      return Map.of("refused.txt", refused.getMessage() + "\n");
    }
    return GoldenRuns.of(out);
  }
}
