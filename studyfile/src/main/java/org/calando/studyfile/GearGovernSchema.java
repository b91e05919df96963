package org.calando.studyfile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.file;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.rate;
import static org.calando.schema.Types.size;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.Profiles;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.GearSettings;
import org.calando.engine.GearSettings.Capacity;
import org.calando.engine.InventorySchema;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.Point;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Values;

/** What the file of {@code calando govern} may say of gears. */
final class GearGovernSchema {
  /** What the section is called. */
  static final String NAME = "gears";

  private static final long MOST_BYTES = 1L << 40;

  private static final Key<InventorySpec> INVENTORY =
      Key.of(
              StoreSchema.INVENTORY.name(),
              file("an inventory file", InventorySchema.TYPE),
              "The cluster: an inventory with a section hdfs; relative to this file.")
          .example("cluster.yaml");
  private static final Key<Boolean> LOCAL =
      Key.of(
              "local",
              bool(),
              "The cluster of ./calando local start hdfs, in place of an inventory.")
          .byDefault("false")
          .example("true");
  private static final Key<GearChoice> POLICY =
      Key.of("policy", GearSchema.TYPE, "The policy of the gear, as in a study's matrix.gear.")
          .mandatory()
          .example("{load: {head-room: 20%}}");
  private static final Key<Long> CAPACITY =
      Key.of(
              "capacity",
              size(1, MOST_BYTES),
              "Bytes a second that a node reads and writes within what clients were promised.")
          .mandatory()
          .example("60MB");
  private static final Key<Long> PERIOD =
      Key.of(
              "period",
              duration(TimeUnit.SECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(2)),
              "Time between observations.")
          .byDefault("30s")
          .example("30s");
  private static final Key<String> PROFILE =
      Key.of(
              "profile",
              choiceOrLater("a power profile", List.copyOf(Profiles.names()), List.of()),
              "Power profile of the nodes, by which a shift is judged to pay.")
          .byDefault(Profiles.DEFAULT)
          .example(Profiles.DEFAULT);
  private static final Key<Long> BANDWIDTH =
      Key.of(
              "bandwidth",
              size(1, MOST_BYTES),
              "Bytes a second of catch-up in all; unlimited without it.")
          .example("20MB");

  private static final double MOST_OPERATIONS = 1e9;
  private static final int MOST_NODES = 1000;
  private static final ScalarType<Long> BYTES = size(1, MOST_BYTES);
  private static final ScalarType<Double> OPERATIONS = rate(MOST_OPERATIONS);
  private static final Key<Capacity> SERVES =
      Key.of(
              CAPACITY.name(),
              new ScalarType<>(
                  "a size or a rate",
                  BYTES.range() + ", or " + OPERATIONS.range(),
                  GearGovernSchema::capacity,
                  GearGovernSchema::written,
                  Map.of("type", List.of("string", "integer"))),
              "What a node serves within what clients were promised: of HDFS the bytes that it"
                  + " reads and writes in a second, of HBase the rows that a server does.")
          .mandatory()
          .example("60MB");
  private static final Key<Integer> LEAST =
      Key.of("least", integer(1, MOST_NODES), "HBase: nodes that are always up, those of gear 1.")
          .byDefault("1")
          .example("2");

  /** What policies of gears take a cluster for. */
  static final ObjectType<GearSettings> SETTINGS =
      ObjectType.named("gears of a governed cluster", "What a policy of gears takes it for.")
          .keys(SERVES, LEAST, BANDWIDTH)
          .build(
              gears ->
                  new GearSettings(gears.get(SERVES), gears.get(LEAST), gears.find(BANDWIDTH)));

  private static final ObjectType<ServiceSpec> GEARS =
      ObjectType.named("governed gears", "The gear of an HDFS, and what decides about it.")
          .keys(INVENTORY, LOCAL, POLICY, CAPACITY, PERIOD, PROFILE, BANDWIDTH)
          .check(GearGovernSchema::check)
          .build(GearGovernSchema::build);

  private static final Key<ServiceSpec> TOP =
      Key.of(NAME, GEARS, "The gear of an HDFS with gears.")
          .mandatory()
          .example("{local: true, policy: {load: {}}, capacity: 60MB}");

  static final ObjectType<ServiceSpec> TYPE =
      ObjectType.named("the governor of gears", "What ./calando govern governs of an HDFS.")
          .keys(TOP)
          .build(values -> values.get(TOP));

  private GearGovernSchema() {}

  /** Whose gears are governed by this short form. */
  static Engine engine() {
    return Engines.with(Feature.GEARS).stream()
        .filter(each -> each.supports(Feature.GOVERNED) && each.supports(Feature.FILES))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no engine has gears that are governed"));
  }

  private static Capacity capacity(Tree.Scalar scalar) throws Refusal {
    return scalar.text().contains("/")
        ? new Capacity(OPERATIONS.parse(scalar), false)
        : new Capacity(BYTES.parse(scalar), true);
  }

  private static Object written(Capacity capacity) {
    return capacity.ofBytes()
        ? BYTES.text((long) capacity.perSecond())
        : OPERATIONS.text(capacity.perSecond());
  }

  private static void check(Values gears) {
    boolean local = gears.find(LOCAL).orElse(false);
    if (!gears.given(INVENTORY) || local) {
      gears.error(
          INVENTORY,
          local ? "given beside local" : "is missing",
          "name an inventory, or write local: true");
    }
  }

  private static ServiceSpec build(Values gears) {
    GearSettings settings =
        new GearSettings(new Capacity(gears.get(CAPACITY), true), 1, gears.find(BANDWIDTH));
    return ServiceSpec.attended(
        StoreSpec.of(engine(), gears.get(INVENTORY)),
        Point.NONE.with(GearSchema.AXIS, gears.get(POLICY)),
        new ServiceSpec.Machines(Optional.empty(), Optional.of(settings)),
        gears.get(PERIOD),
        Profiles.byName(gears.get(PROFILE)).orElseThrow());
  }
}
