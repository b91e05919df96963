package org.calando.study.config;

import static org.calando.study.config.schema.Types.bool;
import static org.calando.study.config.schema.Types.choice;
import static org.calando.study.config.schema.Types.duration;
import static org.calando.study.config.schema.Types.integer;
import static org.calando.study.config.schema.Types.mapOf;
import static org.calando.study.config.schema.Types.share;

import java.util.Map;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.ReadRepair;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.kernel.Distribution;
import org.calando.study.config.schema.Key;
import org.calando.study.config.schema.ObjectType;
import org.calando.study.config.schema.ScalarType;
import org.calando.study.config.schema.Values;

/**
 * What {@code store.sim} may say. What it leaves open of the cluster's shape is as {@code
 * store.local} has it, so those keys have no defaults of their own: {@link SimPart} has them.
 */
final class SimSchema {
  private static final int MAX_NODES = TokenLayout.MAX_NODES;
  private static final int MAX_MATRIX = 100;
  private static final ScalarType<Long> TIMEOUT = duration(1_000, 3_600_000_000_000L);

  static final Key<Integer> NODES =
      Key.of("nodes", integer(1, MAX_NODES), "Nodes; without store.local 3 by default.")
          .example("39");
  static final Key<Map<String, Integer>> DATACENTERS =
      Key.of(
              "datacenters",
              mapOf(InventorySchema.NAME, integer(1, MAX_NODES)),
              "Nodes of each data centre, in place of nodes; local-dc says which of them requests"
                  + " go to.")
          .example("{east: 20, west: 20}");
  static final Key<Integer> RACKS =
      Key.of(
              "racks",
              integer(1, MAX_NODES),
              "Racks of each data centre, 1 by default; nodes are dealt to them in turn.")
          .example("3");
  static final Key<Map<String, Integer>> RF =
      Key.of(
              "rf",
              ReplicationSchema.TYPE,
              "Replication factor, 3 by default; or one for each data centre: {east: 3, west: 2}.")
          .example("5");
  static final Key<LinkDelay> LINK_DELAY =
      Key.of(
              "link-delay",
              LocalSchema.linkDelay(MAX_MATRIX),
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
              "Whose tokens the nodes have; keys spread evenly over either's.")
          .byDefault("murmur3")
          .example("random");
  private static final Key<Distribution> LATENCY =
      Key.of(
              "latency",
              TimeType.TYPE,
              "One way of every message, between clients and coordinators too.")
          .byDefault("0.13ms")
          .example("{mean: 0.5ms, variation: 1, least: 0.1ms}");
  private static final Key<Distribution> RACK_LATENCY =
      Key.of(
              "rack-latency",
              TimeType.TYPE,
              "One way between racks of a data centre; as latency without.")
          .example("0.3ms");
  private static final Key<Distribution> DATACENTER_LATENCY =
      Key.of(
              "datacenter-latency",
              TimeType.TYPE,
              "One way between data centres; as latency without.")
          .example("40ms");
  private static final Key<ServiceTimes> SERVICE =
      Key.of(
              "service",
              ServiceSchema.TYPE,
              "What work costs a node; the defaults are fitted to Li 2013.")
          .byDefault("{}")
          .example("{read: 1ms, write: 0.5ms}");
  private static final Key<CoordinatorChoice> COORDINATORS =
      Key.of(
              "coordinators",
              choice(
                  "a choice of coordinators",
                  Names.inOrder(
                      "round-robin",
                      CoordinatorChoice.ROUND_ROBIN,
                      "token-aware",
                      CoordinatorChoice.TOKEN_AWARE)),
              "Whom clients ask: all nodes of their data centre by turns, or a replica of the key.")
          .byDefault("round-robin")
          .example("token-aware");
  private static final Key<ReplicaChoice> REPLICAS =
      Key.of(
              "replicas",
              choice(
                  "a choice of replicas",
                  Names.inOrder(
                      "random",
                      ReplicaChoice.RANDOM,
                      "first",
                      ReplicaChoice.FIRST,
                      "fastest",
                      ReplicaChoice.FASTEST)),
              "Whom coordinators ask for a read: any replicas, the ring's first, or those that"
                  + " replied fastest.")
          .byDefault("random")
          .example("fastest");
  private static final Key<Boolean> READ_ALL =
      Key.of("read-all", bool(), "Reads go to all replicas, and the first replies are used.")
          .byDefault("false")
          .example("true");
  private static final Key<Boolean> DIGESTS =
      Key.of(
              "digests",
              bool(),
              "All replicas that a read asks but one send digests; if they differ, all are asked for"
                  + " data.")
          .byDefault("true")
          .example("false");
  private static final Key<ReadRepair> READ_REPAIR =
      Key.of(
              "read-repair",
              choice(
                  "a kind of read repair",
                  Names.inOrder("none", ReadRepair.NONE, "blocking", ReadRepair.BLOCKING)),
              "Whether replicas that were behind are mended before the answer.")
          .byDefault("none")
          .example("blocking");
  private static final Key<Double> BACKGROUND_REPAIR =
      Key.of(
              "background-repair",
              share(),
              "Share of reads that ask all replicas, and mend those behind after the answer.")
          .byDefault("0")
          .example("10%");
  private static final Key<Distribution> WRITE_LAG =
      Key.of(
              "write-lag",
              TimeType.TYPE,
              "How much later writes are sent to the replicas that their level does not wait for;"
                  + " without it they are sent to all at once.")
          .example("100ms");
  private static final Key<Boolean> HINTS =
      Key.of("hints", bool(), "Coordinators keep writes for replicas that are down.")
          .byDefault("true")
          .example("false");
  private static final Key<Integer> MAX_HINTS =
      Key.of("max-hints", integer(1, 1 << 24), "Hints kept for a node; later ones are lost.")
          .byDefault("1048576")
          .example("100000");
  private static final Key<Long> HINT_GAP =
      Key.of("hint-gap", duration(1, 3_600_000_000_000L), "Time between hints sent to a node.")
          .byDefault("1ms")
          .example("0.1ms");
  private static final Key<Long> READ_TIMEOUT =
      Key.of("read-timeout", TIMEOUT, "Time after which a read is given up.")
          .byDefault("5s")
          .example("2s");
  private static final Key<Long> WRITE_TIMEOUT =
      Key.of("write-timeout", TIMEOUT, "Time after which a write is given up.")
          .byDefault("2s")
          .example("1s");
  private static final Key<Long> DETECTION =
      Key.of(
              "detection",
              duration(0, 3_600_000_000_000L),
              "How long a node's failure and return go unnoticed by the others.")
          .byDefault("10s")
          .example("2s");

