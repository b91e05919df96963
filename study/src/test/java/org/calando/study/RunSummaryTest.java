package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.core.store.Outcome;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.LoadResult;
import org.calando.load.Measure;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.report.column.ClockFigures;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.ResultColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;
import org.calando.report.column.StaleFigures;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;

class RunSummaryTest {
  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Instant END = Instant.parse("2024-05-01T10:01:00Z");
  private static final long SECOND = 1_000_000_000L;

  private final StudySpec study =
      StudyFile.parse(
          """
          study: summary
          store: {engine: cassandra, local: {nodes: 3}}
          workload: {preset: heavy-update, operations: 1000}
          matrix:
            - {consistency: [{read: ONE, write: QUORUM}], threads: [4]}
            - {consistency: [ONE], rate: [{poisson: 400/s}], duration: 1s}
          repeats: 1
          power: {price-per-kwh: 0.30 EUR, carbon-intensity: 400 g/kWh, pue: 1.5}
          """,
          "study.yaml",
          Path.of(""),
          List.of());
  private final RunSummary summaries = new RunSummary(study, "cassandra", "xeon-x3440", 0);

  @Test
  void aMeasuredRunHasItsFigures() {
    JsonNode summary = measured(closed(), energy(10 * SECOND), Optional.empty());
    JsonNode row = summary.path("row");
    assertThat(row.path("run").asText()).isEqualTo("one-quorum-4t-r1");
    assertThat(row.path("consistency").asText()).isEqualTo("ONE/QUORUM");
    assertThat(row.path("read_level").asText()).isEqualTo("ONE");
    assertThat(row.path("write_level").asText()).isEqualTo("QUORUM");
    assertThat(row.path("threads").asText()).isEqualTo("4");
    assertThat(row.path("rate").asText()).isEmpty();
    assertThat(row.path("operations").asText()).isEqualTo("1000");
    assertThat(row.path("errors").asText()).isEqualTo("200");
    assertThat(row.path("duration_s").asText()).isEqualTo("10");
    assertThat(row.path("throughput_ops_s").asText()).isEqualTo("80");
    assertThat(row.path("read_p50_us").asDouble()).isBetween(999.0, 1001.0);
    assertThat(row.path("read_mean_us").asDouble()).isBetween(999.0, 1001.0);
    assertThat(row.path("write_p99_us").asText()).isEmpty();
    // Two nodes of 80 W for 10 s over the 800 operations that succeeded.
    assertThat(row.path("energy_j").asText()).isEqualTo("1600");
    assertThat(row.path("energy_net_j").asText()).isEqualTo("100");
    assertThat(row.path("joules_per_kop").asText()).isEqualTo("2000");
    assertThat(row.path("power_mean_w").asText()).isEqualTo("160");
    assertThat(row.path("cpu_s").asText()).isEqualTo("4");
    assertThat(row.path("meter").asText()).isEqualTo("model");
    assertThat(row.path("provenance").asText()).isEqualTo("modelled");
    assertThat(row.path("status").asText()).isEqualTo("ok");
    assertThat(row.path("message").asText()).isEmpty();
  }

  @Test
  void theLayoutIsTold() {
    StudySpec laidOut =
        StudyFile.parse(
            """
            study: summary
            store: {engine: cassandra, local: {nodes: 3}}
            workload: {preset: heavy-update, operations: 1000}
            matrix: {layout: [25%], consistency: [ONE], threads: [4]}
            """,
            "study.yaml", Path.of(""), List.of());
    RunConfig run = RunPlan.of(laidOut).get(0);
    JsonNode summary = summaries.failed(run, "as an example", START, END);
    assertThat(summary.at("/row/layout").asText()).isEqualTo("1/4");
    summary = summaries.failed(RunPlan.of(study).get(0), "as an example", START, END);
    assertThat(summary.at("/row/layout").asText()).isEmpty();
  }

