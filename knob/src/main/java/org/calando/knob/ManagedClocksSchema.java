package org.calando.knob;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.path;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.size;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.CpuSet;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.core.policy.clock.SlackLimits;
import org.calando.knob.ManagedClocks.Times;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What {@code clocks} and {@code matrix.clock} may say. */
public final class ManagedClocksSchema {
  private static final long MILLI_NANOS = 1_000_000;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long MOST_LAG_BYTES = 1L << 40;
  private static final int MOST_STATES = 100;
  private static final String MACHINE = "machine";

  /** The processor whose P-states have a name. */
  public static final String XEON = "xeon-silver-4114";

  /** A clock. */
  public static final ScalarType<Double> GIGAHERTZ = number(0.001, 999);

  private static final ScalarType<CpuSet> CPU_LIST =
      new ScalarType<>(
          "a list of processors",
          "numbers such as 2, \"2,3\" or 4-7",
          scalar -> {
            CpuSet cpus = CpuSet.none();
            try {
              cpus = CpuSet.parse(scalar.text());
            } catch (IllegalArgumentException e) {
              // Told below, as an empty list is.
            }
            if (cpus.isEmpty()) {
              throw new Refusal("is no list of processors", "write numbers: 2, \"2,3\" or 4-7");
            }
            return cpus;
          },
          CpuSet::toString,
          Map.of("type", List.of("string", "integer"), "pattern", "^\\d+([-, ]+\\d+)*$"));

  static final Key<Map<String, CpuSet>> CPUS =
      Key.of(
              "cpus",
              mapOf(Types.NAME, CPU_LIST),
              "Processors of each node, whose clocks are set; none belongs to two nodes. Required"
                  + " on a real cluster.")
          .example("{n1: 0, n2: 1, n3: \"2,3\"}");
  private static final Key<Path> SYSFS =
      Key.of(
              "sysfs",
              path("a folder"),
              "Folder of the processors; another one than the machine's is for tests.")
          .byDefault("/sys/devices/system/cpu")
          .example("/tmp/fake/cpu");
  private static final Key<Boolean> PIN =
      Key.of(
              "pin",
              bool(),
              "Whether the nodes' threads are moved onto their processors. By default they are"
                  + " where sysfs is the machine's own and they may be moved.")
          .example("false");
  static final Key<CpuSet> READ_OFFLOAD =
      Key.of(
              "read-offload",
              CPU_LIST,
              "Processors of no node that stay fast, on which the I/O threads of all nodes run:"
                  + " answers of slow replicas are sent from there. Redis 8.0 and newer with"
                  + " io-threads.")
          .example("5");
  private static final Key<Double> STATE_GHZ =
      Key.of("ghz", GIGAHERTZ, "Frequency in GHz; below that of the state before.")
          .mandatory()
          .example("2.2");
  private static final Key<Double> STATE_VOLTS =
      Key.of(
              "volts",
              number(0.001, 999),
              "Voltage of a core at it; not above that of the state before.")
          .mandatory()
          .example("1.1");
  private static final ObjectType<PStates.State> STATE =
      ObjectType.named("a P-state", "A clock that cores can run at.")
          .keys(STATE_GHZ, STATE_VOLTS)
          .build(state -> new PStates.State(state.get(STATE_GHZ), state.get(STATE_VOLTS)));

  /** P-states; {@link #checkOrder} tells whether one is out of order. */
  public static final Type<List<PStates.State>> STATE_LIST = list(STATE, 1, MOST_STATES);

