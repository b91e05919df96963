package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.AdaptiveState;
import org.calando.core.policy.Decision;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.staleness.ExactStaleness;
import org.calando.core.staleness.Harmony;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLogTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double TP = 0.02;

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("decisions.csv");
  }

  /** 100 reads and 4 writes a second of one key, the last replicas 20 ms behind. */
  private static Observation observation(long atNanos) {
    double[][] lags = {{0, TP, TP}};
    return new Observation(
        atNanos,
        Table.NAME,
        3,
        1,
        3,
        0,
        Optional.of(new Rates(atNanos, 100, 4, 512)),
        Optional.of(new Lags(atNanos, PropagationLags.of(3, lags))),
        Optional.of(new Popularity(atNanos, KeyPopularity.uniform(1))),
        Optional.of(new Truth(atNanos, 40, 3, 2.5)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  private static Observation without(Observation o) {
    return new Observation(
        o.atNanos(),
        o.target(),
        3,
        1,
        2,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  private static void write(DecisionLog log, Policy<?> policy, List<? extends Decision<?>> rows) {
    LoopListener listener = log.ofTable(policy, Table.LEVELS, Table.SAFE);
    rows.forEach(row -> listener.decided(row, ""));
  }

  private static <S> List<Decision<S>> decisions(Policy<S> policy, Observation... observations) {
    PolicyLoop<S> loop = new PolicyLoop<>(policy, observations[0].target());
    return Stream.of(observations).map(loop::decide).toList();
  }

  @Test
  void aRowTellsTheChoiceTheFiguresAndWhatEachModelSaysOfThem() {
    StaticPolicy policy = new StaticPolicy(new ReadChoice(1, 0.25));
    try (DecisionLog log = DecisionLog.open(file)) {
      write(log, policy, decisions(policy, observation(7 * SECOND)));
    }
    DecisionRow row = DecisionFile.read(file).rows().get(0);
    assertThat(row.cells())
        .containsEntry("choice_replicas", "1")
        .containsEntry("share_above", "0.25")
        .containsEntry("mean_replicas", "1.25")
        .containsEntry("level", "ONE")
        .containsEntry("level_above", "QUORUM")
        .containsEntry("changed", "true")
        .containsEntry("reads_per_s", "100")
        .containsEntry("writes_per_s", "4")
        .containsEntry("write_bytes", "512")
        .containsEntry("propagation_ms", "20")
        .containsEntry("live_replicas", "3")
        .containsEntry("tolerated", "")
        .containsEntry("factor", "")
        .containsEntry("truth_reads", "40")
        .containsEntry("truth_stale", "3")
        .containsEntry("truth_predicted", "2.5")
        .containsEntry("state_before", "static/1");
    assertThat(row.cells().get("reasons")).startsWith("static: 1 replica, one more for 25 %");

    Harmony harmony = new Harmony(3, 100, 4, TP);
    ExactStaleness exact = ExactStaleness.of(3, 1, TP, 4, KeyPopularity.uniform(1));
    assertThat(Double.parseDouble(row.cell("harmony_one"))).isEqualTo(harmony.rate(1));
    assertThat(Double.parseDouble(row.cell("exact_one"))).isEqualTo(exact.rate(1));
    assertThat(Double.parseDouble(row.cell("harmony")))
        .isCloseTo(0.75 * harmony.rate(1) + 0.25 * harmony.rate(2), within(1e-12));
    assertThat(Double.parseDouble(row.cell("exact")))
        .isCloseTo(0.75 * exact.rate(1) + 0.25 * exact.rate(2), within(1e-12));
    // The lags are the model's own here, and its rates are good to 3e-6.
    assertThat(Double.parseDouble(row.cell("pbs_one"))).isCloseTo(exact.rate(1), within(1e-5));
    assertThat(Double.parseDouble(row.cell("pbs")))
        .isCloseTo(Double.parseDouble(row.cell("exact")), within(1e-5));
  }

  @Test
  void whatIsNotKnownIsEmpty() {
    HarmonyExactPolicy policy = new HarmonyExactPolicy(AdaptiveConfig.of(0.05));
    try (DecisionLog log = DecisionLog.open(file)) {
      write(log, policy, decisions(policy, without(observation(0))));
    }
    DecisionRow row = DecisionFile.read(file).rows().get(0);
    for (String column :
        List.of(
            "reads_per_s",
            "writes_per_s",
            "write_bytes",
            "propagation_ms",
            "harmony_one",
            "exact_one",
            "pbs_one",
            "harmony",
            "exact",
            "pbs",
            "truth_reads",
            "level_above")) {
      assertThat(row.cells()).containsEntry(column, "");
    }
    assertThat(row.cells())
        .containsEntry("level", "QUORUM")
        .containsEntry("live_replicas", "2")
        .containsEntry("tolerated", "0.05")
        .containsEntry("factor", "1");
  }

  @Test
  void theFactorIsWhatCanaryReadsTaught() {
    HarmonyExactPolicy policy = new HarmonyExactPolicy(AdaptiveConfig.of(0.05));
    List<Decision<AdaptiveState>> decisions = decisions(policy, observation(0));
    try (DecisionLog log = DecisionLog.open(file)) {
      write(log, policy, decisions);
    }
    double factor = decisions.get(0).step().state().correctionFactor();
    assertThat(factor).isNotEqualTo(1);
    assertThat(Double.parseDouble(DecisionFile.read(file).rows().get(0).cell("factor")))
        .isEqualTo(factor);
  }

  @Test
  void secondsCountFromTheMeasuredWindowOnceItsBeginIsKnown() {
    StaticPolicy policy = new StaticPolicy(ReadChoice.of(1));
    List<Decision<StaticPolicy.Nothing>> decisions =
        decisions(
            policy,
            observation(10 * SECOND),
            observation(12 * SECOND),
            observation(13 * SECOND),
            observation(15 * SECOND + 1_500_000),
            observation(20 * SECOND));
    try (DecisionLog log = DecisionLog.open(file)) {
      log.decided(decisions.get(0));
      log.decided(decisions.get(1));
      log.measurementBegan(15 * SECOND);
      log.decided(decisions.get(2));
      log.decided(decisions.get(3));
      log.measurementEnded();
      log.decided(decisions.get(4));
    }
    assertThat(DecisionFile.read(file).rows())
        .extracting(row -> row.cell("second") + " " + row.phase())
        .containsExactly(
            "0.000 warm-up", "2.000 warm-up", "-2.000 measured", "0.002 measured", "5.000 drain");
  }

  @Test
  void aFullFileEndsAtItsLastWholeRowAndCountsWhatIsMissing() {
    StaticPolicy policy = new StaticPolicy(ReadChoice.of(1));
    List<Decision<StaticPolicy.Nothing>> decisions =
        decisions(policy, observation(0), observation(SECOND), observation(2 * SECOND));
    DecisionLog log = DecisionLog.open(file, 1500, () -> "");
    decisions.forEach(log::decided);
    assertThat(log.rows()).isBetween(1L, 2L);
    assertThat(log.missing()).isEqualTo(3 - log.rows());
    assertThat(log.failure()).isEmpty();
    log.close();
    assertThat(DecisionFile.read(file).rows()).hasSize((int) log.rows());
  }

  @Test
  void rowsAreThereAtOnceAndNoneComesAfterTheEnd() {
    StaticPolicy policy = new StaticPolicy(ReadChoice.of(1));
    Decision<?> decision = decisions(policy, observation(0)).get(0);
    DecisionLog log = DecisionLog.open(file);
    log.decided(decision);
    assertThat(DecisionFile.read(file).rows()).hasSize(1);
    log.close();
    log.decided(decision);
    assertThat(DecisionFile.read(file).rows()).hasSize(1);
  }

  @Test
  void aFileThatIsThereIsNotWrittenOver() throws IOException {
    Files.writeString(file, "kept");
    assertThatThrownBy(() -> DecisionLog.open(file))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("decisions.csv");
    assertThat(file).hasContent("kept");
  }
}
