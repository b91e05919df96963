package org.calando.studyfile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.listOrMapping;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.written;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What {@code matrix} may say. */
final class MatrixSchema {
  private static final int MAX_PARTS = 20;
  private static final int MAX_VALUES = 1000;
  private static final int MAX_CONCURRENT = 100_000;

  private static final ScalarType<ConsistencyLevel> LEVEL =
      choice("a consistency level", Names.of(ConsistencyLevel.values()));

  private static final Key<?>[] POLICIES = PolicySchema.keys();

  private static final ObjectType<ReadLevel> POLICY =
      ObjectType.named("a policy", "A policy that chooses the level while the study runs.")
          .keys(POLICIES)
          .check(policy -> policy.requireExactlyOne(POLICIES))
          .build(policy -> new ReadLevel.Adaptive(PolicySchema.find(policy).orElseThrow()));
  private static final Type<ReadLevel> LEVEL_OR_POLICY =
      scalarOrMapping(choice("a consistency level", readLevels()), POLICY);

  private static final Key<ReadLevel> READ =
      Key.of(
              "read",
              LEVEL_OR_POLICY,
              "Level of reads and scans, or the policy that chooses it; on Redis also master,"
                  + " replica or any, for one such node.")
          .example("ONE");
  private static final Key<ConsistencyLevel> WRITE =
      Key.of(
              "write",
              choice("a consistency level", writeLevels()),
              "Level of writes; WAIT k, on Redis, is the master and k replicas.")
          .example("QUORUM");
  private static final ObjectType<LevelPair> SEPARATE =
      ObjectType.named(
              "levels of reads and writes",
              "A level for reads and one for writes; a policy for reads alone means writes at ONE.")
          .keys(READ, WRITE)
          .keys(POLICIES)
          .check(MatrixSchema::checkPair)
          .build(MatrixSchema::pair);

  /** An item of {@code matrix.consistency}. */
  static final Type<LevelPair> LEVELS = levels();

  static final Key<List<StoreLayout>> LAYOUT =
      Key.of(
              "layout",
              distinctList(LayoutType.ANY, 1, MAX_VALUES),
              "Token layouts to compare, or HDFS's layouts of blocks, on a local cluster that"
                  + " starts anew for each of them in each block, or on a simulated one; see"
                  + " store.local.layout.")
          .example("[even, half]");
  static final Key<List<WorkloadSpec>> WORKLOAD =
      Key.of(
              "workload",
              distinctList(WorkloadSchema.ITEM, 1, MAX_VALUES),
              "Workloads to compare: presets, or mappings; the study's workload then has no preset,"
                  + " ycsb or mix, and says what they have in common.")
          .example("[heavy-read, moderate, {preset: heavy-update, field-size: 1KB}]");
  static final Key<List<LevelPair>> CONSISTENCY =
      Key.of(
              "consistency",
              distinctList(LEVELS, 1, MAX_VALUES),
              "Levels to compare; a bare level is that of both reads and writes. Required but for"
                  + " HDFS, which has none.")
          .example("[ONE, QUORUM, {read: {harmony: {tolerate: 5%}}, write: ONE}]");
  static final Key<List<Integer>> THREADS =
      Key.of(
              "threads",
              distinctList(integer(1, MAX_CONCURRENT), 1, MAX_VALUES),
              "Closed loop: numbers of threads, each with one operation at a time.")
          .example("[5, 20]");
  static final Key<List<RateSpec>> RATE =
      Key.of(
              "rate",
              distinctList(RateSchema.TYPE, 1, MAX_VALUES),
              "Open loop: arrivals that do not wait for earlier operations.")
          .example("[400/s, {poisson: 400/s}]");
  static final Key<List<String>> CLOCK =
      Key.of(
              "clock",
              distinctList(
                  choiceOrLater("a policy of clocks", ClockPolicies.NAMES, List.of()),
                  1,
                  ClockPolicies.NAMES.size()),
              "Redis, and the simulator with masters in groups: policies that set the clocks of the"
                  + " nodes' processors, as clocks says; without, clocks are left alone.")
          .example("[all-high, all-low, concerto, slack]");
  static final Key<List<GearChoice>> GEAR =
      Key.of(
              "gear",
              distinctList(GearSchema.TYPE, 1, MAX_VALUES),
              "HDFS, and the simulator with store.sim.gears: gears, or policies that shift them;"
                  + " without, all nodes are on.")
          .example("[2, {load: {head-room: 20%}}, {forecast: {head-room: 10%, errors: 1}}]");
  private static final Key<List<BufferChoice>> WRITE_BUFFER =
      Key.of(
              "write-buffer",
              distinctList(WriteBufferSchema.TYPE, 1, MAX_VALUES),
              "HBase and the simulator: how clients send writes: each by itself (strong), many"
                  + " together, which are acknowledged before the store has them, or as a policy"
                  + " chooses for a promised freshness; see docs/hbase.md. Without it strong.")
          .example(
              "[strong, {deferred: 12MB}, {deferred: {bytes: 12MB, delay: 100ms}}, {fresh: 500ms}]");
  private static final Key<Integer> MAX_IN_FLIGHT =
      Key.of(
              "max-in-flight",
              integer(1, MAX_CONCURRENT),
              "Open loop: operations under way at most; more are delayed and their waiting counts."
                  + " On files at most 256.")
          .byDefaultWith("rate", "1000")
          .example("512");
  private static final Key<Integer> CLIENTS =
      Key.of(
              "clients",
              integer(1, MAX_CONCURRENT),
              "Open loop: clients, one of which each operation belongs to at random, for"
                  + " read-your-writes and monotonic reads; in a closed loop each thread is a"
                  + " client.")
          .byDefaultWith("rate", "16")
          .example("16");

