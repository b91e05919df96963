package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.calando.core.store.ConsistencyLevel;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;
import org.junit.jupiter.api.Test;

/** Runs that are simulated with known parameters, fitted as if they had been measured. */
class FitTest {
  private static final long SEED = Long.getLong("calando.seed", 7);
  private static final int OPERATIONS = 500;
  private static final int OPERATIONS_MEASURED = 3000;
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
          Samples.measured(scenarios(), TRUTH, 2, OPERATIONS_MEASURED, SEED),
          OPERATIONS,
          Optional.empty(),
          step -> {});

  /** As few and as busy as tell levels, mixes and loads apart. */
  private static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>();
    for (double read : new double[] {0.8, 0.2}) {
      scenarios.add(Samples.closed(read, ConsistencyLevel.ONE, 16));
      scenarios.add(Samples.closed(read, ConsistencyLevel.ALL, 16));
      scenarios.add(Samples.open(read, ConsistencyLevel.ONE, 300));
    }
    scenarios.add(Samples.closed(0.8, ConsistencyLevel.ONE, 2));
    scenarios.add(Samples.closed(0.2, ConsistencyLevel.ALL, 2));
    return scenarios;
  }

  @Test
  void whatANodeDoesForAnOperationIsRecovered() {
    Parameters found = FIT.parameters();
    assertThat(found.get(Parameter.CLIENT))
        .as("seed %d", SEED)
        .isCloseTo(0.12, Percentage.withPercentage(10));
    // Totals mainly: figures tell little of how a read's work is divided between message, replica
    // and reply, so that each of these stays near its usual value.
    assertThat(found.get(Parameter.MESSAGE) + found.get(Parameter.READ))
        .as("seed %d", SEED)
        .isCloseTo(
            TRUTH.get(Parameter.MESSAGE) + TRUTH.get(Parameter.READ),
            Percentage.withPercentage(20));
    assertThat(furtherReplica(found))
        .as("seed %d", SEED)
        .isCloseTo(furtherReplica(TRUTH), Percentage.withPercentage(15));
    assertThat(readAtOne(found))
        .as("seed %d", SEED)
        .isCloseTo(readAtOne(TRUTH), Percentage.withPercentage(10));
    assertThat(writeAtOne(found))
        .as("seed %d", SEED)
        .isCloseTo(writeAtOne(TRUTH), Percentage.withPercentage(10));
  }

  @Test
  void whatWasFittedIsMet() {
    assertThat(FIT.error(Quantity.THROUGHPUT)).as("seed %d", SEED).isLessThan(0.06);
    assertThat(FIT.error(Quantity.CPU)).as("seed %d", SEED).isLessThan(0.06);
  }

  @Test
  void anotherMixLevelAndLoadAreForetold() {
    Scenario other = Samples.closed(0.5, ConsistencyLevel.QUORUM, 8);
    Figures truth = ScenarioSimulation.run(other, TRUTH, 5_000, 1);
    Figures foretold = ScenarioSimulation.run(other, FIT.parameters(), 5_000, 2);
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
      assertThat(TRUTH.get(parameter))
          .as("seed %d, %s in %s", SEED, parameter, range)
          .isBetween(range.low() / 1.1, range.high() * 1.1);
    }
    assertSurrounds(draws, FitTest::furtherReplica);
    assertSurrounds(draws, FitTest::readAtOne);
    assertSurrounds(draws, FitTest::writeAtOne);
  }

  private static void assertSurrounds(Draws draws, ToDoubleFunction<Parameters> total) {
    double[] all = draws.all().stream().mapToDouble(total).sorted().toArray();
    assertThat(total.applyAsDouble(TRUTH))
        .as("seed %d, draws %s", SEED, Arrays.toString(all))
        .isBetween(all[0] / 1.1, all[all.length - 1] * 1.1);
    assertThat(all[all.length - 1] / all[0]).isBetween(1.001, 2.0);
  }

  /** What a read takes more for each replica that it waits for. */
  private static double furtherReplica(Parameters parameters) {
    return parameters.get(Parameter.MESSAGE)
        + parameters.get(Parameter.READ)
        + parameters.get(Parameter.REPLY);
  }

  private static double readAtOne(Parameters parameters) {
    return parameters.get(Parameter.COORDINATOR) + furtherReplica(parameters);
  }

  /** All three replicas write, whatever the level. */
  private static double writeAtOne(Parameters parameters) {
    return parameters.get(Parameter.COORDINATOR)
        + parameters.get(Parameter.REPLY)
        + 3 * (parameters.get(Parameter.MESSAGE) + parameters.get(Parameter.WRITE));
  }
}
