package org.calando.study.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  void runsWithDecisionsAreDrawnWithTheirEventsAndWhatTheyTolerate() throws IOException {
    AdaptiveSample.of(1).write(folder);
    DecisionLines lines = new DecisionLines(ResultsFolder.read(folder));
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
        .containsExactly("measured", "canary", "Harmony, as published", "exact per key", "PBS");
    assertThat(stale.at("/lines/3/strong").asBoolean()).isTrue();
    assertThat(stale.at("/lines/4/strong").asBoolean()).isFalse();
    assertThat(lines.cut()).isEmpty();
  }

  @Test
  void runsThatDoNotFitAreNamed() {
    AdaptiveSample.of(8).write(folder);
    DecisionLines lines = new DecisionLines(ResultsFolder.read(folder));
    assertThat(lines.json().length()).isBetween(1000, DecisionLines.MOST_CHARS + 100);
    assertThat(lines.isEmpty()).isFalse();
  }

  @Test
  void fileWithoutADecisionDrawsNothing() {
    assertThat(DecisionSeconds.of(List.of(), List.of())).isNull();
    assertThat(DecisionSeconds.of(List.of(new RunRow(Map.of("level", "ONE"))), List.of())).isNull();
  }

  private static JsonNode find(JsonNode runs, String label) {
    for (JsonNode run : runs) {
      if (run.path("label").asText().equals(label)) {
        return run;
      }
    }
    throw new AssertionError("no run " + label);
  }

  private static RunRow decision(String second, String replicas, String pbs) {
    return new RunRow(Map.of("second", second, "mean_replicas", replicas, "pbs", pbs));
  }
}
