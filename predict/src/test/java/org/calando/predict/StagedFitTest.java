package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.calando.core.store.ConsistencyLevel;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;
import org.calando.studyfile.profile.StageThreads;
import org.junit.jupiter.api.Test;

/** Runs of nodes with stages that are simulated with known parameters, fitted as if measured. */
class StagedFitTest {
  private static final long SEED = Long.getLong("calando.seed", 7);
  private static final Optional<StageThreads> STAGES =
      Optional.of(new StageThreads(128, 2, 8, 8, 2));
  private static final Parameters TRUTH =
      Parameters.usual()
          .with(Parameter.MESSAGING, 0.25)
          .with(Parameter.MESSAGING_VARIATION, 3)
          .with(STAGES);

  @Test
  void whatMakesWritesLateIsFoundAndForetold() {
    List<Scenario> scenarios = new ArrayList<>();
    for (double read : new double[] {0.8, 0.2}) {
      scenarios.add(Samples.closed(read, ConsistencyLevel.ONE, 2));
      scenarios.add(Samples.closed(read, ConsistencyLevel.ALL, 8));
      scenarios.add(Samples.open(read, ConsistencyLevel.ONE, 300));
    }
    Fit fit = Fit.of(Samples.measured(scenarios, TRUTH, 2, 3000, SEED), 1500, STAGES, step -> {});
    assertThat(fit.parameters().stages()).isEqualTo(STAGES);
    assertThat(fit.parameters().get(Parameter.MESSAGING))
        .as("seed %d: %s", SEED, fit.parameters())
        .isCloseTo(0.25, Percentage.withPercentage(40));
    for (Parameter parameter : Parameter.ofStages()) {
      assertThat(fit.unknownShare(parameter)).as("%s, seed %d", parameter, SEED).isLessThan(0.9);
    }
    assertThat(fit.error(Quantity.LAG)).as("seed %d", SEED).isLessThan(0.35);
    Scenario other = Samples.open(0.5, ConsistencyLevel.ONE, 200);
    Figures truth = ScenarioSimulation.run(other, TRUTH, 5_000, 1);
    Figures foretold = ScenarioSimulation.run(other, fit.parameters(), 5_000, 2);
    assertThat(foretold.get(Quantity.LAG))
        .as("seed %d", SEED)
        .isCloseTo(truth.get(Quantity.LAG), Percentage.withPercentage(35));
    assertThat(foretold.get(Quantity.LAG_P99))
        .as("seed %d", SEED)
        .isCloseTo(truth.get(Quantity.LAG_P99), Percentage.withPercentage(40));
  }

  /** Queues alone cannot: a 99th percentile that is far above the median where little waits. */
  @Test
  void howNodesStandStillIsFoundAndForetold() {
    Optional<StageThreads> standing = STAGES.map(threads -> threads.withStalls(true));
    Parameters truth = TRUTH.with(standing).with(Parameter.STALLS, 2).with(Parameter.STALL, 40);
    List<Scenario> scenarios = new ArrayList<>();
    for (double read : new double[] {0.8, 0.2}) {
      scenarios.add(Samples.closed(read, ConsistencyLevel.ONE, 2));
      scenarios.add(Samples.closed(read, ConsistencyLevel.ALL, 8));
      scenarios.add(Samples.open(read, ConsistencyLevel.ONE, 100));
      scenarios.add(Samples.open(read, ConsistencyLevel.ONE, 300));
    }
    List<Configuration> measured = Samples.measured(scenarios, truth, 2, 4000, SEED);
    Fit fit = Fit.of(measured, 2000, standing, step -> {});
    Parameters found = fit.parameters();
    double share = found.get(Parameter.STALLS) * found.get(Parameter.STALL);
    assertThat(share)
        .as("seed %d: %s", SEED, found)
        .isCloseTo(2 * 40, Percentage.withPercentage(50));
    for (Parameter parameter : Parameter.ofStalls()) {
      assertThat(fit.unknownShare(parameter)).as("%s, seed %d", parameter, SEED).isLessThan(0.9);
    }
    Scenario other = Samples.open(0.5, ConsistencyLevel.ONE, 200);
    Figures there = ScenarioSimulation.run(other, truth, 10_000, 1);
    Figures foretold = ScenarioSimulation.run(other, found, 10_000, 2);
    Fit without = Fit.of(measured, 2000, STAGES, step -> {});
    Figures queued = ScenarioSimulation.run(other, without.parameters(), 10_000, 2);
    assertThat(foretold.get(Quantity.READ_P99))
        .as("seed %d", SEED)
        .isCloseTo(there.get(Quantity.READ_P99), Percentage.withPercentage(40));
    assertThat(queued.get(Quantity.READ_P99))
        .as("without stalls, seed %d", SEED)
        .isLessThan(0.6 * there.get(Quantity.READ_P99));
  }
}
