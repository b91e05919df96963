package org.calando.studyfile.sim;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.rate;

import java.util.List;
import java.util.Optional;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;
import org.calando.studyfile.GearNodes;

/** What {@code store.sim.gears} may say. */
public final class GearsSchema {
  private static final String PATH = "store.sim.gears";
  private static final int MAX_GEARS = 31;
  private static final int MAX_NODES = 10_000;

  private static final Key<List<Integer>> NODES =
      Key.of(
              "nodes",
              list(integer(1, MAX_NODES), 2, MAX_GEARS),
              "How many nodes are on in gear 1, 2, ...: the first ones; in the last gear all are.")
          .mandatory()
          .example("[3, 7]");
  private static final Key<Double> CAPACITY =
      Key.of(
              "capacity",
              rate(10_000_000),
              "Operations per time that policies assume a node serves within what clients were"
                  + " promised.")
          .mandatory()
          .example("100/s");

  /** Gears of a simulated cluster. */
  static final ObjectType<GearNodes> TYPE =
      ObjectType.named(
              "gears",
              "Groups of nodes that are switched on and off together; each group is a rack and"
                  + " holds a replica of everything.")
          .keys(NODES, CAPACITY)
          .check(GearsSchema::checkNodes)
          .build(
              gears -> new GearNodes(gears.get(NODES), 1, false, Optional.of(gears.get(CAPACITY))));

  private GearsSchema() {}

  private static void checkNodes(Values gears) {
    List<Integer> nodes = gears.find(NODES).orElse(List.of());
    for (int i = 1; i < nodes.size(); i++) {
      if (nodes.get(i) <= nodes.get(i - 1)) {
        gears.error(NODES, "a higher gear has no more nodes than a lower", "write 3, 7");
        return;
      }
    }
  }

  /** Checks gears that a study's simulated cluster is given against the rest of it, if it is. */
  public static void check(Values study, Key<StoreSpec> store) {
    study
        .find(store)
        .flatMap(SimSpec::of)
        .ifPresent(
            sim ->
                sim.gears()
                    .filter(gears -> gears.nodePerSecond().isPresent())
                    .ifPresent(gears -> check(study, sim, gears)));
  }

  private static void check(Values study, SimSpec sim, GearNodes gears) {
    int last = gears.nodesOn().get(gears.gears() - 1);
    if (last != sim.size()) {
      study.errorAt(
          PATH,
          "the last gear has " + last + " nodes, the cluster " + sim.size(),
          "write all nodes for the last gear");
    }
    if (sim.dataCentres().size() > 1 || sim.model().hasGroups()) {
      study.errorAt(
          PATH, "is not supported with data centres, or masters in groups", "remove these");
    }
    if (ReplicationSchema.total(sim.replicas()) != gears.groups()) {
      study.errorAt(
          PATH,
          "each of the " + gears.groups() + " groups holds a replica of everything",
          "write rf: " + gears.groups());
    }
    for (String key : List.of("racks", "layout", "off")) {
      if (study.has("store.sim." + key)) {
        study.errorAt("store.sim." + key, "given beside gears, which say it", "remove it");
      }
    }
  }
}
