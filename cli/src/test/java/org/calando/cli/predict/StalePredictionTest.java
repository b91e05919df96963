package org.calando.cli.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.staleness.Harmony;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
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
    assertThat(later.at("/wars/replicas").asInt()).isEqualTo(1);
    assertThat(later.at("/wars/level").asText()).isEqualTo("ONE");
    assertThat(later.at("/wars/tolerable_after_ms").asDouble())
        .isCloseTo(Math.log(18.518518518), within(1e-6));
  }

  @Test
  void warsChoosesByReadsAtRandomTimesAndNotByThoseJustAfterAWrite() {
    String arguments = wars(3, "exp:1,1,1,1") + " --tolerate 1%";
    assertThat(json(arguments).at("/wars/stale_rate").asDouble()).isGreaterThan(0.18);
    assertThat(json(arguments).at("/wars/poisson_stale_rate").asDouble()).isLessThan(0.01);
    assertThat(json(arguments).at("/wars/level").asText()).isEqualTo("ONE");
    assertThat(StalePrediction.of(figures(arguments)).lines())
        .anyMatch(line -> line.matches("wars, at random times +0.0. % .* 1 \\(ONE\\)"))
        .anyMatch(line -> line.matches("wars, just after a write +[1-9]\\d.\\d+ % +-"));
  }

  @Test
  void theAnswerRepeatsKeysAndPopularity() {
    assertThat(StalePrediction.of(figures(TABLE + " --popularity zipf:0.99")).lines())
        .anyMatch(line -> line.equals("of a table of 1000000 keys, zipf 0.99"));
    assertThat(StalePrediction.of(figures(KEY)).lines())
        .anyMatch(line -> line.endsWith("per second of one key"));
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
        .hasMessageContaining("--tolerate: '120%' is more than 100 %")
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

  @Test
  void whatALiveClusterToldIsPredictedFrom() {
    PropagationLags lags = PropagationLags.of(3, new double[][] {{0, 0.01, 0.02}, {0, 0.03, 0.04}});
    StaleFigures figures =
        arguments("--table shop.carts --keys 1 --tolerate 1%").figures(told(lags));
    assertThat(figures.tpSeconds()).isCloseTo(0.03, within(1e-12));
    JsonNode answer = StalePrediction.of(figures).json();
    assertThat(names(answer)).containsExactly("harmony", "exact", "lags", "live");
    assertThat(names(answer.path("lags"))).containsExactly("stale_rate", "replicas", "level");
    // A read of one of three: the sum over lags of (1 - exp(-w l)) / 3, in the mean over writes.
    double expected = 0;
    for (double lag : new double[] {0.01, 0.02, 0.03, 0.04}) {
      expected -= Math.expm1(-5 * lag) / 6;
    }
    assertThat(answer.at("/lags/stale_rate").asDouble()).isCloseTo(expected, within(1e-5));
    assertThat(answer.at("/lags/replicas").asInt()).isEqualTo(3);
    // The exact model has the two writes' own propagation times.
    assertThat(answer.at("/exact/stale_rate").asDouble())
        .isCloseTo(-(Math.expm1(-5 * 0.02) + Math.expm1(-5 * 0.04)) / 3, within(1e-9));
    assertThat(answer.at("/harmony/unclamped").asDouble())
        .isEqualTo(new Harmony(3, 40, 5, figures.tpSeconds()).unclamped(1));
    assertThat(answer.at("/live/table").asText()).isEqualTo("shop.carts");
    assertThat(answer.at("/live/canaries").asInt()).isEqualTo(2);
    assertThat(answer.at("/live/propagation_ms").asDouble()).isCloseTo(30, within(1e-9));
    assertThat(answer.at("/live/write_bytes").isNull()).isTrue();
  }

  @Test
  void withoutTrafficItCannotBeToldUnlessTheArgumentsTellIt() {
    Optional<LiveFigures> silent =
        Optional.of(new LiveFigures("shop.carts", 10, 3, 0, 0, Double.NaN, Optional.empty()));
    String known = "--table shop.carts --propagation 7ms --tolerate 5%";
    assertThatThrownBy(() -> arguments(known).figures(silent))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("cannot be predicted")
        .hasMessageContaining("no reads and no writes for 10s")
        .hasMessageContaining("--reads-per-s and --writes-per-s");
    assertThatThrownBy(() -> arguments(known + " --reads-per-s 40").figures(silent))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("no writes for");
    assertThatThrownBy(
            () -> arguments(known + " --reads-per-s 40 --writes-per-s 0").figures(silent))
        .isInstanceOf(FailedWorkException.class);
    StaleFigures given = arguments(known + " --reads-per-s 40 --writes-per-s 5").figures(silent);
    assertThat(given.requests().writesPerSecond()).isEqualTo(5);
  }

  @Test
  void argumentsGoBeforeWhatALiveClusterTold() {
    StaleFigures figures =
        arguments("--table shop.carts --writes-per-s 500 --propagation 7ms --w 2")
            .figures(told(null));
    assertThat(figures.requests().writesPerSecond()).isEqualTo(500);
    assertThat(figures.requests().readsPerSecond()).isEqualTo(40);
    assertThat(figures.tpSeconds()).isEqualTo(0.007);
    assertThat(figures.replicas()).isEqualTo(3);
    assertThat(names(StalePrediction.of(figures).json()))
        .containsExactly("harmony", "exact", "live");
  }

  @Test
  void peoplesAnswerSaysWhatWasSeenAlsoIfAReplicaNeverGotAWrite() {
    PropagationLags lags =
        PropagationLags.of(3, new double[][] {{0, 1 / 3.0, Double.POSITIVE_INFINITY}});
    StaleFigures figures = arguments("--table shop.carts --tolerate 5%").figures(told(lags));
    List<String> lines = StalePrediction.of(figures).lines();
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    assertThat(String.join("\n", lines))
        .contains("shop.carts, looked at for 10 s", "40 reads and 5 writes per second")
        .contains("1 canaries", "infinite s in the mean", "Without --keys", "\nlags     each")
        .doesNotContain("NaN");
    assertThat(StalePrediction.of(figures).json().at("/live/propagation_ms").isNull()).isTrue();
  }

  @Test
  void whatIsWrongIsToldBeforeAClusterIsAsked() {
    assertThatThrownBy(
            () ->
                arguments("--n 3 --for 5 --writes-per-s many --canary yes --propagation 1ms")
                    .live())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--table: is missing; write the table's full name")
        .hasMessageContaining("--n: is not valid with --live")
        .hasMessageContaining("--canary: is of no use with --propagation")
        .hasMessageContaining("--for: '5' is not a duration")
        .hasMessageContaining("--writes-per-s: 'many' is not a number");
    assertThatThrownBy(() -> arguments("--table carts").live())
        .hasMessage("--table: 'carts' is not a table's full name; write it as keyspace.table");
    assertThatThrownBy(() -> figures(KEY + " --table a.b --for 5s"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--table: is of no use without --live")
        .hasMessageContaining("--for: is of no use without --live");
  }

  @Test
  void aLookIsAskedForAsTheArgumentsSay() {
    assertThat(arguments("--table shop.\"Carts\" --w 2 --x 3 --canary yes").live())
        .isEqualTo(
            new LiveRequest(new TableName("shop", "Carts"), 10_000_000_000L, 2, 3, true, true));
    assertThat(arguments("--table shop.carts --for 2s --propagation 5ms").live())
        .isEqualTo(
            new LiveRequest(new TableName("shop", "carts"), 2_000_000_000L, 1, 1, false, false));
  }

  @Test
  void canariesAreWrittenAtTheLevelThatWaitsForW() {
    assertThat(LiveLook.level(1, 3)).isEqualTo(ConsistencyLevel.ONE);
    assertThat(LiveLook.level(2, 3)).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(LiveLook.level(2, 5)).isEqualTo(ConsistencyLevel.TWO);
    assertThat(LiveLook.level(5, 5)).isEqualTo(ConsistencyLevel.ALL);
    for (int write : new int[] {5, 8}) {
      assertThatThrownBy(() -> LiveLook.level(write, 7))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("--w")
          .hasMessageContaining("1 to 7");
    }
  }

  private static StaleArguments arguments(String text) {
    StaleArguments read = new StaleArguments();
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    return read;
  }

  private static Optional<LiveFigures> told(PropagationLags lags) {
    return Optional.of(
        new LiveFigures("shop.carts", 10, 3, 40, 5, Double.NaN, Optional.ofNullable(lags)));
  }

  private static String wars(int replicas, String wars) {
    return "--n " + replicas + " --reads-per-s 1 --writes-per-s 1 --propagation 1ms --wars " + wars;
  }

  private static JsonNode json(String arguments) {
    return StalePrediction.of(figures(arguments)).json();
  }

  private static StaleFigures figures(String arguments) {
    return arguments(arguments).figures();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
