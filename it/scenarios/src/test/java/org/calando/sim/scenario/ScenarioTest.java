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
  private static final long LEAST_READS = 500;
  private static final double MOST_ERRORS = 0.02;
  private static final long NODE_AWAY = 241;
  private static final List<Contender> CONTENDERS = List.of(Contender.values());

  /** Student's 99.9 % quantile of 19 degrees of freedom, one-sided. */
  private static final double MOST_ABOVE = 3.579;

  /**
   * The canary's reads repaired its keys (8, 11); a poll believed other replicas (14); writes
   * overtook each other (24); polls of reads of several replicas told too early times, and reads of
   * one replica corrected those of three (174); nobody counted another's writes (219, 228).
   */
  @ParameterizedTest
  @CsvSource({
    "8, EXACT",
    "8, PBS",
    "11, EXACT",
    "14, EXACT",
    "14, PBS",
    "24, EXACT",
    "24, PBS",
    "174, EXACT",
    "219, PBS",
    "228, EXACT"
  })
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
   * What a promise does not cover. With W = 1 of 3 only ALL is safe, and reads of a key at ALL fail
   * while one of its replicas is away. A level is a table's: so all keys are read at the two replicas
   * that the worst of them has left, and a write that lags is missed at two of three.
   */
  @Test
  void whileANodeIsAwayReadsAreAnsweredAndNotPromised() {
    Scenario scenario = ScenarioDraw.of(NODE_AWAY);
    assertThat(scenario.description()).contains("writes lag", "a node fails and returns");
    ScenarioRun.Judged judged = ScenarioRun.judged(scenario, Contender.PBS);
    ScenarioResult all = judged.all();
    ScenarioResult whole = judged.covered();
    assertThat(all.staleRate()).isGreaterThan(scenario.tolerated());
    assertThat(whole.above(scenario.tolerated())).as("%s", whole).isLessThan(MOST_ABOVE);
    assertThat(whole.staleRate()).isLessThanOrEqualTo(scenario.tolerated());
    assertThat(whole.reads()).isBetween(all.reads() / 4, all.reads() - 1);
    long failing = fixed(scenario, ConsistencyLevel.ALL).errors();
    assertThat(failing).as("reads at ALL").isGreaterThan(20 + 2 * all.errors());
  }

  @Test
  void policiesKeepTheirPromisesInASample() {
    List<String> broken = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + SAMPLE; seed++) {
      Scenario scenario = ScenarioDraw.of(seed);
      Contender contender = CONTENDERS.get((int) (seed % CONTENDERS.size()));
      ScenarioResult result = ScenarioRun.adaptive(scenario, contender);
      if (result.above(scenario.tolerated()) > MOST_ABOVE
          || result.reads() < LEAST_READS
          || failsMoreThanItMust(scenario, result)) {
        broken.add(
            "seed %d, %s, %s: %s".formatted(seed, contender, result, scenario.description()));
      }
    }
    assertThat(broken).isEmpty();
  }

  /** Whether a policy keeps its promise by reads that fail, where not even ALL has to. */
  private static boolean failsMoreThanItMust(Scenario scenario, ScenarioResult result) {
    return result.errors() > MOST_ERRORS * result.reads()
        && result.errors() > fixed(scenario, ConsistencyLevel.ALL).errors();
  }

  @Test
  void aRunWithoutReadsKeepsNoPromise() {
    ScenarioResult result = ScenarioResult.of(new long[60], new long[60], 5, 1000);
    assertThat(result.above(0.2)).isGreaterThan(MOST_ABOVE);
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
