package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.calando.report.Paper;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRows;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small samples of the papers' studies on the simulator. A study's runs are a function of its file,
 * so what is asserted holds always or never; the intervals tell how near a larger sample is.
 */
class PaperStudiesTest {
  private static final Path STUDIES = Path.of("..", "studies");

  @TempDir Path folder;

  @Test
  void levelsOfTheThesisComeOutAtLeastAsNearAsInTheQueueingModel() throws Exception {
    Map<String, PublishedClaim> claims =
        run(
            "li-2013",
            "matrix.layout=[even]",
            "repeats=3",
            "workload.operations=3000",
            "workload.warm-up=1000",
            "workload.records=10000");
    // The model had 1.39 and 1.87 to 1.97 of all mixes and loads, and 0.42.
    near(claims.get("energy, QUORUM against ONE, all mixes and loads"), 1.39);
    near(claims.get("energy, ALL against ONE, all mixes and loads"), 1.87);
    near(claims.get("throughput, ALL against ONE, moderate, 100 threads"), 0.42);
    assertThat(claims.get("stale reads, share, at QUORUM and ALL").verdict())
        .isEqualTo("reproduced");
    assertThat(claims.get("energy, 70 against 20 threads, moderate, QUORUM").verdict())
        .isEqualTo("reproduced");
  }

  @Test
  void unevenLayoutsSaveNothingContraryToTheThesis() throws Exception {
    Map<String, PublishedClaim> claims =
        run(
            "li-2013",
            "matrix.layout=[even, half]",
            "matrix.workload=[moderate]",
            "matrix.consistency=[QUORUM]",
            "matrix.threads=[70]",
            "repeats=4",
            "workload.operations=4000",
            "workload.warm-up=500",
            "workload.records=10000");
    PublishedClaim half = claims.get("energy, half against even, moderate, QUORUM, 70 threads");
    assertThat(half.published()).isCloseTo(0.76, within(1e-9));
    // With 95 % confidence.
    assertThat(half.low()).isGreaterThan(1);
    assertThat(half.verdict()).isEqualTo("not reproduced");
  }

  /** Ours, with 95 % confidence, is no farther from what was published than the model's figure. */
  private static void near(PublishedClaim claim, double model) {
    double reach = Math.abs(Math.log(model / claim.published()));
    assertThat(Math.abs(Math.log(claim.low() / claim.published())))
        .as(claim.toString())
        .isLessThanOrEqualTo(reach);
    assertThat(Math.abs(Math.log(claim.high() / claim.published())))
        .as(claim.toString())
        .isLessThanOrEqualTo(reach);
  }

  private Map<String, PublishedClaim> run(String name, String... overrides) throws Exception {
    StudySpec study = StudyFile.read(STUDIES.resolve(name + ".yaml"), List.of(overrides));
    Path out = folder.resolve("out");
    StudyRunner.Request request =
        new StudyRunner.Request(study, "", folder, out, false, false, "a test", OptionalInt.of(2));
    StudyRunner.Result result = new StudyRunner(request, Progress.silent(), new StopSignal()).run();
    assertThat(result.failed()).isEmpty();
    return Paper.named(name).orElseThrow().judge(RunRows.read(out)).stream()
        .collect(Collectors.toMap(PublishedClaim::claim, Function.identity()));
  }
}
