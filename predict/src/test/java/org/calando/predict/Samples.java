package org.calando.predict;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;

/** Scenarios, profiles and runs for tests. */
final class Samples {
  static final NodeProfile POWER = Profiles.byName(Profiles.DEFAULT).orElseThrow();

  private Samples() {}

  static ClusterShape cluster() {
    return new ClusterShape(3, 3, 3, Optional.empty(), List.of(List.of(2_000_000L)), 2, true);
  }

  static Workload workload(double read) {
    return Workload.builder()
        .mix(Mix.readUpdate(read, 1 - read))
        .records(50)
        .requests(new RequestDistribution.Zipfian(0.99))
        .build();
  }

  static Scenario closed(double read, ConsistencyLevel level, int threads) {
    return new Scenario(
        cluster(), workload(read), level, level, OptionalInt.of(threads), Double.NaN);
  }

  static Scenario open(double read, ConsistencyLevel level, double perSecond) {
    return new Scenario(cluster(), workload(read), level, level, OptionalInt.empty(), perSecond);
  }

  /** The corners of mix, level and threads, and two rates. */
  static List<Scenario> corners() {
    List<Scenario> corners = new ArrayList<>();
    for (double read : new double[] {0.8, 0.2}) {
      for (ConsistencyLevel level : List.of(ConsistencyLevel.ONE, ConsistencyLevel.ALL)) {
        corners.add(closed(read, level, 2));
        corners.add(closed(read, level, 16));
      }
      corners.add(open(read, ConsistencyLevel.ONE, 100));
      corners.add(open(read, ConsistencyLevel.ONE, 400));
    }
    return corners;
  }

  /** What simulations of scenarios show, as if it had been measured. */
  static List<Configuration> measured(
      List<Scenario> scenarios, Parameters truth, int repeats, int operations, long seed) {
    List<MeasuredRun> runs = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      for (int repeat = 1; repeat <= repeats; repeat++) {
        Figures figures =
            ScenarioSimulation.run(scenario, truth, operations, seed * 1000 + runs.size());
        runs.add(run(scenario, repeat, figures));
      }
    }
    return Configuration.of(runs);
  }

  static MeasuredRun run(Scenario scenario, int repeat, Figures figures) {
    String workload = "reads-" + Math.round(scenario.readShare() * 100);
    return new MeasuredRun(
        workload + "-" + repeat, "sample", workload, repeat, scenario, figures, Double.NaN, POWER);
  }

  static CalibrationProfile profile() {
    HeldOut heldOut =
        new HeldOut(
            "workload=check-*",
            2,
            Map.of(
                Quantity.THROUGHPUT, new HeldOut.Spread(0.05, 0.08),
                Quantity.CPU, new HeldOut.Spread(0.04, 0.07),
                Quantity.STALE, new HeldOut.Spread(0.004, 0.012),
                Quantity.JOULES, new HeldOut.Spread(0.03, 0.06)),
            false,
            List.of());
    return profile(0.03, Optional.of(heldOut));
  }

  static CalibrationProfile profile(double throughputError, Optional<HeldOut> heldOut) {
    Map<Parameter, Interval> parameters = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.all()) {
      double value = Parameters.usual().get(parameter);
      parameters.put(
          parameter, new Interval(value, value * 0.9, Math.min(value * 1.1, parameter.most())));
    }
    return new CalibrationProfile(
        new CalibrationProfile.Origin(List.of("sample"), "2026-01-01", "a processor", 30, 10),
        cluster(),
        FittedRanges.of(corners()),
        parameters,
        List.of(Parameters.usual(), Parameters.usual().with(Parameter.READ, 0.25)),
        Map.of(Quantity.THROUGHPUT, throughputError),
        heldOut,
        POWER,
        Optional.empty());
  }
}
