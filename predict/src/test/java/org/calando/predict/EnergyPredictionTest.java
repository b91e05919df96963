package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.energy.Profiles;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Presets;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.FittedRange;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.Quantity;
import org.junit.jupiter.api.Test;

class EnergyPredictionTest {
  private static final Scenario INSIDE = Samples.closed(0.5, ConsistencyLevel.ALL, 8);
  private static final EnergyPrediction PREDICTION =
      EnergyPrediction.of(Samples.profile(), INSIDE, Samples.POWER);

  @Test
  void joulesAreWattsOverThroughput() {
    NodeProfile flat =
        new NodeProfile("flat", 0, 100, 100, 4, 1, PowerCurve.linear(), 0, 0, "test");
    EnergyPrediction prediction = EnergyPrediction.of(Samples.profile(), INSIDE, flat);
    assertThat(prediction.watts().value()).isEqualTo(300);
    assertThat(prediction.joulesPerOperation().value())
        .isBetween(300 / prediction.throughput().high(), 300 / prediction.throughput().low());
  }

  @Test
  void onePercentOfIdleAndOfBusyAreOnePercentTogether() {
    double idle = PREDICTION.elasticities().get("idle");
    double busy = PREDICTION.elasticities().get("busy");
    assertThat(idle).isBetween(0.5, 1.0);
    assertThat(idle + busy).isCloseTo(1, within(1e-6));
    assertThat(PREDICTION.elasticities()).containsEntry("off", 0.0).containsEntry("boot", 0.0);
  }

  @Test
  void aBootIsPaidForByWhatOffSaves() {
    // 120 s at 110 W, of which 8 W would have been drawn anyway, against 67 W saved.
    assertThat(PREDICTION.bootPaidAfterSeconds()).isCloseTo(120 * 102.0 / 67, within(1e-9));
  }

  @Test
  void insideOfWhatWasFittedNothingIsWarnedOf() {
    assertThat(PREDICTION.warnings()).isEmpty();
  }

  @Test
  void beyondWhatWasFittedEveryRespectIsNamed() {
    List<String> beyond =
        FittedRanges.beyond(
            Samples.profile().range(),
            Samples.closed(0.95, ConsistencyLevel.ALL, 40),
            Samples.cluster());
    assertThat(beyond)
        .containsExactly(
            "share of reads 0.95: fitted on 0.2 to 0.8", "threads 40: fitted on 2 to 16");
  }

  @Test
  void otherPopularityRacksAndDelaysAreNamed() {
    ClusterShape cluster =
        new ClusterShape(
            3,
            3,
            3,
            Optional.empty(),
            List.of(List.of(0L, 1L, 2L), List.of(1L, 0L, 2L), List.of(2L, 2L, 0L)),
            2,
            true);
    ClusterShape oneRack =
        new ClusterShape(3, 1, 3, Optional.empty(), Samples.cluster().delayNanos(), 2, true);
    Workload uniform =
        Samples.workload(0.5).toBuilder().requests(new RequestDistribution.Uniform()).build();
    assertThat(beyond(scenario(Samples.cluster(), uniform)))
        .containsExactly("popularity uniform: fitted on zipf:0.99");
    assertThat(beyond(scenario(oneRack, Samples.workload(0.5))))
        .containsExactly("1 racks: fitted on 3");
    assertThat(beyond(scenario(cluster, Samples.workload(0.5))))
        .hasSize(2)
        .anyMatch(what -> what.startsWith("longest delay"))
        .anyMatch(what -> what.startsWith("delays that differ from link to link"));
  }

  @Test
  void aLoopThatWasNeverFittedIsNamed() {
    FittedRange closedOnly = FittedRanges.of(List.of(Samples.closed(0.5, ConsistencyLevel.ONE, 4)));
    assertThat(
            FittedRanges.beyond(
                closedOnly, Samples.open(0.5, ConsistencyLevel.ONE, 200), Samples.cluster()))
        .containsExactly("rate (operations/s) 200: fitted on no open loops");
  }

  @Test
  void aNodeThatUsesMoreCoresThanItsPowerProfileHasIsWarnedOf() {
    NodeProfile small = Profiles.byName("xeon-x3440").orElseThrow().withCpuScale(40);
    Scenario scenario = Samples.closed(0.5, ConsistencyLevel.ONE, 16);
    assertThat(EnergyPrediction.of(Samples.profile(), scenario, small).warnings())
        .anyMatch(warning -> warning.contains("cores of xeon-x3440, whose watts end there"));
  }

