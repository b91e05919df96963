package org.calando.studyfile.profile;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.text;

import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;

/** What a profile's file may say of the power of a node. */
final class ProfilePower {
  private static final ScalarType<Double> WATTS = number(0, 100_000);
  private static final Key<String> NAME =
      Key.of("name", text("a name", "\\P{Cntrl}{1,63}", ""), "What users call it.").mandatory();
  private static final Key<Double> OFF = Key.of("off", WATTS, "Watts while off.").mandatory();
  private static final Key<Double> IDLE = Key.of("idle", WATTS, "Watts while idle.").mandatory();
  private static final Key<Double> BUSY = Key.of("busy", WATTS, "Watts while busy.").mandatory();
  private static final Key<Integer> CORES =
      Key.of("cores", integer(1, 4096), "Cores of the node that watts are of.").mandatory();
  private static final Key<Double> SCALE =
      Key.of("cpu-scale", number(0.001, 1000), "CPU seconds of it for one measured.").mandatory();
  private static final Key<List<Double>> CURVE =
      Key.of("curve", list(WATTS, 2, 101), "Watts at evenly spaced utilisations.");
  private static final Key<Double> EXPONENT =
      Key.of("exponent", number(0.01, 100), "Of a curve that is a power of utilisation.");
  private static final Key<Double> BOOT_SECONDS =
      Key.of("boot-seconds", number(0, 86_400), "From power-on to ready.").mandatory();
  private static final Key<Double> BOOT_WATTS =
      Key.of("boot-watts", WATTS, "Mean watts meanwhile.").mandatory();
  private static final Key<String> SOURCE =
      Key.of("source", text("a text", "\\P{Cntrl}{1,600}", ""), "Where they come from.")
          .mandatory();

  /** The power of a node. */
  static final Key<NodeProfile> POWER =
      Key.of(
              "power",
              ObjectType.named("power", "Of a node.")
                  .keys(
                      NAME,
                      OFF,
                      IDLE,
                      BUSY,
                      CORES,
                      SCALE,
                      CURVE,
                      EXPONENT,
                      BOOT_SECONDS,
                      BOOT_WATTS,
                      SOURCE)
                  .check(ProfilePower::check)
                  .build(ProfilePower::profile),
              "Power of a node.")
          .mandatory();

  private ProfilePower() {}

  private static void check(Values values) {
    double off = values.find(OFF).orElse(0.0);
    double idle = values.find(IDLE).orElse(off);
    double busy = values.find(BUSY).orElse(idle);
    if (idle < off) {
      values.error(IDLE, "is below off", "a node that is on draws more than one that is off");
    }
    if (busy < idle) {
      values.error(BUSY, "is below idle", "a busy node draws more than an idle one");
    }
    values.requireAtMostOne(CURVE, EXPONENT);
    values
        .find(CURVE)
        .map(ProfilePower::points)
        .map(PowerCurve::problems)
        .ifPresent(problems -> problems.forEach(what -> values.error(CURVE, what, "")));
  }

  private static PowerCurve points(List<Double> watts) {
    return PowerCurve.points(watts.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static NodeProfile profile(Values values) {
    PowerCurve curve =
        values
            .find(CURVE)
            .map(ProfilePower::points)
            .or(() -> values.find(EXPONENT).map(PowerCurve::powerLaw))
            .orElseGet(PowerCurve::linear);
    return new NodeProfile(
        values.get(NAME),
        values.get(OFF),
        values.get(IDLE),
        values.get(BUSY),
        values.get(CORES),
        values.get(SCALE),
        curve,
        values.get(BOOT_SECONDS),
        values.get(BOOT_WATTS),
        values.get(SOURCE));
  }
}