  static final ObjectType<SimPart> TYPE =
      ObjectType.named(
              "a simulated cluster",
              "A cluster that is simulated; with store.local it is of the shape that says, where"
                  + " nothing else is written here.")
          .keys(
              NODES,
              DATACENTERS,
              RACKS,
              RF,
              LINK_DELAY,
              LAYOUT,
              PARTITIONER,
              LATENCY,
              RACK_LATENCY,
              DATACENTER_LATENCY,
              SERVICE,
              COORDINATORS,
              REPLICAS,
              READ_ALL,
              DIGESTS,
              READ_REPAIR,
              BACKGROUND_REPAIR,
              WRITE_LAG,
              HINTS,
              MAX_HINTS,
              HINT_GAP,
              READ_TIMEOUT,
              WRITE_TIMEOUT,
              DETECTION,
              Key.unavailable("profile", "service times of a calibrated profile"))
          .check(sim -> sim.requireAtMostOne(NODES, DATACENTERS))
          .build(SimSchema::part);

  private SimSchema() {}

  private static SimPart part(Values sim) {
    return new SimPart(
        sim.find(NODES),
        sim.find(DATACENTERS),
        sim.find(RACKS),
        sim.find(RF),
        sim.find(LINK_DELAY),
        sim.find(LAYOUT),
        sim.get(PARTITIONER),
        model(sim));
  }

  private static SimModel model(Values sim) {
    return new SimModel(
        sim.get(LATENCY),
        sim.find(RACK_LATENCY).orElse(sim.get(LATENCY)),
        sim.find(DATACENTER_LATENCY).orElse(sim.get(LATENCY)),
        sim.get(SERVICE),
        sim.get(COORDINATORS),
        sim.get(REPLICAS),
        sim.get(READ_ALL),
        sim.get(DIGESTS),
        sim.get(READ_REPAIR),
        sim.get(BACKGROUND_REPAIR),
        sim.find(WRITE_LAG),
        sim.get(HINTS),
        sim.get(MAX_HINTS),
        sim.get(HINT_GAP),
        sim.get(READ_TIMEOUT),
        sim.get(WRITE_TIMEOUT),
        sim.get(DETECTION));
  }
}
