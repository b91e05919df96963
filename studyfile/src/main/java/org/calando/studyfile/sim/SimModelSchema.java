package org.calando.studyfile.sim;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.share;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.MasterReplica;
import org.calando.sim.cluster.ReadRepair;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.kernel.Distribution;
import org.calando.studyfile.DeferralSchema;
import org.calando.studyfile.ServiceSchema;
import org.calando.studyfile.TimeType;
import org.calando.studyfile.profile.CalibratedModel;

/**
 * What {@code store.sim} may say of how the cluster works. Canonical texts have every default that
 * a key has, so what a profile or a local cluster stands in for has none.
 */
final class SimModelSchema {
  private static final ScalarType<Long> TIMEOUT = duration(1_000, 3_600_000_000_000L);

  private static final Key<Distribution> LATENCY =
      Key.of(
              "latency",
              TimeType.TYPE,
              "One way of every message, between clients and coordinators too; 0.13ms by default, or"
                  + " as the profile has it.")
          .example("{mean: 0.5ms, variation: 1, least: 0.1ms}");
  private static final Key<Distribution> RACK_LATENCY =
      Key.of(
              "rack-latency",
              TimeType.TYPE,
              "One way between racks of a data centre; as within them without.")
          .example("0.3ms");
  private static final Key<Distribution> DATACENTER_LATENCY =
      Key.of(
              "datacenter-latency",
              TimeType.TYPE,
              "One way between data centres; as within racks without.")
          .example("40ms");
  private static final Key<ServiceTimes> SERVICE =
      Key.of(
              "service",
              ServiceSchema.TYPE,
              "What work costs a node; by default as fitted to Li 2013, or as the profile has it.")
          .example("{read: 1ms, write: 0.5ms}");
  static final Key<CoordinatorChoice> COORDINATORS =
      Key.of(
              "coordinators",
              choice(
                  "a choice of coordinators",
                  Names.inOrder(
                      "round-robin",
                      CoordinatorChoice.ROUND_ROBIN,
                      "token-aware",
                      CoordinatorChoice.TOKEN_AWARE)),
              "Whom clients ask: all nodes of their data centre by turns, or a replica of the key, as"
                  + " Calando's own session does. round-robin by default; token-aware beside"
                  + " store.local or a profile.")
          .example("token-aware");
  static final Key<ReplicaChoice> REPLICAS =
      Key.of(
              "replicas",
              choice("a choice of replicas", replicaChoices()),
              "Whom coordinators ask for a read: any replicas, the ring's first, those that replied"
                  + " fastest, or the nearest, as Cassandra without its dynamic snitch: itself, its"
                  + " rack, its data centre. random by default; nearest beside store.local or a"
                  + " profile.")
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
              "Whether replicas that were behind are repaired before the answer.")
          .byDefault("none")
          .example("blocking");
  private static final Key<Double> BACKGROUND_REPAIR =
      Key.of(
              "background-repair",
              share(),
              "Share of reads that ask all replicas, and repair those behind after the answer.")
          .byDefault("0")
          .example("10%");
  private static final Key<Distribution> WRITE_LAG =
      Key.of(
              "write-lag",
              TimeType.TYPE,
              "How much later writes are sent to the replicas that their level does not wait for;"
                  + " without it they are sent to all at once.")
          .example("100ms");
  private static final Key<MasterReplica> MASTERS =
      Key.of(
              "masters",
              DeferralSchema.MASTERS,
              "Replication from masters, as Redis does it: the key's first replica writes,"
                  + " acknowledges and sends the write on after a lag.")
          .example("{lag: {mean: 20ms, variation: 1}, reads: replica}");
  static final Key<SimDeferral> WRITE_BUFFER =
      Key.of(
              "write-buffer",
              DeferralSchema.WRITE_BUFFER,
              "Deferred writes, as HBase's client does them: acknowledged in the client's buffer,"
                  + " at risk until the cluster has them. Beside matrix.write-buffer only cost-share.")
          .example("{writes: 1000, age: 1s}");
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
  private static final Key<ShiftCosts> SHIFT =
      Key.of(
              "shift",
              ShiftSchema.TYPE,
              "Cost for nodes to be switched off and on, beyond the boot of power.profile:"
                  + " nothing by default; what was measured of Cassandra beside store.local or a"
                  + " profile.")
          .example("{start: 12s, cold: 2}");
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

  /** In the order of the reference page. */
  static final Key<?>[] KEYS = {
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
    MASTERS,
    WRITE_BUFFER,
    HINTS,
    MAX_HINTS,
    HINT_GAP,
    SHIFT,
    READ_TIMEOUT,
    WRITE_TIMEOUT,
    DETECTION,
  };

  private SimModelSchema() {}

  private static Map<String, ReplicaChoice> replicaChoices() {
    Map<String, ReplicaChoice> choices = new LinkedHashMap<>();
    choices.put("random", ReplicaChoice.RANDOM);
    choices.put("first", ReplicaChoice.FIRST);
    choices.put("fastest", ReplicaChoice.FASTEST);
    choices.put("nearest", ReplicaChoice.NEAREST);
    return Collections.unmodifiableMap(choices);
  }

  /** Reports what cannot be beside each other. */
  static void check(Values sim) {
    if (sim.given(MASTERS) && sim.given(WRITE_LAG)) {
      sim.error(WRITE_LAG, "given beside masters, which have a lag of their own", "remove it");
    }
  }

  /** What a profile tells, and so nothing else may. */
  static void forbidBesideProfile(Values sim) {
    sim.forbid("is given by the profile", SERVICE);
  }

  /**
   * How the cluster works, where choices are those of a cluster that stands for no other.
   *
   * @param calibrated what a profile says of it, if there is one
   */
  static SimModel model(Values sim, Optional<CalibratedModel> calibrated) {
    SimModel others = SimModel.DEFAULT;
    Optional<Distribution> latency = sim.find(LATENCY);
    Distribution within =
        latency.or(() -> calibrated.map(CalibratedModel::nodeLink)).orElse(others.latency());
    return new SimModel(
        latency.or(() -> calibrated.map(CalibratedModel::clientLink)).orElse(within),
        within,
        sim.find(RACK_LATENCY).orElse(within),
        sim.find(DATACENTER_LATENCY).orElse(within),
        sim.find(SERVICE)
            .or(() -> calibrated.map(CalibratedModel::services))
            .orElse(others.services()),
        sim.find(COORDINATORS).orElse(others.coordinators()),
        sim.find(REPLICAS).orElse(others.replicas()),
        sim.get(READ_ALL),
        sim.get(DIGESTS),
        sim.get(READ_REPAIR),
        sim.get(BACKGROUND_REPAIR),
        sim.find(WRITE_LAG),
        sim.find(MASTERS),
        sim.find(WRITE_BUFFER).orElse(SimDeferral.NONE),
        new Absences(sim.get(HINTS) ? sim.get(MAX_HINTS) : 0, sim.get(HINT_GAP), sim.find(SHIFT)),
        sim.get(READ_TIMEOUT),
        sim.get(WRITE_TIMEOUT),
        sim.get(DETECTION));
  }
}