  @Test
  void withoutAnythingHeldOutTheErrorOfTheFitStandsBesideTheAnswer() {
    EnergyPrediction fitted =
        EnergyPrediction.of(Samples.profile(0.03, Optional.empty()), INSIDE, Samples.POWER);
    assertThat(fitted.lines())
        .anyMatch(line -> line.endsWith("none held out: fit"))
        .anyMatch(line -> line.startsWith("operations/s") && line.endsWith(" 3 %"))
        .noneMatch(line -> line.startsWith("WARNING"));
    assertThat(fitted.json().path("fit_error").path("throughput").asDouble()).isEqualTo(0.03);
    assertThat(PREDICTION.lines()).anyMatch(line -> line.endsWith("held-out error"));
  }

  @Test
  void errorsAboveAQuarterAreWarnedOf() {
    EnergyPrediction far =
        EnergyPrediction.of(Samples.profile(0.67, Optional.empty()), INSIDE, Samples.POWER);
    assertThat(far.lines())
        .anyMatch(line -> line.startsWith("WARNING: errors above 25 %: throughput of the fit 67 %"))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    assertThat(far.json().path("warnings").get(0).asText()).contains("throughput of the fit 67 %");
    HeldOut heldOut =
        new HeldOut(
            "each", 2, Map.of(Quantity.JOULES, new HeldOut.Spread(1.3, 2)), true, List.of());
    assertThat(ErrorWarning.of(Samples.profile(0.03, Optional.of(heldOut))))
        .hasValueSatisfying(text -> assertThat(text).contains("joules held out 130 %"));
    assertThat(ErrorWarning.of(Samples.profile())).isEmpty();
    assertThat(PREDICTION.json().path("warnings")).isEmpty();
  }

  private static List<String> beyond(Scenario scenario) {
    CalibrationProfile profile = Samples.profile();
    return FittedRanges.beyond(profile.range(), scenario, profile.cluster());
  }

  private static Scenario scenario(ClusterShape cluster, Workload workload) {
    return new Scenario(
        cluster,
        workload,
        ConsistencyLevel.ONE,
        ConsistencyLevel.ONE,
        OptionalInt.of(4),
        Double.NaN);
  }

  @Test
  void anOverloadedClusterIsWarnedOf() {
    Scenario tooMuch = Samples.open(0.5, ConsistencyLevel.ONE, 50_000);
    assertThat(EnergyPrediction.of(Samples.profile(), tooMuch, Samples.POWER).warnings())
        .anyMatch(warning -> warning.contains("overloaded"));
  }

  @Test
  void linesFitATerminal() {
    assertThat(PREDICTION.lines()).allMatch(line -> line.length() < 80);
    assertThat(String.join(" ", PREDICTION.lines()).replaceAll(" +", " "))
        .contains(
            "joules/operation",
            "held-out error",
            "5 %, worst 8 %",
            "3 %, worst 6 %",
            "0.40 pp, worst 1.20",
            "paid for after");
  }

  @Test
  void theAnswerAsJsonHasEveryFigureWithItsRange() {
    for (String name : List.of("joules_per_op", "watts", "throughput_ops_s", "stale_rate")) {
      assertThat(PREDICTION.json().path(name).path("value").isNumber()).as(name).isTrue();
      assertThat(PREDICTION.json().path(name).path("low").doubleValue())
          .as(name)
          .isLessThanOrEqualTo(PREDICTION.json().path(name).path("high").doubleValue());
    }
    assertThat(PREDICTION.json().path("held_out_error").path("cpu").path("worst").doubleValue())
        .isEqualTo(0.07);
    assertThat(PREDICTION.json().path("held_out_error").path("watts_measured").isBoolean())
        .isTrue();
  }

  @Test
  void scansAreRefused() {
    assertThatThrownBy(
            () ->
                new Scenario(
                    Samples.cluster(),
                    Presets.byName("ycsb-e").orElseThrow().build(),
                    ConsistencyLevel.ONE,
                    ConsistencyLevel.ONE,
                    OptionalInt.of(1),
                    Double.NaN))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("scans");
  }
}
