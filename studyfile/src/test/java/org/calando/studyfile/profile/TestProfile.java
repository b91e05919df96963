package org.calando.studyfile.profile;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.studyfile.profile.FittedRange.Bounds;

/**
 * A profile as a calibration might have found it: the usual values, on three nodes of a machine.
 */
public final class TestProfile {
  static final NodeProfile POWER = Profiles.byName(Profiles.DEFAULT).orElseThrow();

  private TestProfile() {}

  static ClusterShape cluster() {
    return new ClusterShape(3, 3, 3, Optional.empty(), List.of(List.of(2_000_000L)), 2, true);
  }

  static CalibrationProfile profile() {
    Map<Parameter, Interval> parameters = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.all()) {
      double value = Parameters.usual().get(parameter);
      parameters.put(
          parameter, new Interval(value, value * 0.9, Math.min(value * 1.1, parameter.most())));
    }
    Bounds replicas = new Bounds(1 / 3.0, 1);
    return new CalibrationProfile(
        new CalibrationProfile.Origin(List.of("sample"), "2026-01-01", "a processor", 30, 10),
        cluster(),
        new FittedRange(
            new Bounds(0.2, 0.8),
            new Bounds(2, 16),
            new Bounds(100, 400),
            replicas,
            replicas,
            new Bounds(50, 50),
            new Bounds(2, 2),
            List.of("zipf:0.99")),
        parameters,
        List.of(Parameters.usual(), Parameters.usual().with(Parameter.READ, 0.25)),
        Map.of(Quantity.THROUGHPUT, 0.03),
        Optional.of(
            new HeldOut(
                "workload=check-*",
                2,
                Map.of(
                    Quantity.THROUGHPUT, new HeldOut.Spread(0.05, 0.08),
                    Quantity.CPU, new HeldOut.Spread(0.04, 0.07)),
                false,
                List.of())),
        POWER,
        Optional.empty());
  }

  /** The text of its file. */
  public static String text() {
    return ProfileFile.text(profile());
  }
}