  @Test
  void whatAPolicyOfClocksCameToIsToldForEachOperationThatSucceeded() {
    ClockFigures figures =
        new ClockFigures(
            new ClockFigures.Energy(10, 0.25),
            new ClockFigures.Energy(200, 0.5),
            0.4,
            0.2,
            new ClockFigures.Lag(0, 4096, 2_500_000),
            0.1,
            0.85,
            3);
    JsonNode row = withClocks(Optional.of(figures)).path("row");
    assertThat(row.path("clock_energy_i0_j").asText()).isEqualTo("10");
    assertThat(row.path("clock_energy_i1_j").asText()).isEqualTo("200");
    assertThat(row.path("clock_saving_i0").asText()).isEqualTo("0.25");
    assertThat(row.path("clock_saving_i1").asText()).isEqualTo("0.5");
    // Of 1000 operations 200 failed.
    assertThat(row.path("master_cpu_us_op").asText()).isEqualTo("500");
    assertThat(row.path("replica_cpu_us_op").asText()).isEqualTo("250");
    assertThat(row.path("lag_p50_bytes").asText()).isEqualTo("0");
    assertThat(row.path("lag_max_bytes").asText()).isEqualTo("4096");
    assertThat(row.path("lag_max_ms").asText()).isEqualTo("2.5");
    assertThat(row.path("manager_cpu_s").asText()).isEqualTo("0.1");
    assertThat(row.path("manager_j").asText()).isEqualTo("0.85");
    assertThat(row.path("clock_changes").asText()).isEqualTo("3");
  }

  @Test
  void whatIsNotKnownOfClocksIsEmpty() {
    ClockFigures unknown =
        new ClockFigures(
            new ClockFigures.Energy(10, Double.NaN),
            new ClockFigures.Energy(10, Double.NaN),
            0.4,
            Double.NaN,
            ClockFigures.Lag.UNKNOWN,
            0,
            0,
            0);
    JsonNode row = withClocks(Optional.of(unknown)).path("row");
    assertThat(row.path("replica_cpu_us_op").asText()).isEmpty();
    assertThat(row.path("lag_max_ms").asText()).isEmpty();
    assertThat(row.path("clock_saving_i0").asText()).isEmpty();
    assertThat(withClocks(Optional.empty()).at("/row/clock_changes").asText()).isEmpty();
  }

  private JsonNode withClocks(Optional<ClockFigures> figures) {
    return measured(
        closed(), Optional.empty(), figures, Optional.empty(), oracle().snapshot(), null);
  }

  @Test
  void whatEnergyAndMeasuringCostIsTold() {
    JsonNode row = measured(closed(), energy(10 * SECOND), Optional.empty()).path("row");
    assertThat(row.path("nodes").asText()).isEqualTo("3");
    assertThat(row.path("power_scope").asText()).isEqualTo("node");
    // 1600 J of the nodes, 2400 J of the building, at 0.3 EUR and 400 g for 3.6 MJ.
    assertThat(row.path("energy_kwh").asText()).isEqualTo("0.000444444");
    assertThat(row.path("cost").asText()).isEqualTo("0.0002");
    assertThat(row.path("co2e_g").asText()).isEqualTo("0.266667");
    // A CPU second of the profile's node costs 75 W / 4 cores.
    double sampling = row.path("sampling_cpu_s").asDouble();
    assertThat(sampling).isPositive();
    assertThat(row.path("sampling_j").asDouble()).isCloseTo(sampling * 18.75, within(1e-9));
    assertThat(row.path("client_cpu_s").asText()).isNotEmpty();
  }

  @Test
  void theSummaryKeepsTheContract() {
    JsonNode summary = measured(closed(), energy(10 * SECOND), Optional.empty());
    assertThat(summary.path("version").asInt()).isEqualTo(1);
    assertThat(summary.path("started").asText()).isEqualTo("2024-05-01T10:00:00Z");
    assertThat(summary.path("finished").asText()).isEqualTo("2024-05-01T10:01:00Z");
    assertThat(summary.at("/row/started").asText()).isEqualTo("2024-05-01T10:00:00Z");
    assertThat(summary.at("/row/resumes").asText()).isEqualTo("0");
    List<String> columns = new ArrayList<>();
    summary.path("row").fieldNames().forEachRemaining(columns::add);
    assertThat(columns)
        .startsWith(ResultColumns.CONTRACT.stream().map(Column::name).toArray(String[]::new))
        .contains("warm_up_s")
        .doesNotContain("lost_hints", "gear_shifts", "message");
    JsonNode read = summary.path("latency").path("read");
    assertThat(read.path("count").asLong()).isEqualTo(800);
    for (String figure : List.of("mean_us", "p50_us", "p90_us", "p99_us", "p999_us", "max_us")) {
      assertThat(read.path(figure).asDouble()).as(figure).isBetween(999.0, 1001.0);
    }
    JsonNode energy = summary.path("energy");
    assertThat(energy.path("scope").asText()).isEqualTo("node");
    assertThat(energy.path("profile").asText()).isEqualTo("xeon-x3440");
    assertThat(energy.path("nodes")).hasSize(2);
    assertThat(energy.path("nodes").path(0).path("energy_j").asDouble()).isEqualTo(800);
    assertThat(energy.path("nodes").path(0).path("idle_w").asDouble()).isEqualTo(75);
    assertThat(summary.path("notes").path(0).asText()).isEqualTo("a note");
  }

