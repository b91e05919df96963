package org.calando.studyfile;

import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.core.energy.PStates;
import org.calando.knob.ManagedClocksSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.sim.cluster.Clocks;
import org.calando.studyfile.sim.SimMachines.NodeClocks;

/** What {@code store.sim.clocks} may say. */
public final class ClockSchema {
  /** A node of a cluster whose nodes have no names of their own. */
  public static final ScalarType<String> NODE = text("a node", "n[1-9]\\d{0,4}", "n1, n2, ...");

  private static final Key<List<PStates.State>> STATES =
      Key.of(
              "states",
              scalarOrList(
                  mapped(
                      choiceOrLater("a processor", List.of(ManagedClocksSchema.XEON), List.of()),
                      name -> PStates.xeonSilver4114().states()),
                  ManagedClocksSchema.STATE_LIST),
              "P-states of every core, the fastest first: a processor's (Concerto, table 2), or"
                  + " yours.")
          .byDefault(ManagedClocksSchema.XEON)
          .example("[{ghz: 2.2, volts: 1.1}, {ghz: 1.4, volts: 0.94}]");
  private static final Key<Double> IDLE_ACTIVITY =
      Key.of(
              "idle-activity",
              share(),
              "Dynamic power of an idle core as a share of a busy one's; at most idle over busy watts"
                  + " of power.profile. A slower clock saves that, too.")
          .byDefault("0")
          .example("10%");
  private static final Key<Double> MEMORY_SHARE =
      Key.of(
              "memory-share",
              share(),
              "Share of work's time at the fastest clock in which a core waits for memory: it takes no"
                  + " longer at a slower clock; none without. Of Redis, Concerto's figures are 14%.")
          .example("14%");
  private static final Key<Double> GHZ =
      Key.of(
              "ghz",
              ManagedClocksSchema.GIGAHERTZ,
              "Clock of all cores, one of the states; the fastest by default. Work takes longer by"
                  + " the fastest over it, and dynamic power falls by V2f.")
          .example("1.4");
  private static final Key<Map<String, Double>> NODES =
      Key.of(
              "nodes",
              mapOf(NODE, ManagedClocksSchema.GIGAHERTZ),
              "Clock of the cores of some nodes instead.")
          .example("{n1: 2.2, n2: 1}");

  public static final ObjectType<NodeClocks> TYPE =
      ObjectType.named("clocks", "The clocks of the nodes' cores.")
          .keys(STATES, IDLE_ACTIVITY, MEMORY_SHARE, GHZ, NODES)
          .check(ClockSchema::check)
          .build(ClockSchema::clocks);

  private ClockSchema() {}

  private static void check(Values clocks) {
    if (clocks.find(IDLE_ACTIVITY).orElse(0.0) >= 1) {
      clocks.error(IDLE_ACTIVITY, "leaves an idle core no less than a busy one", "write less");
    }
    ManagedClocksSchema.checkOrder(clocks);
    List<PStates.State> states = clocks.find(STATES).orElse(List.of());
    clocks.find(GHZ).ifPresent(ghz -> checkState(clocks, GHZ.name(), ghz, states));
    clocks
        .find(NODES)
        .orElse(Map.of())
        .forEach((node, ghz) -> checkState(clocks, "nodes." + node, ghz, states));
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
        new Clocks(states, clocks.get(IDLE_ACTIVITY), clocks.find(MEMORY_SHARE).orElse(0.0)),
        clocks.find(GHZ).orElse(states.fastestGhz()),
        clocks.find(NODES).orElse(Map.of()));
  }
}
