package org.calando.studyfile.sim;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrList;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.layout.TokenLayout;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;
import org.calando.sim.away.Stalls;
import org.calando.sim.cluster.Background;
import org.calando.sim.kernel.Distribution;
import org.calando.studyfile.ClockSchema;
import org.calando.studyfile.TimeType;
import org.calando.studyfile.profile.CalibratedModel;
import org.calando.studyfile.sim.SimMachines.ClientsWork;
import org.calando.studyfile.sim.SimMachines.Machine;
import org.calando.studyfile.sim.SimMachines.NodeClocks;

/** What {@code store.sim} may say of the machines of nodes and clients. */
final class MachineSchema {
  private static final int MOST_NODES = TokenLayout.MAX_NODES;
  private static final int MOST_CORES = 4096;
  private static final ScalarType<Integer> CORE_COUNT = integer(1, MOST_CORES);
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  // A machine.
  private static final Key<String> NAME =
      Key.of("name", Types.NAME, "What it is called; unique.").mandatory().example("m1");
  private static final Key<Integer> CORES =
      Key.of("cores", CORE_COUNT, "Its cores. Those of power.profile count for watts only.")
          .mandatory()
          .example("8");
  private static final Key<Optional<List<String>>> ON_IT =
      Key.of(
              "nodes",
              nodesOrAll(),
              "Nodes that run on it, or all; none for a machine of the clients' own.")
          .byDefault("[]")
          .example("[n1, n2]");
  private static final Key<Boolean> ANY_ORDER =
      Key.of(
              "order",
              choice("an order", Names.inOrder("arrival", false, "any", true)),
              "In which work that waits for cores is taken: that of arrival, or any, as by a"
                  + " scheduler with many threads to choose from.")
          .byDefault("arrival")
          .example("any");
  private static final ObjectType<Machine> HOST =
      ObjectType.named(
              "a machine",
              "A machine whose cores nodes share; core time and power are counted for each node.")
          .keys(NAME, CORES, ON_IT, ANY_ORDER)
          .build(
              host ->
                  new Machine(
                      host.get(NAME), host.get(CORES), host.get(ON_IT), host.get(ANY_ORDER)));

  // The clients' work.
  private static final Key<String> CLIENT_HOST =
      Key.of("host", Types.NAME, "Machine of hosts that clients run on.").example("m1");
  private static final Key<Integer> CLIENT_CORES =
      Key.of("cores", CORE_COUNT, "Cores of a machine of their own, in place of host.")
          .byDefault("1")
          .example("2");
  private static final Key<Distribution> REQUEST =
      Key.of("request", TimeType.TYPE, "Core time before a request leaves.")
          .byDefault("0ms")
          .example("0.05ms");
  private static final Key<Distribution> ANSWER =
      Key.of("answer", TimeType.TYPE, "Core time of an answer until its client knows of it.")
          .byDefault("0ms")
          .example("0.05ms");
  private static final ObjectType<ClientsWork> CLIENTS =
      ObjectType.named(
              "clients' work",
              "What an operation costs the machine of its client: client_cpu_s of results.")
          .keys(CLIENT_HOST, CLIENT_CORES, REQUEST, ANSWER)
          .check(work -> work.requireAtMostOne(CLIENT_HOST, CLIENT_CORES))
          .build(
              work ->
                  new ClientsWork(
                      work.find(CLIENT_HOST),
                      work.get(CLIENT_CORES),
                      work.get(REQUEST),
                      work.get(ANSWER)));