  @Test
  void energyOfAPartOfTheWindowIsLeftBlank() {
    JsonNode summary = measured(closed(), energy(9 * SECOND), Optional.empty());
    JsonNode row = summary.path("row");
    for (String column :
        List.of(
            "energy_j",
            "energy_net_j",
            "joules_per_kop",
            "power_mean_w",
            "energy_kwh",
            "cost",
            "co2e_g",
            "power_cv",
            "power_max_min")) {
      assertThat(row.path(column).asText()).as(column).isEmpty();
    }
    assertThat(row.path("cpu_s").asText()).isEqualTo("4");
    assertThat(summary.path("energy").path("coverage").asDouble()).isEqualTo(0.9);
  }

  @Test
  void withoutAMeterNoEnergyIsTold() {
    JsonNode summary = measured(closed(), Optional.empty(), Optional.empty());
    assertThat(summary.path("row").path("energy_j").asText()).isEmpty();
    assertThat(summary.path("row").path("meter").asText()).isEmpty();
    assertThat(summary.path("row").path("provenance").asText()).isEmpty();
    assertThat(summary.has("energy")).isFalse();
  }

  @Test
  void figuresThatDoNotExistAreNullInTheSummary() {
    NodeEnergy unknown =
        new NodeEnergy("n1", SECOND, SECOND, 0, 80, Double.NaN, Double.NaN, Double.NaN);
    JsonNode summary = measured(closed(), phase(List.of(unknown)), Optional.empty());
    assertThat(summary.path("row").path("energy_net_j").asText()).isEmpty();
    assertThat(summary.path("row").path("energy_j").asText()).isEqualTo("80");
    JsonNode node = summary.path("energy").path("nodes").path(0);
    assertThat(node.path("energy_net_j").isNull()).isTrue();
    assertThat(node.path("cpu_s").isNull()).isTrue();
  }

  @Test
  void aRunThatFailedInItsWindowKeepsItsFiguresAndSaysWhy() {
    Optional<String> reason = Optional.of("node n2 (exit code 137) ended during the run");
    JsonNode summary = measured(closed(), energy(10 * SECOND), reason);
    assertThat(summary.path("row").path("status").asText()).isEqualTo("failed");
    assertThat(summary.path("row").path("message").asText()).isEqualTo(reason.get());
    assertThat(summary.path("row").path("operations").asText()).isEqualTo("1000");
    assertThat(summary.path("notes").path(0).asText()).isEqualTo(reason.get());
    assertThat(summary.path("notes").path(1).asText()).isEqualTo("a note");
  }

  @Test
  void aRunThatFailedBeforeHasAnIdentityAndNoFigures() {
    JsonNode summary = summaries.failed(open(), "table t: gone\n  remedy: r", START, END);
    JsonNode row = summary.path("row");
    assertThat(row.path("run").asText()).isEqualTo("one-poisson-400ps-r1");
    assertThat(row.path("status").asText()).isEqualTo("failed");
    assertThat(row.path("message").asText()).isEqualTo("table t: gone\n  remedy: r");
    assertThat(row.path("rate").asText()).isEqualTo("poisson 400/s");
    assertThat(row.path("intended_rate").asText()).isEqualTo("400");
    assertThat(row.path("operations").asText()).isEmpty();
    assertThat(row.path("energy_j").asText()).isEmpty();
    assertThat(summary.has("latency")).isFalse();
  }

  @Test
  void staleReadsAreToldWithTheirDistanceAndReadsWithoutAreNot() {
    JsonNode row = withStaleness(staleness(true), null).path("row");
    assertThat(row.path("reads").asText()).isEqualTo("2");
    assertThat(row.path("stale_reads").asText()).isEqualTo("1");
    assertThat(row.path("stale_rate").asText()).isEqualTo("0.5");
    assertThat(row.path("stale_p99_ms").asDouble()).isBetween(4.9, 5.1);
    assertThat(row.path("stale_max_versions").asText()).isEqualTo("1");
    assertThat(row.path("ryw_violations").asText()).isEqualTo("1");

    JsonNode fresh = withStaleness(staleness(false), null).path("row");
    assertThat(fresh.path("stale_rate").asText()).isEqualTo("0");
    assertThat(fresh.path("stale_p99_ms").asText()).isEmpty();

    JsonNode none = withStaleness(oracle().snapshot(), null).path("row");
    assertThat(none.path("reads").asText()).isEqualTo("0");
    assertThat(none.path("stale_rate").asText()).isEmpty();
    assertThat(none.path("dual_reads").asText()).isEmpty();
  }

