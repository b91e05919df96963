package org.calando.studyfile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.size;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.Profiles;
import org.calando.engine.TlsSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What the file of {@code calando govern} may say of gears. */
final class GearGovernSchema {
  private static final double MEGA = 1e6;
  private static final long MOST_BYTES = 1L << 40;

  private static final Key<String> INVENTORY =
      Key.of(
              "inventory",
              TlsSchema.PATH,
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
      Key.of("policy", GearSchema.TYPE, "What decides about the gear, as in a study's matrix.gear.")
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
              "From one look to the next.")
          .byDefault("30s")
          .example("30s");
  private static final Key<String> PROFILE =
      Key.of(
              "profile",
              choiceOrLater("a power profile", List.copyOf(Profiles.names()), List.of()),
              "Power profile of the nodes, by which a shift is taken to pay.")
          .byDefault(Profiles.DEFAULT)
          .example(Profiles.DEFAULT);
  private static final Key<Long> BANDWIDTH =
      Key.of(
              "bandwidth",
              size(1, MOST_BYTES),
              "Bytes a second of catch-up in all; as fast as it goes without it.")
          .example("20MB");

  private static final ObjectType<GearGovernSpec> GEARS =
      ObjectType.named("governed gears", "The gear of an HDFS, and what decides about it.")
          .keys(INVENTORY, LOCAL, POLICY, CAPACITY, PERIOD, PROFILE, BANDWIDTH)
          .check(GearGovernSchema::check)
          .build(GearGovernSchema::build);

  private static final Key<GearGovernSpec> TOP =
      Key.of("gears", GEARS, "The gear of an HDFS with gears.")
          .mandatory()
          .example("{local: true, policy: {load: {}}, capacity: 60MB}");

  static final ObjectType<GearGovernSpec> TYPE =
      ObjectType.named("the governor of gears", "What ./calando govern governs of an HDFS.")
          .keys(TOP)
          .build(values -> values.get(TOP));

  private GearGovernSchema() {}

  private static void check(Values gears) {
    boolean local = gears.find(LOCAL).orElse(false);
    if (local == gears.given(INVENTORY)) {
      gears.error(
          INVENTORY,
          local ? "given beside local" : "is missing",
          "name an inventory, or write local: true");
    }
  }

  private static GearGovernSpec build(Values gears) {
    return new GearGovernSpec(
        gears.find(INVENTORY),
        gears.get(POLICY),
        gears.get(CAPACITY) / MEGA,
        gears.get(PERIOD),
        gears.get(PROFILE),
        gears.find(BANDWIDTH));
  }
}