  private static final Key<Optional<List<PStates.State>>> STATES =
      Key.of(
              "states",
              scalarOrList(
                  mapped(
                      choiceOrLater("a processor", List.of(MACHINE, XEON), List.of()),
                      name ->
                          name.equals(MACHINE)
                              ? Optional.<List<PStates.State>>empty()
                              : Optional.of(PStates.xeonSilver4114().states())),
                  mapped(STATE_LIST, Optional::of)),
              "P-states by which joules are modelled, the fastest first: the machine's clocks with"
                  + " voltages on a line, a processor's (Concerto, table 2), or yours.")
          .byDefault(MACHINE)
          .example("[{ghz: 2.2, volts: 1.1}, {ghz: 1.4, volts: 0.94}]");
  private static final Key<Double> CORE_WATTS =
      Key.of(
              "core-watts",
              number(0.001, 1000),
              "Power of a core that is busy at its fastest clock, in W. The default is 85 W of a"
                  + " Xeon Silver 4114 over its ten cores.")
          .byDefault("8.5")
          .example("6");
  private static final Key<Double> STATIC_SHARE =
      Key.of(
              "static-share",
              share(),
              "Part of that power that is drawn at any clock. What idle cores draw is not declared:"
                  + " results have both ends, nothing (i0) and as much as busy ones (i1).")
          .byDefault("0")
          .example("30%");
  private static final Key<Long> LAG_BYTES =
      Key.of(
              "lag-limit-bytes",
              size(1, MOST_LAG_BYTES),
              "Lag of a replica beyond which it is raised.")
          .byDefault("1MB")
          .example("256KB");
  private static final Key<Long> LAG_TIME =
      Key.of(
              "lag-limit-time",
              duration(MILLI_NANOS, MINUTE_NANOS),
              "The same as the age of what it has yet to apply.")
          .byDefault("500ms")
          .example("200ms");
  private static final Key<Double> RESUME_SHARE =
      Key.of(
              "resume-share",
              share(),
              "Part of both limits within which a raised replica counts as caught up.")
          .byDefault("50%")
          .example("25%");
  private static final Key<Long> LOWER_AFTER =
      Key.of(
              "lower-after",
              duration(0, 10 * MINUTE_NANOS),
              "How long a lower clock must have been enough before it is set.")
          .byDefault("2s")
          .example("500ms");
  private static final Key<Long> CAUGHT_UP_AFTER =
      Key.of(
              "caught-up-after",
              duration(0, 10 * MINUTE_NANOS),
              "The same for a replica that was raised; lower-after or more.")
          .byDefault("5s")
          .example("2s");
  private static final Key<Long> MAX_AGE =
      Key.of(
              "max-age",
              duration(10 * MILLI_NANOS, MINUTE_NANOS),
              "How old a node's report and its measured work may be to lower its clock.")
          .byDefault("2s")
          .example("1s");
  private static final Key<Double> BUSY_LIMIT =
      Key.of(
              "busy-limit",
              share(),
              "Of slack: greatest busy share of a replica's main thread, as predicted.")
          .byDefault("60%")
          .example("40%");
  private static final Key<Double> LAG_SHARE =
      Key.of(
              "lag-share",
              share(),
              "Of slack: part of the lag's limits that a replica may reach, as predicted.")
          .byDefault("50%")
          .example("30%");
  private static final Key<Long> READ_LIMIT =
      Key.of(
              "read-limit",
              duration(1000, MINUTE_NANOS),
              "Of slack: greatest time of a read within a replica that serves reads, as predicted.")
          .byDefault("200us")
          .example("1ms");
  private static final Key<Long> POLL =
      Key.of(
              "poll",
              duration(5 * MILLI_NANOS, MINUTE_NANOS),
              "Time between polls of a node's role.")
          .byDefault("100ms")
          .example("50ms");
  private static final Key<Long> SILENCE =
      Key.of(
              "silence",
              duration(10 * MILLI_NANOS, MINUTE_NANOS),
              "How long an answer may take before the node counts as silent, and is raised.")
          .byDefault("1s")
          .example("500ms");
  private static final Key<Long> DECIDE =
      Key.of(
              "decide",
              duration(5 * MILLI_NANOS, MINUTE_NANOS),
              "Time between decisions, unless a change of a role requires one at once; less"
                  + " than max-age.")
          .byDefault("1s")
          .example("200ms");

  /** The whole of it. */
  public static final ObjectType<ManagedClocks> TYPE =
      ObjectType.named(
              "managed clocks",
              "How runs with a policy of clocks manage the nodes' processors; with matrix.clock.")
          .keys(CPUS, SYSFS, PIN, READ_OFFLOAD, STATES, CORE_WATTS, STATIC_SHARE)
          .keys(LAG_BYTES, LAG_TIME, RESUME_SHARE, LOWER_AFTER, CAUGHT_UP_AFTER, MAX_AGE)
          .keys(BUSY_LIMIT, LAG_SHARE, READ_LIMIT, POLL, SILENCE, DECIDE)
          .check(ManagedClocksSchema::check)
          .build(ManagedClocksSchema::build);

  /** The key of studies. */
  public static final Key<ManagedClocks> CLOCKS =
      Key.of(
              "clocks",
              TYPE,
              "How matrix.clock's policies manage the clocks of the nodes' processors.")
          .example("{cpus: {n1: 0, n2: 1, n3: 2}}");