  private static final Key<Long> OPERATIONS =
      Key.of(
              "operations",
              longInteger(1, WorkloadTypes.MAX_COUNT),
              "Measured operations of a run, in place of the workload's.")
          .example("4000");
  private static final Key<Long> DURATION =
      Key.of("duration", WorkloadTypes.TIME, "Measured time of a run, in place of the workload's.")
          .example("20s");

  private static final ObjectType<MatrixSpec> PART =
      ObjectType.named(
              "the matrix",
              "What is compared: every layout with every workload, every consistency level, every"
                  + " gear, every policy of clocks, every write buffer and every number of threads"
                  + " or rate.")
          .keys(
              LAYOUT,
              WORKLOAD,
              CONSISTENCY,
              THREADS,
              RATE,
              GEAR,
              CLOCK,
              MAX_IN_FLIGHT,
              CLIENTS,
              OPERATIONS,
              DURATION,
              WRITE_BUFFER)
          .check(MatrixSchema::check)
          .build(MatrixSchema::build);

  /** One part, or a list of parts. */
  static final Type<List<MatrixSpec>> TYPE =
      listOrMapping(list(PART, 1, MAX_PARTS), mapped(PART, List::of));

  private MatrixSchema() {}

  private static Map<String, ReadLevel> readLevels() {
    Map<String, ReadLevel> levels = new LinkedHashMap<>();
    Names.of(ConsistencyLevel.values())
        .forEach((name, level) -> levels.put(name, new ReadLevel.Fixed(level)));
    for (ReadFrom from : ReadFrom.values()) {
      ReadLevel level = new ReadLevel.From(from);
      levels.put(level.label(), level);
    }
    return levels;
  }

  /** The last name of a level is the one that is written: its own. */
  private static Map<String, ConsistencyLevel> writeLevels() {
    Map<String, ConsistencyLevel> levels = new LinkedHashMap<>();
    levels.put("WAIT 0", ConsistencyLevel.ONE);
    levels.put("WAIT 1", ConsistencyLevel.TWO);
    levels.put("WAIT 2", ConsistencyLevel.THREE);
    levels.putAll(Names.of(ConsistencyLevel.values()));
    return levels;
  }

  private static Type<LevelPair> levels() {
    Type<LevelPair> both = mapped(LEVEL, LevelPair::both);
    return written(scalarOrMapping(both, SEPARATE), MatrixSchema::plain);
  }

  private static Object plain(LevelPair pair) {
    if (pair.equals(LevelPair.both(pair.write()))) {
      return pair.write().name();
    }
    Object read = pair.policy().<Object>map(PolicySchema::plain).orElse(pair.read().label());
    return Plain.map(READ.name(), read, WRITE.name(), pair.write().name());
  }

  private static LevelPair pair(Values pair) {
    Optional<PolicySpec> policy = PolicySchema.find(pair);
    return policy.isPresent()
        ? new LevelPair(new ReadLevel.Adaptive(policy.get()), ConsistencyLevel.ONE)
        : new LevelPair(pair.get(READ), pair.get(WRITE));
  }

  private static void checkPair(Values pair) {
    if (Arrays.stream(POLICIES).noneMatch(pair::given)) {
      pair.require("write levels for both read and write", READ, WRITE);
    } else {
      pair.requireAtMostOne(POLICIES);
      pair.forbid("given beside a policy for reads alone", READ, WRITE);
    }
  }

  private static void check(Values matrix) {
    matrix.requireExactlyOne(THREADS, RATE);
    matrix.requireAtMostOne(OPERATIONS, DURATION);
    if (!matrix.given(RATE)) {
      matrix.forbid("holds only for an open loop, with rate", MAX_IN_FLIGHT, CLIENTS);
    }
  }

  private static MatrixSpec build(Values matrix) {
    return new MatrixSpec(
        matrix.find(LAYOUT).orElse(List.of()),
        matrix.find(WORKLOAD).orElse(List.of()),
        matrix.find(CONSISTENCY).orElse(List.of(LevelPair.NONE)),
        matrix.find(THREADS).orElse(List.of()),
        matrix.find(RATE).orElse(List.of()),
        matrix.find(GEAR).orElse(List.of()),
        matrix.find(CLOCK).orElse(List.of()),
        matrix.find(WRITE_BUFFER).orElse(List.of()),
        matrix.find(MAX_IN_FLIGHT).orElse(0),
        matrix.find(CLIENTS).orElse(0),
        matrix.find(OPERATIONS).orElse(0L),
        matrix.find(DURATION).orElse(0L));
  }
}
