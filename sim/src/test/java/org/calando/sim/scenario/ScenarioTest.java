package org.calando.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small sample of what bench/scenarios runs a thousand of, and what it found. */
class ScenarioTest {
  private static final long FIRST = Long.getLong("calando.seed", 107);
  private static final int SAMPLE = 5;
  private static final long OVERTAKING = 24;
  private static final List<Contender> CONTENDERS = List.of(Contender.values());

  /** Student's 99.9 % quantile of 19 degrees of freedom, one-sided. */
  private static final double MOST_ABOVE = 3.579;

  /** The canary's reads repaired its keys (8, 11); a poll believed other replicas (14). */
  @ParameterizedTest
  @CsvSource({"8, EXACT", "8, PBS", "11, EXACT", "14, EXACT", "14, PBS"})
  void whatOnceBrokeAPromiseKeepsIt(long seed, Contender contender) {
    Scenario scenario = ScenarioDraw.of(seed);
    ScenarioResult result = ScenarioRun.adaptive(scenario, contender);
    assertThat(result.above(scenario.tolerated()))
        .as("seed %d, %s, %s", seed, contender, result)
        .isLessThan(MOST_ABOVE);
    assertThat(fixed(scenario, ConsistencyLevel.ONE).above(scenario.tolerated()))
        .as("with nothing to decide the scenario proves nothing")
        .isGreaterThan(MOST_ABOVE);
  }

  /*
   * Not mended yet: coordinators by turns, of which one in nine is a replica. Its write is acknowledged at
   * once and reaches the others 80 ms later, by which time no newer write has been acknowledged, for those
   * take 80 ms until they are. The estimates suppose that writes are acknowledged in their order, so that
   * at 35 writes of a key a second a newer one has mostly taken the place of one that is missed.
   */
  @Test
  void writesThatOvertakeEachOtherAreMissedForLongerThanEstimatesSuppose() {
    Scenario scenario = ScenarioDraw.of(OVERTAKING);
    ScenarioResult result = ScenarioRun.adaptive(scenario, Contender.PBS);
    assertThat(result.meanReplicas()).isLessThan(1.01);
    assertThat(result.above(scenario.tolerated())).isGreaterThan(MOST_ABOVE);
  }

  @Test
  void policiesKeepTheirPromisesInASample() {
    List<String> broken = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + SAMPLE; seed++) {
      Scenario scenario = ScenarioDraw.of(seed);
      Contender contender = CONTENDERS.get((int) (seed % CONTENDERS.size()));
      ScenarioResult result = ScenarioRun.adaptive(scenario, contender);
      if (result.above(scenario.tolerated()) > MOST_ABOVE) {
        broken.add(
            "seed %d, %s, %s: %s".formatted(seed, contender, result, scenario.description()));
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aScenarioIsTheSameOnAnyThread() throws InterruptedException {
    List<ScenarioResult> results = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Thread thread =
          new Thread(
              () -> results.add(ScenarioRun.adaptive(ScenarioDraw.of(FIRST), Contender.PBS)));
      thread.start();
      thread.join();
    }
    assertThat(results.get(0)).isEqualTo(results.get(1));
  }

  @Test
  void theStandardErrorIsOfBlocks() {
    long[] reads = new long[60];
    long[] stale = new long[60];
    for (int i = 0; i < 60; i++) {
      reads[i] = 100;
      stale[i] = i < 30 ? 10 : 0;
    }
    ScenarioResult result = ScenarioResult.of(reads, stale, 1, 0);
    assertThat(result.staleRate()).isEqualTo(0.05);
    // Blocks of 10 % and of 0 %: a standard deviation of 5 points, times the root of 20 / 19.
    double deviation = 0.05 * Math.sqrt(20.0 / 19);
    assertThat(result.standardError()).isCloseTo(deviation / Math.sqrt(20), offset());
    assertThat(result.above(0.05)).isZero();
  }

  private static Offset<Double> offset() {
    return Offset.offset(1e-12);
  }

  private static ScenarioResult fixed(Scenario scenario, ConsistencyLevel level) {
    return ScenarioRun.fixed(scenario, level);
  }
}
