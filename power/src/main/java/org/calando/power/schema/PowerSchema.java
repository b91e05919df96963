package org.calando.power.schema;

import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.energy.Profiles;
import org.calando.power.Meters;
import org.calando.power.PowerSource;
import org.calando.power.schema.SnmpSpec.Pdu;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Units;
import org.calando.schema.Values;

/** What {@code power} may say. */
public final class PowerSchema {
  private static final double MAX_WATTS = 100_000;
  private static final String CALIBRATED = "calibrated";

  /** The name of a built-in profile. */
  public static final ScalarType<String> PROFILE_NAME =
      choiceOrLater("a power profile", List.copyOf(Profiles.names()), List.of());

  private static final Key<String> NAME =
      Key.of("name", Types.NAME, "What reports call the profile.")
          .byDefault("custom")
          .example("our-xeon");
  private static final Key<Double> OFF =
      Key.of("off", watts(), "Watts while switched off.").byDefault("0").example("8");
  private static final Key<Double> IDLE =
      Key.of("idle", watts(), "Watts while on without work; at least off.")
          .mandatory()
          .example("75");
  private static final Key<Double> BUSY =
      Key.of("busy", watts(), "Watts with every core busy; at least idle.")
          .mandatory()
          .example("150");
  private static final Key<Integer> CORES =
      Key.of("cores", integer(1, 4096), "Cores of the node.").mandatory().example("4");
  private static final Key<Double> CPU_SCALE =
      Key.of(
              "cpu-scale",
              number(0.001, 1000),
              "CPU seconds of the node that one CPU second of this machine stands for; 2 if the"
                  + " node's cores are half as fast.")
          .byDefault("1")
          .example("1.5");
  private static final Key<PowerCurve> CURVE =
      Key.of(
              "curve",
              curve(),
              "Shape between idle and busy: linear, or watts at evenly spaced utilisations from"
                  + " none to full.")
          .byDefault("linear")
          .example("[75, 110, 130, 150]");
  private static final Key<Double> BOOT_SECONDS =
      Key.of("boot-seconds", number(0, 86_400), "Seconds from power-on to ready.")
          .byDefault("0")
          .example("120");
  private static final Key<Double> BOOT_WATTS =
      Key.of("boot-watts", watts(), "Mean watts meanwhile.").byDefault("0").example("110");
  private static final Key<String> SOURCE =
      Key.of(
              "source",
              text("a text", "\\P{Cntrl}{1,500}", ""),
              "Where the figures come from; shown beside every energy figure.")
          .byDefault("the study file")
          .example("\"measured at the wall, 2024\"");

  private static final ObjectType<NodeProfile> CUSTOM =
      ObjectType.named("a power profile", "The power of a node, where no built-in profile fits.")
          .keys(NAME, OFF, IDLE, BUSY, CORES, CPU_SCALE, CURVE, BOOT_SECONDS, BOOT_WATTS, SOURCE)
          .check(PowerSchema::checkProfile)
          .build(PowerSchema::profile);

  private static final Key<String> METER =
      Key.of(
              "meter",
              choiceOrLater("a meter", meters(), List.of()),
              "What measures energy: the best that works (auto), outlets of a PDU (snmp), management"
                  + " controllers (redfish, ipmi), a metrics server (prometheus), the processors'"
                  + " counters, of other machines (agent) or this one (powercap), or CPU time against"
                  + " the profile (model).")
          .byDefault("auto")
          .example("model");
  private static final Key<Optional<NodeProfile>> PROFILE =
      Key.of(
              "profile",
              profileType(),
              "Power of a node: a built-in profile, your own figures, or calibrated for that of"
                  + " store.sim.profile.")
          .byDefault(Profiles.DEFAULT)
          .example("{idle: 75, busy: 150, cores: 4}");
  private static final Key<Long> BASELINE =
      Key.of(
              "baseline",
              duration(0, 3_600_000_000_000L),
              "How long the idle cluster is observed before each run.")
          .byDefault("5s")
          .example("10s");

