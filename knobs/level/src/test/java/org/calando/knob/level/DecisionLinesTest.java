package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLinesTest {
  @TempDir Path folder;

  @Test
  void measuredRateIsOfTheLastFiveSecondsAndTheLevelStandsUntilTheNextDecision() {
    List<RunRow> operations = new ArrayList<>();
    for (int second = 0; second < 10; second++) {
      String stale = second == 4 ? "50" : "0";
      operations.add(
          new RunRow(
              Map.of(
                  "second",
                  "" + second,
                  "phase",
                  "measured",
                  "reads",
                  "100",
                  "stale_reads",
                  stale)));
    }
    List<RunRow> decisions =
        List.of(
            decision("-1.5", "1", "0.02"), decision("2.9", "2", "0.01"), decision("9", "3", "0"));
    DecisionSeconds seconds = DecisionSeconds.of(decisions, operations);
    assertThat(seconds).isNotNull();
    assertThat(seconds.first()).isEqualTo(-2);
    assertThat(seconds.measured()).isEqualTo(10);
    double[] measured = seconds.figure("stale_rate");
    assertThat(measured[2 + 3]).isZero();
    assertThat(measured[2 + 4]).isCloseTo(0.1, within(1e-12));
    assertThat(measured[2 + 8]).isCloseTo(0.1, within(1e-12));
    assertThat(measured[2 + 9]).isZero();
    assertThat(seconds.figure("mean_replicas")).containsExactly(1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3);
    // An estimate stands for three seconds.
    assertThat(seconds.figure("pbs")[2]).isEqualTo(0.02);
    assertThat(seconds.figure("pbs")[3]).isNaN();
  }

  @Test
  void decisionsOfAWarmUpWithoutAKnownEndStandBeforeTheMeasuredWindow() {
    List<RunRow> rows = new ArrayList<>();
    for (int second = 0; second < 4; second++) {
      rows.add(phase("warm-up", second, "3"));
    }
    for (int second = 0; second < 5; second++) {
      rows.add(phase("measured", second, "1"));
    }
    DecisionSeconds seconds = DecisionSeconds.of(rows, List.of());
    assertThat(seconds).isNotNull();
    assertThat(seconds.first()).isEqualTo(-4);
    assertThat(seconds.figure("mean_replicas")).containsExactly(3, 3, 3, 3, 1, 1, 1, 1, 1);
  }

  @Test
  void runsWithDecisionsAreDrawnWithTheirEventsAndWhatTheyTolerate() throws IOException {
    AdaptiveSample.of(1).write(folder);
    DecisionLines lines = lines();
    JsonNode runs = new ObjectMapper().readTree(lines.json());
    assertThat(runs).hasSize(12);
    JsonNode run = find(runs, "heavy-update, 800/s, harmony-exact(5%)/ONE, repeat 1");
    assertThat(run.at("/events/0/text").asText()).isEqualTo("link delay 5ms -> 50ms");
    assertThat(run.at("/events/0/second").asDouble()).isEqualTo(20);
    assertThat(run.path("first").asInt()).isEqualTo(-AdaptiveSample.WARM_UP);
    assertThat(run.path("measured").asInt()).isEqualTo(AdaptiveSample.MEASURED);
    assertThat(run.path("panels")).hasSize(4);
    JsonNode stale = run.path("panels").get(1);
    assertThat(stale.path("tolerated").asDouble()).isEqualTo(5);
    assertThat(stale.path("lines"))
        .extracting(line -> line.path("name").asText())
        .containsExactly("measured", "canary", "Harmony", "exact per key", "PBS");
    assertThat(stale.at("/lines/3/strong").asBoolean()).isTrue();
    assertThat(stale.at("/lines/4/strong").asBoolean()).isFalse();
    assertThat(lines.cut()).isEmpty();
  }

  @Test
  void runsThatDoNotFitAreNamedAndTheFirstRepeatsGoFirst() throws IOException {
    AdaptiveSample sample = AdaptiveSample.of(2, List.of("800/s"));
    sample.write(folder);
    ResultsFolder study = ResultsFolder.read(folder);
    Decisions decisions = Decisions.read(study);
    int one = new DecisionLines(study.results(), decisions).json().length() / 6;
    DecisionLines cut = new DecisionLines(study.results(), decisions, 7 * one / 2);
    assertThat(new ObjectMapper().readTree(cut.json()))
        .hasSize(3)
        .allMatch(run -> run.path("label").asText().endsWith("repeat 1"));
    assertThat(cut.cut())
        .startsWith("3 of 6 runs are left out")
        .contains(sample.study().rows().get(11).getOrDefault("run", "none"));
  }

  @Test
  void fileWithoutADecisionDrawsNothing() {
    assertThat(DecisionSeconds.of(List.of(), List.of())).isNull();
    assertThat(DecisionSeconds.of(List.of(new RunRow(Map.of("level", "ONE"))), List.of())).isNull();
  }

  private DecisionLines lines() {
    ResultsFolder study = ResultsFolder.read(folder);
    return new DecisionLines(study.results(), Decisions.read(study));
  }

  private static JsonNode find(JsonNode runs, String label) {
    for (JsonNode run : runs) {
      if (run.path("label").asText().equals(label)) {
        return run;
      }
    }
    throw new AssertionError("no run " + label);
  }

  private static RunRow phase(String phase, int second, String replicas) {
    return new RunRow(Map.of("phase", phase, "second", "" + second, "mean_replicas", replicas));
  }

  private static RunRow decision(String second, String replicas, String pbs) {
    return new RunRow(Map.of("second", second, "mean_replicas", replicas, "pbs", pbs));
  }
}
