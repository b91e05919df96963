package org.calando.studyfile;

import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.core.energy.PStates;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.sim.cluster.Clocks;
import org.calando.studyfile.sim.SimMachines.NodeClocks;

/** What {@code store.sim.clocks} may say. */
public final class ClockSchema {
  /** A node of a cluster whose nodes have no names of their own. */
  public static final ScalarType<String> NODE = text("a node", "n[1-9]\\d{0,4}", "n1, n2, ...");

  static final String XEON = "xeon-silver-4114";
  private static final int MOST_STATES = 100;
  private static final ScalarType<Double> GIGAHERTZ = number(0.001, 999);

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
  static final Type<List<PStates.State>> STATE_LIST = list(STATE, 1, MOST_STATES);

  private static final Key<List<PStates.State>> STATES =
      Key.of(
              "states",
              scalarOrList(
                  mapped(
                      choiceOrLater("a processor", List.of(XEON), List.of()),
                      name -> PStates.xeonSilver4114().states()),
                  STATE_LIST),
              "P-states of every core, the fastest first: a processor's (Concerto, table 2), or"
                  + " yours.")
          .byDefault(XEON)
          .example("[{ghz: 2.2, volts: 1.1}, {ghz: 1.4, volts: 0.94}]");
  private static final Key<Double> IDLE_ACTIVITY =
      Key.of(
              "idle-activity",
              share(),
              "Dynamic power of an idle core as a share of a busy one's; at most idle over busy watts"
                  + " of power.profile. A slower clock saves that, too.")
          .byDefault("0")
          .example("10%");
  private static final Key<Double> GHZ =
      Key.of(
              "ghz",
              GIGAHERTZ,
              "What all cores run at, one of the states; the fastest without. Work takes longer by"
                  + " the fastest over it, and dynamic power falls by V2f.")
          .example("1.4");
  private static final Key<Map<String, Double>> NODES =
      Key.of("nodes", mapOf(NODE, GIGAHERTZ), "What the cores of some nodes run at instead.")
          .example("{n1: 2.2, n2: 1}");

  public static final ObjectType<NodeClocks> TYPE =
      ObjectType.named("clocks", "The clocks of the nodes' cores.")
          .keys(STATES, IDLE_ACTIVITY, GHZ, NODES)
          .check(ClockSchema::check)
          .build(ClockSchema::clocks);

  private ClockSchema() {}

  private static void check(Values clocks) {
    if (clocks.find(IDLE_ACTIVITY).orElse(0.0) >= 1) {
      clocks.error(IDLE_ACTIVITY, "leaves an idle core no less than a busy one", "write less");
    }
    checkOrder(clocks);
    List<PStates.State> states = clocks.find(STATES).orElse(List.of());
    clocks.find(GHZ).ifPresent(ghz -> checkState(clocks, GHZ.name(), ghz, states));
    clocks
        .find(NODES)
        .orElse(Map.of())
        .forEach((node, ghz) -> checkState(clocks, "nodes." + node, ghz, states));
  }

  /** Checks a list under {@code states}. */
  static void checkOrder(Values clocks) {
    List<PStates.State> states = clocks.peek(STATES.name(), STATE_LIST).orElse(List.of());
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

  private static void checkState(
      Values clocks, String path, double ghz, List<PStates.State> states) {
    if (!states.isEmpty() && states.stream().noneMatch(state -> state.ghz() == ghz)) {
      clocks.errorAt(
          path,
          "there is no P-state of " + Units.formatNumber(ghz) + " GHz",
          "write one of "
              + states.stream()
                  .map(state -> Units.formatNumber(state.ghz()))
                  .collect(Collectors.joining(", ")));
    }
  }

  private static NodeClocks clocks(Values clocks) {
    PStates states = new PStates(clocks.get(STATES));
    return new NodeClocks(
        new Clocks(states, clocks.get(IDLE_ACTIVITY)),
        clocks.find(GHZ).orElse(states.fastestGhz()),
        clocks.find(NODES).orElse(Map.of()));
  }
}
