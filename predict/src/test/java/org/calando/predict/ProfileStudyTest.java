package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.study.StudyRunner;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.ProfileFile;
import org.calando.studyfile.profile.Quantity;
import org.calando.studyfile.profile.StageThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A simulated study with a profile shows what predictions by the profile do: the load generators
 * differ, the clusters must not.
 */
class ProfileStudyTest {
  private static final int OPERATIONS = 20_000;
  private static final Parameters TRUTH =
      Parameters.usual().with(Parameter.CAPACITY, 0.8).with(Parameter.READ, 0.3);

  @TempDir Path folder;

  /** A profile of {@link #TRUTH} on a machine that nodes share, or on one for each. */
  private static CalibrationProfile profile(boolean shared) {
    return profile(shared, Optional.empty());
  }

  private static CalibrationProfile profile(boolean shared, Optional<StageThreads> stages) {
    CalibrationProfile sample = Samples.profile();
    Map<Parameter, Interval> parameters = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.of(stages)) {
      double value = TRUTH.get(parameter);
      parameters.put(parameter, new Interval(value, value, value));
    }
    ClusterShape cluster =
        new ClusterShape(3, 3, 3, Optional.empty(), List.of(List.of(2_000_000L)), 2, shared);
    return new CalibrationProfile(
        sample.origin(),
        cluster,
        sample.range(),
        parameters,
        sample.draws().stream().map(draw -> draw.with(stages)).toList(),
        sample.fitErrors(),
        sample.heldOut(),
        sample.power(),
        stages);
  }

  private RunRow study(CalibrationProfile profile, String load) throws InterruptedException {
    ProfileFile.write(profile, folder.resolve("profile.yaml"));
    String yaml =
        """
        study: test
        store: {engine: sim, sim: {profile: profile.yaml}}
        power: {profile: calibrated}
        repeats: 1
        workload: {mix: {read: 50%%, update: 50%%}, distribution: uniform, records: 8,
          operations: %d, warm-up: %d}
        matrix: {consistency: [ONE], %s}
        """
            .formatted(OPERATIONS, OPERATIONS / 10, load);
    StudySpec study = StudyFile.parse(yaml, "study.yaml", folder, List.of());
    // What is kept of a study means the same without the profile's file.
    assertThat(StudyFile.parse(study.canonicalText(), "again", Path.of(""), List.of()))
        .isEqualTo(study);
    Path out = folder.resolve("out");
    StudyRunner.Request request =
        new StudyRunner.Request(
            study, study.canonicalText(), folder, out, false, false, "a test", OptionalInt.empty());
    assertThat(new StudyRunner(request, Progress.silent(), new StopSignal()).run().failed())
        .isEmpty();
    return RunRows.read(out).get(0);
  }

  private static Figures predicted(CalibrationProfile profile, OptionalInt threads, double rate) {
    Workload workload =
        Workload.builder()
            .mix(Mix.readUpdate(0.5, 0.5))
            .records(8)
            .requests(new RequestDistribution.Uniform())
            .build();
    Scenario scenario =
        new Scenario(
            profile.cluster(), workload, ConsistencyLevel.ONE, ConsistencyLevel.ONE, threads, rate);
    return ScenarioSimulation.run(scenario, profile.best(), OPERATIONS, 7);
  }

  private static void agree(RunRow row, Figures figures, NodeProfile power) {
    double operations = row.number("operations");
    double seconds = row.number("duration_s");
    assertThat(row.number("throughput_ops_s")).isCloseTo(figures.throughput(), withPercentage(1.5));
    assertThat(row.number("cpu_s") / operations * 1e3)
        .isCloseTo(figures.cpuMillis(), withPercentage(1.5));
    assertThat(row.number("client_cpu_s") / operations * 1e3)
        .isCloseTo(figures.clientMillis(), withPercentage(1.5));
    // Stale reads of a key come in bursts: a standard error of about a tenth each.
    assertThat(figures.staleReads()).isGreaterThan(100);
    assertThat(row.number("stale_rate")).isCloseTo(figures.staleRate(), withPercentage(25));
    double watts =
        figures.nodeCores().stream()
            .mapToDouble(cores -> power.watts(power.utilisation(cores, 1)))
            .sum();
    assertThat(row.number("power_mean_w")).isCloseTo(watts, withPercentage(2));
    assertThat(row.number("energy_j") / seconds).isCloseTo(watts, within(watts * 0.02));
  }

  @Test
  void aClosedLoopOnASharedMachineIsAsPredicted() throws Exception {
    CalibrationProfile profile = profile(true);
    agree(
        study(profile, "threads: [16]"),
        predicted(profile, OptionalInt.of(16), Double.NaN),
        profile.power());
  }

  @Test
  void anOpenLoopOnMachinesOfTheirOwnIsAsPredicted() throws Exception {
    CalibrationProfile profile = profile(false);
    agree(
        study(profile, "rate: [{poisson: 600/s}]"),
        predicted(profile, OptionalInt.empty(), 600),
        profile.power());
  }

  @Test
  void nodesWithStagesAreAsPredicted() throws Exception {
    CalibrationProfile profile = profile(true, Optional.of(new StageThreads(128, 2, 8, 8, 2)));
    RunRow row = study(profile, "threads: [16]");
    Figures figures = predicted(profile, OptionalInt.of(16), Double.NaN);
    agree(row, figures, profile.power());
    assertThat(row.number("write_p99_us") / 1e3)
        .isCloseTo(figures.get(Quantity.WRITE_P99), withPercentage(10));
    Figures without = predicted(profile(true), OptionalInt.of(16), Double.NaN);
    assertThat(without.get(Quantity.LAG)).isNaN();
    assertThat(figures.get(Quantity.LAG_P99)).isGreaterThan(figures.get(Quantity.LAG));
  }
}