  // The nodes' own work.
  private static final Key<Double> SHARE =
      Key.of("cores", number(0, 9999), "Core seconds a second, where nothing holds it back.")
          .mandatory()
          .example("0.35");
  private static final Key<Distribution> BURST =
      Key.of(
              "burst",
              TimeType.TYPE,
              "Core time of each burst, which waits for a core as work does.")
          .byDefault("{mean: 1ms, variation: 1}")
          .example("0.3ms");
  private static final Key<Long> LINGER =
      Key.of(
              "linger",
              duration(1, LONGEST_NANOS),
              "How long after its last work for an operation a node continues its own; always"
                  + " without.")
          .example("8ms");
  private static final Key<Double> DEPTH =
      Key.of(
              "depth",
              number(0.001, 1e6),
              "Jobs in wait with which bursts become e times as rare; without, it does not matter.")
          .example("8");
  private static final Key<Double> STALL_RATE =
      Key.of(
              "per-busy-second",
              number(0.001, Stalls.MOST_PER_BUSY_SECOND),
              "How many there are in a second of core time that the node uses, on average.")
          .mandatory()
          .example("1");
  private static final Key<Distribution> STALL_LENGTH =
      Key.of("length", TimeType.TYPE, "How long each is.")
          .mandatory()
          .example("{mean: 20ms, variation: 1}");
  private static final Key<Stalls> STALLS =
      Key.of(
              "stalls",
              ObjectType.named(
                      "stalls",
                      "Times in which a node stalls, as for garbage collection or page faults:"
                          + " nothing comes in or goes out.")
                  .keys(STALL_RATE, STALL_LENGTH)
                  .check(
                      stalls ->
                          stalls
                              .find(STALL_LENGTH)
                              .filter(Distribution::isNone)
                              .ifPresent(
                                  none ->
                                      stalls.error(STALL_LENGTH, "takes no time", "write a time")))
                  .build(stalls -> new Stalls(stalls.get(STALL_RATE), stalls.get(STALL_LENGTH))),
              "Times in which a node stalls; none by default.")
          .example("{per-busy-second: 1, length: {mean: 20ms, variation: 1}}");
  private static final ObjectType<Background> OWN_WORK =
      ObjectType.named(
              "own work",
              "What each node does beside operations: bursts of work at random times while it"
                  + " serves.")
          .keys(SHARE, BURST, LINGER, DEPTH, STALLS)
          .check(
              work ->
                  work.find(BURST)
                      .filter(Distribution::isNone)
                      .ifPresent(none -> work.error(BURST, "takes no time", "write a time")))
          .build(
              work ->
                  new Background(
                      work.get(SHARE),
                      work.get(BURST),
                      work.find(LINGER).orElse(Long.MAX_VALUE),
                      work.find(DEPTH).orElse(Double.POSITIVE_INFINITY),
                      work.find(STALLS).orElse(Stalls.NONE)));

  static final Key<List<Machine>> HOSTS =
      Key.of(
              "hosts",
              scalarOrList(
                  mapped(
                      choiceOrLater("a kind of machines", List.of("own"), List.of()),
                      own -> List.<Machine>of()),
                  list(HOST, 1, MOST_NODES)),
              "Machines that nodes share. Nodes on none of them have one of their own, as all by"
                  + " default (own); of a profile's nodes all run as they were calibrated, on one"
                  + " machine or on their own.")
          .example("[{name: m1, cores: 8, nodes: all}]");
  static final Key<ClientsWork> CLIENT_WORK =
      Key.of("client-work", CLIENTS, "What operations cost the clients' machine; nothing without.")
          .example("{cores: 2, request: 0.05ms, answer: 0.05ms}");
  private static final Key<Background> BACKGROUND =
      Key.of("background", OWN_WORK, "Work of nodes beside operations; none by default.")
          .example("{cores: 0.1}");
  static final Key<NodeClocks> CLOCKS =
      Key.of("clocks", ClockSchema.TYPE, "Clocks of the nodes' cores; without it there is one.")
          .example("{ghz: 1.4}");
  static final Key<List<String>> OFF =
      Key.of(
              "off",
              distinctList(ClockSchema.NODE, 1, MOST_NODES),
              "Nodes that are switched off from the beginning, until an event switches them on.")
          .example("[n3]");

  /** In the order of the reference page. */
  static final Key<?>[] KEYS = {HOSTS, CLIENT_WORK, BACKGROUND, CLOCKS, OFF};

  private MachineSchema() {}

  private static Type<Optional<List<String>>> nodesOrAll() {
    return scalarOrList(
        mapped(
            choiceOrLater("a set of nodes", List.of("all"), List.of()),
            all -> Optional.<List<String>>empty()),
        mapped(distinctList(ClockSchema.NODE, 0, MOST_NODES), Optional::of));
  }

  /** What a profile tells, and so nothing else may. */
  static void forbidBesideProfile(Values sim) {
    sim.forbid("is given by the profile", BACKGROUND);
  }

  /**
   * The machines.
   *
   * @param calibrated what a profile says of them, if there is one
   */
  static SimMachines machines(Values sim, Optional<CalibratedModel> calibrated) {
    return new SimMachines(
        sim.find(HOSTS),
        sim.find(CLIENT_WORK),
        sim.find(BACKGROUND).or(() -> calibrated.map(CalibratedModel::background)),
        sim.find(CLOCKS),
        Set.copyOf(new HashSet<>(sim.find(OFF).orElse(List.of()))));
  }
}