  private static final Key<Long> INTERVAL =
      Key.of(
              "interval",
              duration(100_000_000L, 60_000_000_000L),
              "Time between two readings of a node.")
          .byDefault("1s")
          .example("2s");

  private static final Key<Map<String, NodeInstruments>> NODES =
      Key.of(
              "nodes",
              mapOf(Types.NAME, SourceSchema.POWER),
              "Where the energy of nodes of a local cluster is read: n1, n2 and so on.")
          .example("{n1: {snmp: pdu1, outlet: 1}}");

  public static final ObjectType<PowerSpec> TYPE =
      ObjectType.named("power", "How energy is measured.")
          .keys(METER, PROFILE, BASELINE, INTERVAL, SourceSchema.PDUS, NODES)
          .keys(PricingSchema.KEYS)
          .check(PowerSchema::checkNodes)
          .build(PowerSchema::power);

  private PowerSchema() {}

  private static List<String> meters() {
    List<String> names = new ArrayList<>(List.of(Meters.AUTO));
    names.addAll(Meters.names());
    return names;
  }

  private static void checkNodes(Values power) {
    Map<String, Pdu> pdus = power.find(SourceSchema.PDUS).orElse(Map.of());
    power
        .find(NODES)
        .orElse(Map.of())
        .forEach((name, node) -> SourceSchema.checkPdus(power, "nodes." + name, node, pdus));
  }

  private static PowerSpec power(Values power) {
    Map<String, Pdu> pdus = power.find(SourceSchema.PDUS).orElse(Map.of());
    Map<String, List<PowerSource>> nodes = new HashMap<>();
    power.find(NODES).orElse(Map.of()).forEach((name, node) -> nodes.put(name, node.resolve(pdus)));
    return new PowerSpec(
        power.get(METER),
        power.get(PROFILE).orElseGet(() -> Profiles.byName(Profiles.DEFAULT).orElseThrow()),
        power.get(PROFILE).isEmpty(),
        power.get(BASELINE),
        power.get(INTERVAL),
        PricingSchema.pricing(power),
        nodes);
  }

  private static ScalarType<Double> watts() {
    return number(0, MAX_WATTS);
  }

  /** Empty for that of a calibrated cluster. */
  private static Type<Optional<NodeProfile>> profileType() {
    List<String> names = new ArrayList<>(Profiles.names());
    names.add(CALIBRATED);
    return scalarOrMapping(
        mapped(choiceOrLater("a power profile", names, List.of()), Profiles::byName),
        mapped(CUSTOM, Optional::of));
  }

  private static Type<PowerCurve> curve() {
    Type<PowerCurve> linear =
        mapped(choiceOrLater("a curve", List.of("linear"), List.of()), name -> PowerCurve.linear());
    Type<PowerCurve> points =
        mapped(
            list(watts(), 2, 101),
            watts -> PowerCurve.points(watts.stream().mapToDouble(Double::doubleValue).toArray()));
    return scalarOrList(linear, points);
  }

  private static void checkProfile(Values profile) {
    atLeast(profile, IDLE, OFF);
    atLeast(profile, BUSY, IDLE);
    for (String problem : profile.find(CURVE).map(PowerCurve::problems).orElse(List.of())) {
      profile.errorAt(CURVE.name(), problem, "write watts that rise from idle to busy");
    }
  }

  private static void atLeast(Values profile, Key<Double> key, Key<Double> floor) {
    double low = profile.find(floor).orElse(0.0);
    profile
        .find(key)
        .filter(watts -> watts < low)
        .ifPresent(
            watts ->
                profile.errorAt(
                    key.name(),
                    Units.formatNumber(watts) + " W is less than " + floor.name(),
                    "write at least " + Units.formatNumber(low)));
  }

  private static NodeProfile profile(Values profile) {
    return new NodeProfile(
        profile.get(NAME),
        profile.get(OFF),
        profile.get(IDLE),
        profile.get(BUSY),
        profile.get(CORES),
        profile.get(CPU_SCALE),
        profile.get(CURVE),
        profile.get(BOOT_SECONDS),
        profile.get(BOOT_WATTS),
        profile.get(SOURCE));
  }
}
