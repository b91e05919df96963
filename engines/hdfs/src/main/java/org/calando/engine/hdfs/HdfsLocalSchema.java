package org.calando.engine.hdfs;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.rate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.engine.BlockLayout;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.LocalSchema;
import org.calando.engine.LocalSpec;
import org.calando.engine.StoreLayout;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.Values;

/** What {@code store.local} may say of a local HDFS. */
final class HdfsLocalSchema {
  private static final int MAX_NODES = 9;

  private static final Key<List<Integer>> GEARS =
      Key.of(
              "gears",
              list(integer(1, MAX_NODES), 2, MAX_NODES),
              "HDFS: how many nodes are on in gear 1, 2, ...: the first ones; in the last gear all"
                  + " are.")
          .example("[3, 7]");
  private static final Key<Integer> PRIMARIES =
      Key.of(
              "primaries",
              integer(0, MAX_NODES),
              "HDFS: nodes with the first replicas of RABBIT; 0 for those of gear 1.")
          .byDefault("0")
          .example("3");
  private static final Key<Integer> REPLICAS =
      Key.of("replicas", integer(1, MAX_NODES), "HDFS: replicas of each block of RABBIT.")
          .byDefault("2")
          .example("2");
  private static final Key<String> OFFLOAD =
      Key.of(
              "offload",
              choice(
                  "a choice of nodes", Names.inOrder("balanced", "balanced", "random", "random")),
              "HDFS: which nodes stand in for homes that are off: those with fewest such bytes, or"
                  + " any, as in the paper.")
          .byDefault("balanced")
          .example("random");
  private static final Key<Double> CAPACITY =
      Key.of(
              "capacity",
              rate(10_000_000),
              "HDFS: pieces of files per time that policies of gears assume a node reads or writes;"
                  + " such policies need it.")
          .example("40/s");
  private static final Key<Map<String, Object>> CONF =
      Key.of(
              "hdfs-conf",
              freeMap(),
              "HDFS: settings of hdfs-site.xml for all servers; addresses and folders are not among"
                  + " them.")
          .byDefault("{}")
          .example("{dfs.datanode.handler.count: 10}");

  /** In the order of the reference page. */
  static final Keys KEYS = Keys.at(70, GEARS, PRIMARIES, REPLICAS, OFFLOAD, CAPACITY, CONF);

  private HdfsLocalSchema() {}

  static HdfsLocal build(Values local, Optional<StoreLayout> layout) {
    return new HdfsLocal(
        local.find(GEARS).orElse(List.of()),
        layout.flatMap(StoreLayout::blocks).orElse(BlockLayout.RABBIT),
        local.get(PRIMARIES),
        local.get(REPLICAS),
        local.get(OFFLOAD),
        local.find(CAPACITY),
        local.get(CONF));
  }

  /**
   * Reports what a local HDFS cannot have.
   *
   * @param store the mapping that {@code local} is in
   */
  static void check(Values store, LocalSpec local) {
    if (store.changes("local", LocalSchema.RF)) {
      store.errorAt("local.rf", "is not supported by a local HDFS", "write replicas");
    }
    HdfsLocal own = local.get(HdfsLocal.class);
    List<Integer> gears = own.gears();
    if (gears.isEmpty()) {
      store.errorAt("local", "gears is missing", "write how many nodes are on: gears: [3, 7]");
      return;
    }
    int last = gears.get(gears.size() - 1);
    if (last != local.nodes()) {
      store.errorAt(
          "local.gears",
          "the last gear has " + last + " nodes, the cluster " + local.nodes(),
          "write all nodes for the last gear");
    }
    check(store, "local.gears", own, own.blocks());
  }

  /** Reports at a path if there is no such layout on the cluster's nodes. */
  static void check(Values values, String path, HdfsLocal hdfs, BlockLayout layout) {
    try {
      hdfs.with(Optional.of(layout)).spec().check();
    } catch (BadRequestException e) {
      values.errorAt(
          path,
          layout.label()
              + " is not possible: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "change gears, primaries or replicas");
    }
  }
}