  @Test
  void dualReadsHaveColumnsOfTheirOwn() {
    DualRead dual = new DualRead(1);
    dual.first(0, Outcome.OK, 3);
    dual.second(0, Outcome.OK, 4, true);
    JsonNode summary = withStaleness(staleness(false), dual);
    assertThat(summary.path("row").path("dual_reads").asText()).isEqualTo("1");
    assertThat(summary.path("row").path("dual_stale_reads").asText()).isEqualTo("1");
    assertThat(summary.path("row").path("dual_stale_rate").asText()).isEqualTo("1");
    assertThat(summary.path("staleness").path("dual_read").path("first_older").asInt())
        .isEqualTo(1);
  }

  private JsonNode measured(RunConfig run, Optional<PhaseEnergy> energy, Optional<String> failure) {
    return measured(run, energy, Optional.empty(), failure, oracle().snapshot(), null);
  }

  private JsonNode withStaleness(Staleness staleness, DualRead dual) {
    return measured(
        closed(), Optional.empty(), Optional.empty(), Optional.empty(), staleness, dual);
  }

  private JsonNode measured(
      RunConfig run,
      Optional<PhaseEnergy> energy,
      Optional<ClockFigures> clocks,
      Optional<String> failure,
      Staleness staleness,
      DualRead dual) {
    MeterInfo model =
        new MeterInfo("model", Provenance.MODELLED, Scope.NODE, "10 ms of CPU time", true);
    RunRecord found =
        new RunRecord()
            .add(load())
            .add(new StaleFigures(staleness, Optional.ofNullable(dual)))
            .give(RunColumns.WARM_UP_S, 20)
            .give(EnergyColumns.CLIENT_CPU_S, 1.5)
            .note(List.of("a note"));
    energy.ifPresent(phase -> found.add(phase).add(model));
    clocks.ifPresent(found::add);
    failure.ifPresent(found::fail);
    return summaries.measured(run, found, START, END);
  }

  private RunConfig closed() {
    return run(true);
  }

  private RunConfig open() {
    return run(false);
  }

  private RunConfig run(boolean closed) {
    return RunPlan.of(study).stream()
        .filter(run -> run.threads().isPresent() == closed)
        .findFirst()
        .orElseThrow();
  }

  /** 1000 operations in 10 s: 800 reads of 1 ms and 200 errors. */
  private static LoadResult load() {
    Histogram reads = new Histogram(3);
    reads.recordValueWithCount(1_000_000, 800);
    return new LoadResult(
        EndReason.OPERATIONS_DONE,
        "done",
        0,
        1000,
        200,
        0,
        0,
        Map.of(Outcome.REFUSED, 200L),
        0,
        10 * SECOND,
        Backlog.NONE,
        Map.of(Measure.READ, reads));
  }

  /** Two nodes of 80 W, idle 75 W, for 10 s, of which so much is covered on the second. */
  private static Optional<PhaseEnergy> energy(long coveredNanos) {
    double joules = 80 * (coveredNanos / 1e9);
    return phase(
        List.of(
            new NodeEnergy("n1", 10 * SECOND, 10 * SECOND, 0, 800, 75, 2, 5),
            new NodeEnergy("n2", 10 * SECOND, coveredNanos, 0, joules, 75, 2, 5)));
  }

  private static Optional<PhaseEnergy> phase(List<NodeEnergy> nodes) {
    return Optional.of(
        new PhaseEnergy("measured", 0, 10 * SECOND, EnergySummary.of(nodes), 0.1, List.of()));
  }

  private static StalenessOracle oracle() {
    return new StalenessOracle(StalenessOracle.Config.of(10, 2, 2));
  }

  /** Two reads after an acknowledged write, the second of them stale by 5 ms if wanted. */
  private static Staleness staleness(boolean stale) {
    StalenessOracle oracle = oracle();
    oracle.loaded(0, 10);
    long version = oracle.beginWrite(0, 0, 7);
    oracle.endWrite(0, Outcome.OK, 1_000_000);
    for (long read : new long[] {version, stale ? version - 1 : version}) {
      oracle.beginRead(0, 0, 7, 6_000_000, true);
      oracle.endRead(0, Outcome.OK, read);
    }
    return oracle.snapshot();
  }
}
