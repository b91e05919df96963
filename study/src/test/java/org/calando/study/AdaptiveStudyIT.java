package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.control.DecisionFile;
import org.calando.control.DecisionRow;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Decision;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.study.config.LevelPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Policies decide the level of reads of a running study, on a real cluster with a far node. */
@ExtendWith(SharedCluster.class)
class AdaptiveStudyIT {
  private static final String LOAD =
      """
        rate: [{poisson: 250/s}]
      repeats: 1
      monitor: {static-levels: true, period: 200ms, window: 400ms, canaries: 20/s}
      """;

  @TempDir Path folder;

  private TestStudy study(String levels) throws InterruptedException {
    TestStudy study =
        TestStudy.onInventory(
            folder,
            SharedCluster.inventory(),
            TestStudy.KEYSPACE,
            """
            workload:
              {mix: {read: 50%, update: 50%}, distribution: zipfian, records: 100, duration: 4s, warm-up: 2s}
            matrix:
              consistency:
            """
                + levels
                + LOAD);
    assertThat(study.run().failed()).isEmpty();
    return study;
  }

  private static List<DecisionRow> decisions(TestStudy study, String run) {
    return DecisionFile.read(study.out().resolve("runs").resolve(run).resolve("decisions.csv"))
        .rows();
  }

  @Test
  void harmonyAsPublishedReadsAllOfAHotTableAndSoHasNoStaleRead() throws Exception {
    TestStudy study = study("    - {harmony: {tolerate: 5%}}\n");

    JsonNode row = study.row(study.plan().get(0));
    assertThat(row.path("read_level").asText()).isEqualTo("harmony(5%)");
    assertThat(row.path("consistency").asText()).isEqualTo("harmony(5%)/ONE");
    assertThat(row.path("policy").asText()).isEqualTo("harmony");
    assertThat(row.path("tolerated").asText()).isEqualTo("0.05");
    assertThat(row.path("stale_reads").asText()).isEqualTo("0");
    assertThat(row.path("mean_replicas").asDouble()).isGreaterThan(2.5);
    assertThat(row.path("decisions").asLong()).isPositive();
    assertThat(row.path("monitor_requests").asLong()).isPositive();
    assertThat(row.path("canary_reads").asLong()).isPositive();
    // The table as if it had one key: far more than is measured.
    assertThat(row.path("harmony_one").asDouble()).isGreaterThan(row.path("pbs_one").asDouble());
  }

  @Test
  void measuredLagsLetAPolicyReadWeakerWithinItsPromiseAndTheSameAgain() throws Exception {
    TestStudy study = study("    - {pbs: {tolerate: 50%}}\n    - {read: QUORUM, write: ONE}\n");

    String adaptive = "pbs-50-one-poisson-250ps-r1";
    JsonNode row = study.row(adaptive);
    assertThat(row.path("mean_replicas").asDouble()).isLessThan(3);
    assertThat(row.path("one_share").asDouble()).isPositive();
    assertThat(row.path("stale_rate").asDouble()).isLessThan(0.5);
    List<DecisionRow> rows = decisions(study, adaptive);
    // A busy machine's figures may be old at times, and reads safe until they are not.
    assertThat(
            rows.stream()
                .filter(each -> each.phase().equals("measured"))
                .filter(each -> !each.cells().getOrDefault("reasons", "").contains(" old, and may"))
                .flatMap(each -> each.choice().stream())
                .mapToDouble(ReadChoice::mean))
        .isNotEmpty()
        .satisfies(means -> assertThat(mean(means)).isLessThan(1.5));
    assertThat(rows).anyMatch(each -> each.second() > 0 && each.phase().equals("measured"));
    assertThat(rows.get(0).choice()).isEqualTo(Optional.of(ReadChoice.of(3)));
    assertThat(replayed(study, adaptive))
        .isEqualTo(rows.stream().map(DecisionRow::choice).toList());

    JsonNode fixed = study.row("quorum-one-poisson-250ps-r1");
    assertThat(fixed.path("policy").asText()).isEmpty();
    assertThat(fixed.path("mean_replicas").asDouble()).isEqualTo(2);
    assertThat(fixed.path("pbs_one").asDouble()).isPositive();
    assertThat(fixed.path("pbs_rate").asDouble()).isLessThan(fixed.path("pbs_one").asDouble());
    assertThat(study.resume().failed()).isEmpty();
  }

  private static double mean(List<? extends Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** What the same policy chooses again from the observations of the file. */
  private static List<Optional<ReadChoice>> replayed(TestStudy study, String run) {
    LevelPair pair =
        RunPlan.of(study.spec()).stream()
            .filter(each -> each.id().equals(run))
            .map(RunConfig::levels)
            .findFirst()
            .orElseThrow();
    SafeLevel safe = SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false);
    AdaptivePolicy policy = pair.policy().orElseThrow().policy(safe, false);
    return DecisionFile.read(study.out().resolve("runs").resolve(run).resolve("decisions.csv"))
        .replay(policy)
        .stream()
        .map(AdaptiveStudyIT::choice)
        .toList();
  }

  private static Optional<ReadChoice> choice(Decision<?> decision) {
    return decision.step().settings().stream()
        .map(setting -> (ReadChoice) setting.value())
        .findFirst();
  }
}
