package org.calando.studyfile.sim;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.file;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.scalarOrMapping;

import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LayoutType;
import org.calando.engine.LinkDelay;
import org.calando.engine.LinkDelayType;
import org.calando.engine.ReplicationSchema;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;
import org.calando.studyfile.GearNodes;
import org.calando.studyfile.profile.CalibratedModel;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ProfileType;

/**
 * What {@code store.sim} may say. What it leaves open of the cluster's shape is as {@code
 * store.local} has it, so those keys have no defaults of their own: {@link SimPart} has them.
 */
public final class SimSchema {
  private static final int MAX_NODES = TokenLayout.MAX_NODES;
  private static final int MAX_MATRIX = 100;

  static final Key<Integer> NODES =
      Key.of(
              "nodes",
              integer(1, MAX_NODES),
              "Nodes; 3 by default, without store.local and profile.")
          .example("39");
  static final Key<Map<String, Integer>> DATACENTERS =
      Key.of(
              "datacenters",
              mapOf(Types.NAME, integer(1, MAX_NODES)),
              "Nodes of each data centre, in place of nodes; local-dc says which of them requests"
                  + " go to.")
          .example("{east: 20, west: 20}");
  static final Key<Integer> RACKS =
      Key.of(
              "racks",
              integer(1, MAX_NODES),
              "Racks of each data centre, 1 by default; nodes are dealt to them in turn.")
          .example("3");
  public static final Key<Map<String, Integer>> RF =
      Key.of(
              "rf",
              ReplicationSchema.TYPE,
              "Replication factor, 3 by default; or one for each data centre: {east: 3, west: 2}.")
          .example("5");
  public static final Key<LinkDelay> LINK_DELAY =
      Key.of(
              "link-delay",
              LinkDelayType.of(MAX_MATRIX),
              "One-way delay of messages between nodes, added to latency; 0 by default. A matrix has"
                  + " a row for each sender and a column for each receiver.")
          .example("5ms");
  static final Key<WarmShare> LAYOUT =
      Key.of(
              "layout",
              LayoutType.SHARE,
              "Token layout: the share of nodes, the first ones of each data centre, that own twice"
                  + " as much of the ring as the others; see docs/layout.md.")
          .example("half");
  private static final Key<Partitioner> PARTITIONER =
      Key.of(
              "partitioner",
              choice(
                  "a partitioner",
                  Names.inOrder("murmur3", Partitioner.MURMUR3, "random", Partitioner.RANDOM)),
              "Partitioner of the tokens; both spread keys evenly.")
          .byDefault("murmur3")
          .example("random");
  static final Key<GearNodes> GEARS =
      Key.of(
              "gears",
              GearsSchema.TYPE,
              "Groups of nodes that matrix.gear switches on and off; they are the racks, and rf is"
                  + " their number.")
          .example("{nodes: [3, 7], capacity: 100/s}");
  static final Key<CalibrationProfile> PROFILE =
      Key.of(
              "profile",
              scalarOrMapping(file("a profile's file", ProfileType.TYPE), ProfileType.TYPE),
              "A calibrated cluster, as ./calando calibrate found it: work, latencies and machines are"
                  + " its own; so is the shape, where neither this nor store.local sets it. Its power"
                  + " is power.profile calibrated.")
          .example("profile.yaml");

  static final ObjectType<SimPart> TYPE =
      ObjectType.named(
              "a simulated cluster",
              "A cluster that is simulated; with store.local it is of the shape that says, where"
                  + " nothing else is written here.")
          .keys(NODES, DATACENTERS, RACKS, RF, LINK_DELAY, LAYOUT, PARTITIONER, GEARS)
          .keys(SimModelSchema.KEYS)
          .keys(MachineSchema.KEYS)
          .keys(PROFILE)
          .check(SimSchema::check)
          .build(SimSchema::part);

  private SimSchema() {}

  private static void check(Values sim) {
    sim.requireAtMostOne(NODES, DATACENTERS);
    SimModelSchema.check(sim);
    if (sim.given(PROFILE)) {
      SimModelSchema.forbidBesideProfile(sim);
      MachineSchema.forbidBesideProfile(sim);
    }
  }

  private static SimPart part(Values sim) {
    Optional<CalibrationProfile> profile = sim.find(PROFILE);
    Optional<CalibratedModel> calibrated = profile.map(found -> new CalibratedModel(found.best()));
    return new SimPart(
        sim.find(NODES),
        sim.find(DATACENTERS),
        sim.find(RACKS),
        sim.find(RF),
        sim.find(LINK_DELAY),
        sim.find(LAYOUT),
        sim.get(PARTITIONER),
        sim.find(GEARS),
        sim.find(SimModelSchema.COORDINATORS),
        sim.find(SimModelSchema.REPLICAS),
        SimModelSchema.model(sim, calibrated),
        MachineSchema.machines(sim, calibrated),
        profile);
  }
}
