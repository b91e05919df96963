package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.control.DecisionRow;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.ReadChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Policies decide the level of reads of a running study, on a real cluster with a far node. */
@ExtendWith(SharedCluster.class)
class AdaptiveStudyIT {
  private static final String WORKLOAD =
      """
      repeats: 1
      monitor: {static-levels: true, period: 200ms, window: 400ms, canaries: 20/s}
      workload: {mix: {read: 50%, update: 50%}, distribution: zipfian, records: 100, warm-up: 2s}
      matrix:
        consistency:
      """;

  /** As much as two cores carry that have something else to do as well. */
  private static final String LOAD = "  rate: [{poisson: 100/s}]\n";

  private static final String ADAPTIVE = "pbs-50-one-poisson-100ps-r1";
  private static final String FIXED = "quorum-one-poisson-100ps-r1";

  @TempDir Path folder;

  private TestStudy study(int seconds, String levels) {
    return TestStudy.onInventory(
        folder.resolve(seconds + "s"),
        SharedCluster.inventory(),
        TestStudy.KEYSPACE,
        WORKLOAD + levels + LOAD + "  duration: " + seconds + "s\n");
  }

  private static List<DecisionRow> decisions(TestStudy study, String run) {
    return study.decisions(run).rows();
  }

  /** Replicas that were decided on by figures, not for want of them, while the load went on. */
  private static List<Double> followed(TestStudy study, String run) {
    return decisions(study, run).stream()
        .filter(each -> each.phase().equals("measured"))
        .filter(each -> reasons(each).contains(" stale at "))
        .filter(each -> !reasons(each).contains("held until"))
        .flatMap(each -> choice(each).stream())
        .map(ReadChoice::mean)
        .toList();
  }

  private static Optional<ReadChoice> choice(DecisionRow row) {
    return Optional.of(row.cell("choice_replicas"))
        .filter(cell -> !cell.isEmpty())
        .map(Integer::parseInt)
        .map(cell -> new ReadChoice(cell, Double.parseDouble(row.cell("share_above"))));
  }

  /** A figure; 0 if it is not known. */
  private static double number(DecisionRow row, String column) {
    String cell = row.cell(column);
    return cell.isEmpty() ? 0 : Double.parseDouble(cell);
  }

  private static String reasons(DecisionRow row) {
    return row.cells().getOrDefault("reasons", "");
  }

  @Test
  void harmonyAsPublishedReadsAllOfAHotTableAndSoHasNoStaleRead() throws Exception {
    TestStudy study =
        TestStudy.untilShown(
            4,
            seconds -> study(seconds, "    - {harmony: {tolerate: 5%}}\n"),
            AdaptiveStudyIT::harmonyDecided);

    String run = study.plan().get(0);
    JsonNode row = study.row(run);
    assertThat(row.path("read_level").asText()).isEqualTo("harmony(5%)");
    assertThat(row.path("consistency").asText()).isEqualTo("harmony(5%)/ONE");
    assertThat(row.path("policy").asText()).isEqualTo("harmony");
    assertThat(row.path("tolerated").asText()).isEqualTo("0.05");
    assertThat(whereTwoWereTooFew(study, run)).containsOnly(Optional.of(ReadChoice.of(3)));
    if (everyReadAskedAll(study, run)) {
      assertThat(row.path("stale_reads").asText()).isEqualTo("0");
    }
    assertThat(row.path("monitor_requests").asLong()).isPositive();
    // The table as if it had one key: far more than is measured.
    assertThat(row.path("harmony_one").asDouble()).isGreaterThan(row.path("pbs_one").asDouble());
  }

  private static void harmonyDecided(TestStudy study) {
    String run = study.plan().get(0);
    JsonNode row = study.row(run);
    assertThat(whereTwoWereTooFew(study, run)).isNotEmpty();
    assertThat(row.path("reads").asLong()).isPositive();
    assertThat(row.path("decisions").asLong()).isPositive();
    assertThat(row.path("canary_reads").asLong()).isPositive();
    assertThat(row.path("harmony_one").asText()).isNotEmpty();
    assertThat(row.path("pbs_one").asText()).isNotEmpty();
  }

  /**
   * What was decided where the published estimate, of which reads of two replicas have half, is
   * three times what is tolerated. Where a busy machine makes acknowledgements late, little is left
   * of a lag after them, and fewer replicas do at times.
   */
  private static List<Optional<ReadChoice>> whereTwoWereTooFew(TestStudy study, String run) {
    return decisions(study, run).stream()
        .filter(each -> each.phase().equals("measured"))
        .filter(each -> reasons(each).contains(" stale at "))
        .filter(each -> number(each, "live_replicas") == 3)
        .filter(each -> number(each, "harmony_one") > 3 * 0.05)
        .map(AdaptiveStudyIT::choice)
        .toList();
  }

  /** Not on a machine that stands still at times: nothing is read then, and one replica will do. */
  private static boolean everyReadAskedAll(TestStudy study, String run) {
    return study.row(run).path("mean_replicas").asDouble() == 3
        && decisions(study, run).stream()
            .filter(each -> !each.phase().equals("warm-up"))
            .allMatch(each -> choice(each).equals(Optional.of(ReadChoice.of(3))));
  }

  @Test
  void measuredLagsLetAPolicyReadWeakerWithinItsPromiseAndTheSameAgain() throws Exception {
    TestStudy study =
        TestStudy.untilShown(
            4,
            seconds ->
                study(seconds, "    - {pbs: {tolerate: 50%}}\n    - {read: QUORUM, write: ONE}\n"),
            AdaptiveStudyIT::readsBecameWeaker);

    JsonNode row = study.row(ADAPTIVE);
    assertThat(mean(followed(study, ADAPTIVE))).isLessThan(1.5);
    assertThat(row.path("stale_rate").asDouble()).isLessThan(0.5);
    List<DecisionRow> rows = decisions(study, ADAPTIVE);
    assertThat(choice(rows.get(0))).as("the fallback").isEqualTo(Optional.of(ReadChoice.of(2)));
    assertThat(replayed(study, ADAPTIVE)).isEmpty();

    JsonNode fixed = study.row(FIXED);
    assertThat(fixed.path("policy").asText()).isEmpty();
    assertThat(fixed.path("mean_replicas").asDouble()).isEqualTo(2);
    assertThat(fixed.path("pbs_rate").asDouble()).isLessThan(fixed.path("pbs_one").asDouble());
    assertThat(study.resume().failed()).isEmpty();
  }

  private static void readsBecameWeaker(TestStudy study) {
    assertThat(study.row(ADAPTIVE).path("one_share").asDouble()).isPositive();
    assertThat(study.row(ADAPTIVE).path("mean_replicas").asDouble()).isLessThan(3);
    assertThat(followed(study, ADAPTIVE)).isNotEmpty();
    assertThat(decisions(study, ADAPTIVE))
        .anyMatch(each -> each.second() > 0 && each.phase().equals("measured"));
    assertThat(study.row(FIXED).path("pbs_one").asDouble()).isPositive();
  }

  private static double mean(List<? extends Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Where the same policy chooses something else from the observations of the file. */
  private static List<String> replayed(TestStudy study, String run) {
    AdaptivePolicy policy =
        RunPlan.of(study.spec()).stream()
            .filter(each -> each.id().equals(run))
            .flatMap(each -> RunControllers.of(study.spec(), each).stream())
            .filter(AdaptivePolicy.class::isInstance)
            .map(AdaptivePolicy.class::cast)
            .findFirst()
            .orElseThrow();
    return study.decisions(run).differences(policy);
  }
}