  /** A policy of clocks by its name. */
  public static final ScalarType<String> POLICY =
      choiceOrLater("a policy of clocks", ClockPolicies.NAMES, List.of());

  /** Policies that set the clocks of processors; without one, none is set. */
  public static final Axis<String> AXIS =
      Axis.of(
          Key.of(
                  "clock",
                  distinctList(POLICY, 1, ClockPolicies.NAMES.size()),
                  "Redis, and the simulator with masters in groups: policies that set the clocks of"
                      + " the nodes' processors, as clocks says; without, clocks are left alone.")
              .example("[all-high, all-low, concerto, slack]"),
          POLICY,
          name -> name);

  private ManagedClocksSchema() {}

  private static void check(Values clocks) {
    checkOrder(clocks);
    checkOffload(clocks);
    aboveZero(clocks, RESUME_SHARE);
    aboveZero(clocks, LAG_SHARE);
    aboveZero(clocks, BUSY_LIMIT);
    if (clocks.find(BUSY_LIMIT).orElse(0.5) >= 1) {
      clocks.error(BUSY_LIMIT, "is all of the time", "write less: such a replica falls behind");
    }
    if (clocks.find(CAUGHT_UP_AFTER).orElse(Long.MAX_VALUE) < clocks.find(LOWER_AFTER).orElse(0L)) {
      clocks.error(CAUGHT_UP_AFTER, "is shorter than lower-after", "write lower-after or more");
    }
    // After a longer gap between two decisions the waiting begins anew: nothing would be lowered.
    if (clocks.find(DECIDE).orElse(0L) >= clocks.find(MAX_AGE).orElse(Long.MAX_VALUE)) {
      clocks.error(DECIDE, "is not shorter than max-age", "no clock would ever be lowered");
    }
  }

  /** Checks a list under {@code states}. */
  public static void checkOrder(Values clocks) {
    List<PStates.State> states = clocks.peek("states", STATE_LIST).orElse(List.of());
    for (int i = 1; i < states.size(); i++) {
      if (states.get(i).ghz() >= states.get(i - 1).ghz()) {
        clocks.errorAt(
            "states[" + i + "].ghz", "is not below the state before", "name the fastest first");
      }
      if (states.get(i).volts() > states.get(i - 1).volts()) {
        clocks.errorAt(
            "states[" + i + "].volts", "is above the state before", "slower clocks need no more");
      }
    }
  }

  private static void checkOffload(Values clocks) {
    if (!clocks.given(READ_OFFLOAD)) {
      return;
    }
    if (!clocks.find(PIN).orElse(true)) {
      clocks.error(READ_OFFLOAD, "moves threads, which pin forbids", "remove one of them");
    }
    Optional<CpuSet> fast = clocks.find(READ_OFFLOAD);
    clocks
        .find(CPUS)
        .orElse(Map.of())
        .forEach(
            (node, cpus) -> {
              if (fast.isPresent() && cpus.intersects(fast.get())) {
                clocks.error(
                    READ_OFFLOAD,
                    "has processors of " + node + ", which is slow as a replica",
                    "name others, of no node");
              }
            });
  }

  private static void aboveZero(Values clocks, Key<Double> key) {
    if (clocks.find(key).orElse(1.0) <= 0) {
      clocks.error(key, "is nothing", "write a share above 0");
    }
  }

  private static ManagedClocks build(Values clocks) {
    return new ManagedClocks(
        clocks.find(CPUS).orElse(Map.of()),
        clocks.get(SYSFS),
        clocks.find(PIN),
        clocks.get(STATES).map(PStates::new),
        new CorePower(clocks.get(STATIC_SHARE), 0),
        clocks.get(CORE_WATTS),
        new ClockLimits(
            clocks.get(MAX_AGE),
            clocks.get(LOWER_AFTER),
            clocks.get(CAUGHT_UP_AFTER),
            clocks.get(LAG_BYTES),
            clocks.get(LAG_TIME),
            clocks.get(RESUME_SHARE)),
        new SlackLimits(clocks.get(BUSY_LIMIT), clocks.get(LAG_SHARE), clocks.get(READ_LIMIT)),
        new Times(clocks.get(POLL), clocks.get(SILENCE), clocks.get(DECIDE)),
        clocks.find(READ_OFFLOAD));
  }
}
