package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StalePredictionTest {
  private static final String KEY =
      "--n 5 --w 1 --x 1 --reads-per-s 100 --writes-per-s 1 --propagation 100ms";
  private static final String TABLE =
      "--n 5 --reads-per-s 10000 --writes-per-s 10000 --propagation 1ms --keys 1000000";

  @Test
  void theAnswerHasTheKeysOfTheContractAndNoOthers() {
    JsonNode answer = json(KEY + " --tolerate 20%");
    assertThat(names(answer)).containsExactly("harmony", "exact");
    assertThat(names(answer.path("harmony")))
        .containsExactly("stale_rate", "unclamped", "replicas", "level");
    assertThat(names(answer.path("exact"))).containsExactly("stale_rate", "replicas", "level");
  }

  @Test
  void publishedAndExactAreThoseOfTheFacts() {
    JsonNode answer = json(KEY + " --tolerate 0.2");
    assertThat(answer.at("/harmony/stale_rate").asDouble()).isCloseTo(0.808, within(5e-4));
    assertThat(answer.at("/harmony/replicas").asInt()).isEqualTo(5);
    assertThat(answer.at("/harmony/level").asText()).isEqualTo("ALL");
    assertThat(answer.at("/exact/stale_rate").asDouble()).isCloseTo(0.07613006557, within(1e-9));
    assertThat(answer.at("/exact/replicas").asInt()).isEqualTo(1);
    assertThat(answer.at("/exact/level").asText()).isEqualTo("ONE");
  }

  @Test
  void withKeysTheRatesAreTheTables() {
    JsonNode uniform = json(TABLE + " --popularity uniform");
    assertThat(uniform.at("/harmony/stale_rate").asDouble()).isEqualTo(1);
    assertThat(uniform.at("/harmony/unclamped").asDouble()).isCloseTo(1.599927, within(1e-6));
    assertThat(uniform.at("/exact/stale_rate").asDouble()).isCloseTo(7.99996e-6, within(8e-12));
    JsonNode zipf = json(TABLE + " --popularity zipf:0.99");
    assertThat(zipf.at("/exact/stale_rate").asDouble()).isCloseTo(0.0451642084, within(4.5e-8));
    assertThat(json(TABLE)).isEqualTo(uniform);
  }

  @Test
  void whereNoShareIsToleratedNothingIsChosen() {
    JsonNode answer = json(KEY);
    assertThat(answer.at("/harmony/replicas").isNull()).isTrue();
    assertThat(answer.at("/exact/level").isNull()).isTrue();
  }

  @Test
  void warsIsTheClosedForm() {
    JsonNode all = json(wars(3, "exp:1,1,1,1") + " --mode all");
    assertThat(all.at("/wars/stale_rate").asDouble()).isCloseTo(0.2481995885, within(1e-7));
    // One write per second: p w / (w + a), with w 0.001 per ms.
    assertThat(all.at("/wars/poisson_stale_rate").asDouble())
        .isCloseTo(0.2481995885 * 0.001 / 1.001, within(1e-9));
    JsonNode later = json(wars(3, "exp:1,1,1,1") + " --t 2ms --tolerate 1%");
    assertThat(later.at("/wars/mode").asText()).isEqualTo("subset");
    assertThat(later.at("/wars/stale_rate").asDouble()).isCloseTo(0.02506208949, within(1e-7));
    assertThat(later.at("/wars/replicas").asInt()).isEqualTo(2);
    assertThat(later.at("/wars/level").asText()).isEqualTo("QUORUM");
    assertThat(later.at("/wars/tolerable_after_ms").asDouble())
        .isCloseTo(Math.log(18.518518518), within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        KEY,
        KEY + " --tolerate 20%",
        TABLE + " --w 3 --x 3 --popularity zipf:1.2 --tolerate 0.1%",
        "--n 3 --reads-per-s 0 --writes-per-s 0 --propagation 0 --wars exp:1e-6,1e6,1,1"
            + " --tolerate 0",
        "--n 100 --w 50 --x 20 --reads-per-s 123456.789 --writes-per-s 1e12 --propagation 24h"
            + " --keys 1000000000000000 --popularity zipf:10 --wars exp:1,1,1,1 --mode all"
            + " --t 24h --tolerate 100%"
      })
  void peoplesAnswerFitsATerminalAndSaysWhatEachModelAssumes(String arguments) {
    List<String> lines = StalePrediction.of(figures(arguments)).lines();
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    String text = String.join("\n", lines);
    assertThat(text)
        .contains("stale reads", "\nharmony  as published", "\nexact    the same model");
    assertThat(text).doesNotContain("NaN");
    assertThat(text.contains("\nwars     exp")).isEqualTo(arguments.contains("--wars"));
  }

  @Test
  void peopleAreToldThatReadsWhichOverlapWritesAreFresh() {
    assertThat(StalePrediction.of(figures(TABLE + " --w 3 --x 3")).lines())
        .anyMatch(line -> line.contains("reads overlap writes here, none is stale"))
        .anyMatch(line -> line.matches("exact +0 % +0 %"));
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(
            () ->
                figures(
                    "--n 3 --w 0 --x 4 --reads-per-s many --propagation 100 --tolerate 120%"
                        + " --popularity zipf:0 --mode both --t 1ms"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--w: '0' is out of range; write 1 to 100")
        .hasMessageContaining("--x: '4' is more than all replicas; write 1 to 3")
        .hasMessageContaining("--reads-per-s: 'many' is not a number")
        .hasMessageContaining("--writes-per-s: is missing")
        .hasMessageContaining("--propagation: '100' is not a duration; write it with its unit")
        .hasMessageContaining("--tolerate: '120%' is more than the whole")
        .hasMessageContaining("--popularity: '0' is out of range")
        .hasMessageContaining("--popularity: is of no use for a single key; add --keys")
        .hasMessageContaining("--mode: 'both' is not a mode; ")
        .hasMessageContaining("--t: is of no use without --wars");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pareto:1,2", "exp:1,1,1", "exp:1,1,1,1,1", "exp:1,1,1,0", "exp:1,1,,x"})
  void latenciesThatAreNoFourRatesAreRefused(String wars) {
    assertThatThrownBy(() -> figures(wars(3, wars)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("--wars: ");
  }

  @Test
  void aPopularityThatIsNoneIsRefused() {
    assertThatThrownBy(() -> figures(TABLE + " --popularity skewed"))
        .isInstanceOf(BadRequestException.class)
        .hasMessage("--popularity: 'skewed' is not a popularity; write uniform or zipf:0.99");
  }

  private static String wars(int replicas, String wars) {
    return "--n " + replicas + " --reads-per-s 1 --writes-per-s 1 --propagation 1ms --wars " + wars;
  }

  private static JsonNode json(String arguments) {
    return StalePrediction.of(figures(arguments)).json();
  }

  private static StaleFigures figures(String arguments) {
    StaleArguments read = new StaleArguments();
    String[] words = arguments.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    return read.figures();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
