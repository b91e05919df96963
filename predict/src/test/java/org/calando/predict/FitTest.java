package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

/** Runs that are simulated with known parameters, fitted as if they had been measured. */
class FitTest {
  private static final long SEED = Long.getLong("calando.seed", 7);
  private static final int OPERATIONS = 1500;
  private static final Parameters TRUTH =
      Parameters.of(
          Map.of(
              Parameter.CLIENT, 0.12,
              Parameter.COORDINATOR, 0.2,
              Parameter.READ, 0.25,
              Parameter.WRITE, 0.16,
              Parameter.SPINNING, 0.25,
              Parameter.CLIENT_LINK, 0.3));

  private static final Fit FIT =
      Fit.of(
          Samples.measured(Samples.corners(), TRUTH, 2, OPERATIONS, SEED), OPERATIONS, step -> {});

  @Test
  void whatANodeDoesForAnOperationIsRecovered() {
    Parameters found = FIT.parameters();
    assertThat(found.get(Parameter.CLIENT))
        .as("seed %d", SEED)
        .isCloseTo(0.12, Percentage.withPercentage(10));
    // What a replica and its messages take is told by totals only, not how it is divided.
    assertThat(replica(found, Parameter.READ))
        .as("seed %d", SEED)
        .isCloseTo(replica(TRUTH, Parameter.READ), Percentage.withPercentage(20));
    assertThat(replica(found, Parameter.WRITE))
        .as("seed %d", SEED)
        .isCloseTo(replica(TRUTH, Parameter.WRITE), Percentage.withPercentage(20));
  }

  @Test
  void whatWasFittedIsMet() {
    assertThat(FIT.error(Quantity.THROUGHPUT)).as("seed %d", SEED).isLessThan(0.06);
    assertThat(FIT.error(Quantity.CPU)).as("seed %d", SEED).isLessThan(0.06);
  }

  @Test
  void anotherMixLevelAndLoadAreForetold() {
    Scenario other = Samples.closed(0.5, ConsistencyLevel.QUORUM, 8);
    Figures truth = ScenarioSimulation.run(other, TRUTH, 10_000, 1);
    Figures foretold = ScenarioSimulation.run(other, FIT.parameters(), 10_000, 2);
    assertThat(foretold.throughput())
        .as("seed %d", SEED)
        .isCloseTo(truth.throughput(), Percentage.withPercentage(8));
    assertThat(foretold.cpuMillis())
        .as("seed %d", SEED)
        .isCloseTo(truth.cpuMillis(), Percentage.withPercentage(8));
  }

  @Test
  void drawsSurroundTheFitAndTheTruthOfWhatIsToldBest() {
    Draws draws = Draws.of(FIT, SEED);
    assertThat(draws.all()).hasSize(Draws.KEPT);
    assertThat(draws.all()).isEqualTo(Draws.of(FIT, SEED).all());
    for (Parameter parameter : List.of(Parameter.CLIENT, Parameter.SPINNING)) {
      Interval range = draws.interval(parameter);
      assertThat(range.low()).isLessThan(range.high());
      assertThat(FIT.parameters().get(parameter)).isBetween(range.low() / 1.1, range.high() * 1.1);
    }
  }

  private static double replica(Parameters parameters, Parameter work) {
    return parameters.get(work) + parameters.get(Parameter.MESSAGE);
  }
}
